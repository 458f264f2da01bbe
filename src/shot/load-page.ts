import type { Baseline } from '../baselines/index.js';
import { adviseName, readStoryParameters } from '../list/index.js';
import {
  type Capture,
  type CaptureResult,
  type CaptureSettings,
  type CompareSettings,
  ProofsheetError,
  type Shot,
  type ShownTexts,
  type Target,
} from '../model/index.js';
import type { Stopwatch } from '../page/index.js';
import type { ShotReuse } from '../reuse/index.js';
import { compareCaptures, withoutTolerance } from './compare-load.js';
import type { Load, LoadSides, Observed, Unstable } from './observation.js';
import type { PageRequest, ShotPages } from './page-session.js';
import { type Redact, redactHidden } from './redact.js';
import { exchangeStructures, requestStructure } from './structure-requests.js';

export interface LoadContext {
  readonly stopwatch: Stopwatch;
  readonly redact: Redact;
  /** Receives the requests of each load; null: they are not needed. */
  readonly reuse: ShotReuse | null;
}

/** Ends the capture of a story that leaves its shot out. The message is the reason. */
export class StoryLeftOut extends Error {}

/**
 * Loads and captures a page once; in a two-state shot, both sides at the same time. Each story decides what its own image shows. The limits,
 * and whether the shot is tested, are those of the after side.
 *
 * @param previous - the sides of the previous load, if there was one: one image that equals its own is enough
 * @returns the load, or what was seen of a page that kept changing
 * @throws ProofsheetError if a page cannot be captured; {@link StoryLeftOut}
 */
export async function loadPage(
  given: Shot,
  baseline: Baseline,
  pages: ShotPages,
  { stopwatch, redact, reuse }: LoadContext,
  previous: LoadSides | undefined,
): Promise<Load | Observed> {
  const { capture, before: beforeTarget } = given;
  let { compare } = given;
  const [previousAfter, previousBefore] = previous ?? [];
  const exchange = capture.explain && beforeTarget ? exchangeStructures(redact) : null;
  const structure = capture.explain ? (exchange?.after ?? requestStructure(baseline, redact)) : null;
  const request = { stopwatch, ...(reuse && { recordLoad: reuse.recordLoad }) };
  // Two pages that are still loading can look the same, so neither side is the expected image of the other.
  const [before, after] = await settleBoth([
    beforeTarget &&
      pages
        .capture(toPageRequest(given, beforeTarget), {
          ...{ ...request, structure: exchange?.before ?? null },
          isExpected: (bytes) => isImageOf(previousBefore, bytes),
          takeParameters: (parameters) => applyStory(given, parameters).settings,
        })
        .finally(exchange?.end),
    pages.capture(toPageRequest(given, given.after), {
      ...{ ...request, structure },
      isExpected: (bytes) => isImageOf(baseline, bytes) || isImageOf(previousAfter, bytes),
      ...(!beforeTarget && { texts: expectedTexts(baseline, previousAfter) }),
      knownTexts: (baseline.kind === 'image' && baseline.record?.rendered) || null,
      takeParameters(parameters) {
        const own = applyStory(given, parameters);
        if (own.skipReason !== null) throw new StoryLeftOut(own.skipReason);
        compare = own.compare;
        return own.settings;
      },
    }),
  ]);
  for (const result of [before, after]) {
    const observation = result && (await observeMotion(compare, result));
    if (observation) return { compare, observation };
  }
  const own = withoutSecrets(after.capture, redact);
  const sides: LoadSides = before ? [own, before.capture] : [own];
  return { compare, sides, explanation: structure?.explanation() ?? null };
}

/** Returns what opens and captures a page of a shot. @param target - `after` or `before` of the shot */
export function toPageRequest({ after, capture, emulation, timeoutMs }: Shot, target: Target): PageRequest {
  return { target, settings: capture, emulation, timeoutMs, origin: new URL(after.url).origin };
}

