import type { TestInfo } from '@playwright/test';
import { messageOf, type PlannedShot, ProofsheetError, type Shot } from '../model/index.js';
import { findVanished, type Pages, shotOfMatch, vanishedError } from '../shot/index.js';
import { screenshotPathOf } from './internals.js';

type FindMatches = ReturnType<Pages['begin']>['findMatches'];
type Matches = Awaited<ReturnType<FindMatches>>;

/** A page with `each`. */
interface SetOfShots {
  /** The shot of the page, whose `element` matches several elements. */
  readonly shot: Shot;
  readonly each: PlannedShot['fields']['each'];
  readonly findMatches: FindMatches;
  readonly segmentsOf: (shot: Shot) => Promise<string[]>;
  /** Whether an id is that of another shot of the list. */
  readonly isListed: (id: string) => boolean;
}

/**
 * Tests each element of a page with `each` as a shot of its own. The page is loaded once to find them, and again for each of them.
 * An error of the page, or an element that has a baseline and is no longer there, is an error of the shot of the page.
 *
 * @param testShot - tests a shot; with an error, the shot of a page that cannot be captured. Returns why it is to be skipped, or null
 * @returns why the test is to be skipped; null if it is not
 */
export async function testEach(
  set: SetOfShots,
  testShot: (shot: Shot, error?: ProofsheetError) => Promise<string | null>,
  testInfo: TestInfo,
): Promise<string | null> {
  const errors: Error[] = [];
  const skipReasons = new Set<string | null>();
  const test = async (shot: Shot, error?: ProofsheetError) => {
    try {
      skipReasons.add(await testShot(shot, error));
    } catch (cause) {
      errors.push(cause instanceof Error ? cause : new Error(messageOf(cause)));
      skipReasons.add(null);
    }
  };
  try {
    const matches = await set.findMatches('after', set.each === 'index');
    testInfo.setTimeout(testInfo.timeout * (matches.length + 1));
    for (const match of matches) await test(shotOfMatch(set.shot, match));
    const missing = await findMissing(set, matches, testInfo);
    if (missing !== null) await test(set.shot, missing);
  } catch (cause) {
    if (!(cause instanceof ProofsheetError)) throw cause;
    await test(set.shot, cause);
  }
  const [first, ...others] = errors;
  const [reason = null] = skipReasons;
  if (first === undefined) return skipReasons.size === 1 ? reason : null;
  // Playwright reads what it knows about a failed comparison from the error itself.
  first.message = [first, ...others].map(({ message }) => message).join('\n\n');
  throw first;
}

/** Returns the error of the elements that are missing on the page: those of the page before the change, or those with a baseline. */
async function findMissing(
  { shot, each, findMatches, segmentsOf, isListed }: SetOfShots,
  matches: Matches,
  testInfo: TestInfo,
): Promise<ProofsheetError | null> {
  const pathOf = async (one: Shot) => screenshotPathOf(testInfo, await segmentsOf(one));
  const known = new Set(matches.map(({ name }) => name));
  const missing = shot.before
    ? (await findMatches('before', each === 'index')).map(({ name }) => name).filter((name) => !known.has(name))
    : await findVanished(shot, matches, pathOf, isListed);
  if (missing.length === 0) return null;
  const advice = shot.before
    ? 'The page before the change has these elements.'
    : 'If they were removed on purpose, delete their baselines: npx proofsheet prune --yes';
  return vanishedError(shot, missing, advice);
}
