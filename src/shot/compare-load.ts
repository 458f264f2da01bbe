import type { Baseline } from '../baselines/index.js';
import { compareInWorker } from '../compare/index.js';
import type { Redraw } from '../explain/index.js';
import {
  BASELINE_WARNINGS,
  type Capture,
  type CompareSettings,
  type Comparison,
  differingParts,
  type Environment,
  type HiddenElement,
  resolveAntialiasing,
  type VerdictSettings,
  type Warning,
  withWarnings,
} from '../model/index.js';
import {
  excludeBoth,
  excludeWithBaseline,
  ownShare,
  warnAboutDropped,
  warnAboutGrowth,
  warnAboutShare,
} from './excluded-areas.js';
import type { BaselineImage, Before, ComparedLoad, Load } from './observation.js';
import { compareTexts, warnOfTexts } from './rendered-texts.js';

/** Compares the capture of a load with its baseline or, in a two-state shot, with the other side. */
export async function compareLoad(
  load: Load,
  verdict: VerdictSettings,
  baseline: Baseline,
  shownPath: string,
): Promise<ComparedLoad> {
  const { compare, explanation } = load;
  const [after, other] = load.sides;
  if (other) {
    const compared = await compareCaptures(compare, other, after);
    const textChange = looksSame(compared.comparison) ? compareTexts(other.rendered?.hashes, after) : null;
    const before = { kind: 'live', capture: other, ...compared, explanation, textChange } as const;
    return toCompared(load, verdict, before, warnOfTexts(textChange, ''));
  }
  return baseline.kind === 'image'
    ? compareWithBaseline(load, verdict, baseline, shownPath)
    : toCompared(load, verdict, baseline);
}

function toCompared(
  { compare, sides: [after] }: Load,
  { minCompared }: VerdictSettings,
  before: Before,
  warnings: readonly Warning[] = [],
): ComparedLoad {
  const isCompared = before.kind === 'baseline' || before.kind === 'live';
  const compared = isCompared ? before.compared : ownShare(after);
  // Below `minCompared`, the shot is an error and needs no warning.
  const share = compared < minCompared ? [] : warnAboutShare(compared, isCompared ? before.comparison : null, compare);
  return { status: 'captured', capture: withWarnings(after, [...warnings, ...share]), before, differing: [] };
}

/** With `antialiasing: auto`, anti-aliased pixels count only if the baseline was captured in the same environment. */
async function compareWithBaseline(
  load: Load,
  verdict: VerdictSettings,
  baseline: BaselineImage,
  shownPath: string,
): Promise<ComparedLoad> {
  const { compare, explanation } = load;
  const [after] = load.sides;
  const { image, record } = baseline;
  const known = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  const antialiasing = resolveAntialiasing(compare.antialiasing, isSameEnvironment(record?.environment, after));
  const { areas, compared } = excludeWithBaseline(known, after);
  const comparison = await compareInWorker(image, after.image, { ...compare, antialiasing }, areas);
  // Equal bytes need no record.
  const isLost = record === null && comparison.kind !== 'equal';
  const textChange = looksSame(comparison) ? compareTexts(record?.rendered, after) : null;
  const outdated = [
    ...(isLost ? [warnOfLostRecord(shownPath)] : []),
    ...warnOfHidden(record?.hidden, after),
    ...warnOfTexts(textChange, `; to accept them, run: ${UPDATE}`),
  ];
  const redraw = await judgeOtherEnvironment(load, verdict, baseline, comparison);
  const before = {
    kind: 'baseline',
    baseline,
    comparison,
    compared,
    explanation,
    textChange,
    redraw,
    outdated,
  } as const;
  const dropped = comparison.kind === 'equal' ? [] : warnAboutDropped(known, after, areas);
  return toCompared(load, verdict, before, [...dropped, ...warnAboutGrowth(known, after)]);
}

function looksSame({ kind, counts }: Comparison): boolean {
  return kind !== 'different' && counts.mismatchPixels === 0;
}

/** With `environment: auto`: whether the page differs, or is only drawn differently. Null if the pixels decide. */
async function judgeOtherEnvironment(
  { explanation, sides: [after] }: Load,
  { environment: rule }: VerdictSettings,
  { image, record }: BaselineImage,
  comparison: Comparison,
): Promise<Redraw | null> {
  if (rule !== 'auto' || comparison.kind !== 'different' || !record || !explanation || !after.structure) return null;
  const { environment } = record;
  if (isSameEnvironment(environment, after) || environment.scale !== after.environment.scale) return null;
  return explanation.redraw(after.structure.answers, { ...comparison, before: image, after: after.image });
}

/** Returns the settings for images whose bytes differ, so that any pixel that differs counts. */
export function withoutTolerance(settings: CompareSettings): CompareSettings {
  const limits = { threshold: 0, maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 };
  return { ...settings, ...limits, antialiasing: 'count' };
}

/** Compares two captures of one run, except in ignored areas. Returns the share of the pixels that were compared, too. */
export async function compareCaptures(settings: CompareSettings, one: Capture, other: Capture) {
  // One run captures both, in one environment.
  const antialiasing = resolveAntialiasing(settings.antialiasing, true);
  const { areas, compared } = excludeBoth(one, other);
  const comparison = await compareInWorker(one.image, other.image, { ...settings, antialiasing }, areas);
  return { comparison, compared };
}

const UPDATE = 'npx playwright test --update-snapshots';

function warnOfLostRecord(path: string): Warning {
  const message = `the baseline ${path} has no record, because another tool wrote it: its environment, masks and structure are lost, and pixels that only anti-aliasing explains may not count; to write it again, run: ${UPDATE}`;
  return { code: BASELINE_WARNINGS.record, message };
}

/** Names what `hideCookie` hides and did not hide in the baseline: it may be an error of the page. An older baseline does not know it. */
function warnOfHidden(old: readonly HiddenElement[] | undefined, { hidden = [] }: Capture): Warning[] {
  const known = new Set(old?.map(identityOf));
  const added = old ? hidden.filter((one) => !known.has(identityOf(one))) : [];
  if (added.length === 0) return [];
  const names = added.map(({ element, text }) => (text === '' ? element : `${element} "${text}"`));
  const message = `\`hideCookie\` hides what it did not hide in the baseline: ${names.join(', ')}; if that is right, run: ${UPDATE}`;
  return [{ code: BASELINE_WARNINGS.hidden, message }];
}

/** Generated class names differ from build to build, so an element is known by its text. A banner may count its partners. */
function identityOf({ element, text }: HiddenElement): string {
  return (text === '' ? element : text).replace(/\d+/g, '0');
}

/** The engine does not change how a page is drawn. */
function isSameEnvironment(environment: Environment | undefined, capture: Capture): boolean {
  if (!environment) return false;
  return differingParts(environment, { ...capture.environment, engine: environment.engine }).length === 0;
}