/** Waits for both sides. That the story leaves its shot out counts more than any other error. */
async function settleBoth<Before, After>(sides: [Before, Promise<After>]): Promise<[Awaited<Before>, After]> {
  const [before, after] = await Promise.allSettled(sides);
  if (after.status === 'rejected' && after.reason instanceof StoryLeftOut) throw after.reason;
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  return [before.value, after.value];
}

function isImageOf(known: Baseline | Capture | undefined, bytes: Buffer): boolean {
  return known !== undefined && 'image' in known && known.image.bytes.equals(bytes);
}

/** Each load shows the texts of the baseline. Without one, and of texts that are wrong, those of the first load. */
function expectedTexts(baseline: Baseline, previous: Capture | undefined): (readonly ShownTexts[])[] {
  return [(baseline.kind === 'image' && baseline.record?.texts) || [], previous?.texts ?? []];
}

/** The record of a baseline contains texts and URLs of the page. A text with a secret is not kept, so the page shows its own. */
function withoutSecrets(capture: Capture, redact: Redact): Capture {
  const { hidden, texts, missingResponses } = capture;
  const isPublic = ({ elements }: ShownTexts) => elements.flat().every((text) => redact(text) === text);
  return {
    ...capture,
    missingResponses: missingResponses.map(redact),
    ...(hidden && { hidden: redactHidden(hidden, redact) }),
    ...(texts && { texts: texts.filter(isPublic) }),
  };
}

/** Compares the last two screenshots of a page that kept changing. Returns null if only ignored areas changed. */
async function observeMotion(settings: CompareSettings, result: CaptureResult): Promise<Unstable | null> {
  if (result.kind === 'settled') return null;
  const { capture, previous } = result;
  const earlier = { ...capture, image: previous };
  const { comparison: motion } = await compareCaptures(withoutTolerance(settings), earlier, capture);
  const hasIgnored = capture.ignored.some(({ rectangles }) => rectangles.length > 0);
  if (hasIgnored && motion.kind !== 'different') return null;
  return { status: 'unstable', by: 'time', capture, previous, previousStructure: null, motion };
}

/**
 * Applies `parameters.proofsheet` of a story to its shot. They are known once the story is loaded.
 *
 * @returns the limits of the shot, the settings of the capture that the story changes, and why it leaves the shot out
 * @throws ProofsheetError `options-invalid`
 */
export function applyStory(given: Shot, parameters: unknown) {
  const { story, format } = given.capture;
  const where = `parameters.proofsheet of the story "${story?.id}"`;
  const own = readStoryParameters(parameters, format, where);
  const { delay, element, fullSize, threshold = given.compare.threshold, skip = null } = own;
  const leftOut = [
    leaveOut('viewport', given.viewport, own.viewports, story?.viewports, where),
    leaveOut('mode', given.mode, own.modes, story?.modes, where),
  ];
  const choosesArea = element !== undefined || fullSize !== undefined;
  const area = { element: element ?? null, fullSize: element === undefined && fullSize === true, cropsStory: false };
  const settings: Partial<CaptureSettings> = {
    ...(delay !== undefined && { delayMs: Math.round(delay * 1000) }),
    ...(choosesArea && area),
  };
  return { compare: { ...given.compare, threshold }, settings, skipReason: skip ?? leftOut[0] ?? leftOut[1] ?? null };
}

function leaveOut(
  noun: 'viewport' | 'mode',
  name: string | null,
  chosen: readonly string[] | undefined,
  known: readonly string[] = [],
  where: string,
): string | null {
  const unknown = chosen?.find((one) => !known.includes(one));
  if (unknown !== undefined)
    throw new ProofsheetError({
      code: 'options-invalid',
      where,
      found: `\`${noun}s\` has "${unknown}", which the page list does not name`,
      advice: known.length > 0 ? adviseName(unknown, known) : `Define it under \`${noun}s\` in the page list.`,
    });
  if (name === null || chosen === undefined || chosen.includes(name)) return null;
  return `the story is captured only in the ${noun}${chosen.length > 1 ? 's' : ''} ${chosen.join(', ')}`;
}
