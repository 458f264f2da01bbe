import { dirname, join, relative } from 'node:path';
import type { TestInfo } from '@playwright/test';
import { shotNameOf } from '../baselines/index.js';
import { type PlannedShot, ProofsheetError, type Shot } from '../model/index.js';
import type { Match } from '../page/index.js';
import { listBaselines } from '../run/index.js';
import type { Pages, ShotPages } from '../shot/index.js';
import { screenshotPathOf } from './internals.js';

/** A page with `each`. */
interface SetOfShots {
  /** The shot of the page, whose `element` matches several elements. */
  readonly shot: Shot;
  readonly each: PlannedShot['fields']['each'];
  readonly pages: Pages;
  readonly segmentsOf: (shot: Shot) => Promise<string[]>;
  /** All shots of the list. */
  readonly shots: readonly PlannedShot[];
}

/** A shot to test, and what captures its page. */
export interface ShotToTest {
  readonly shot: Shot;
  readonly pages: ShotPages;
}

/**
 * Lists the elements of a page with `each` as shots of their own. The page is loaded once to find them, and again for each of them.
 * An error of the page, or an element that has a baseline and is no longer there, is an error of the shot of the page.
 */
export async function listEach(set: SetOfShots, testInfo: TestInfo): Promise<ShotToTest[]> {
  const { shot, each, pages } = set;
  const errorOf = (cause: unknown): ShotToTest[] => {
    if (!(cause instanceof ProofsheetError)) throw cause;
    return [{ shot, pages: { capture: () => Promise.reject(cause), canReload: false } }];
  };
  try {
    const matches = await pages.findMatches(shot, 'after', each === 'index');
    testInfo.setTimeout(testInfo.timeout * (matches.length + 1));
    const missing = await findMissing(set, matches, testInfo).catch(errorOf);
    return [...matches.map((match) => ({ shot: shotOfMatch(shot, match), pages })), ...missing];
  } catch (cause) {
    return errorOf(cause);
  }
}

/** Fails if elements are missing on the page: those of the page before the change, or those with a baseline. */
async function findMissing(set: SetOfShots, matches: readonly Match[], testInfo: TestInfo): Promise<ShotToTest[]> {
  const { shot, each, pages } = set;
  const known = new Set(matches.map(({ name }) => name));
  const expected = shot.before
    ? (await pages.findMatches(shot, 'before', each === 'index')).map(({ name }) => name)
    : await namesWithBaseline(set, testInfo);
  const missing = expected.filter((name) => !known.has(name));
  if (missing.length === 0) return [];
  throw new ProofsheetError({
    code: 'page-selector',
    where: shot.after.url,
    found: `\`element\` "${shot.capture.element}" no longer matches: ${missing.join(', ')}`,
    advice: shot.before
      ? 'The page before the change has these elements.'
      : 'If they were removed on purpose, delete their baselines: npx proofsheet prune --yes',
  });
}

/** Returns the shot of one element of a page with `each`: `cards/pro-plan` of `cards`. */
function shotOfMatch(set: Shot, { name, index }: Match): Shot {
  const { page, viewport, mode, state, capture } = set;
  return {
    ...set,
    ...shotNameOf({ page: `${page}/${name}`, viewport, mode, state }),
    capture: { ...capture, element: `${capture.element} >> nth=${index}` },
  };
}

/** Returns the names of the elements with a baseline where this run would look for it, except those of other shots of the list. */
async function namesWithBaseline({ shot, segmentsOf, shots }: SetOfShots, testInfo: TestInfo): Promise<string[]> {
  const pathOf = async (name: string) =>
    screenshotPathOf(testInfo, await segmentsOf(shotOfMatch(shot, { name, index: 0 })));
  const root = sharedFolder(await pathOf('a'), await pathOf('b'));
  const names: string[] = [];
  for (const { path, record } of await listBaselines(root)) {
    const name = shots.some(({ id }) => id === record.id) ? null : nameIn(shot, record.id);
    if (name !== null && join(root, path) === (await pathOf(name))) names.push(name);
  }
  return names.sort();
}

/** Returns the name of the element in an id; null if it is not the id of an element of this page. */
function nameIn({ id, page }: Shot, other: string): string | null {
  const end = id.slice(page.length);
  if (!other.startsWith(`${page}/`) || !other.endsWith(end)) return null;
  const name = other.slice(page.length + 1, other.length - end.length);
  return name === '' || name.includes('/') ? null : name;
}

function sharedFolder(path: string, other: string): string {
  let folder = dirname(path);
  while (relative(folder, other).startsWith('..')) folder = dirname(folder);
  return folder;
}
