import { sha256 } from '../baselines/index.js';
import { engineVersion } from '../compare/index.js';
import { explain, nameChanging } from '../explain/index.js';
import {
  type Capture,
  type Cause,
  type Comparison,
  type ComparisonSummary,
  failure,
  hasChangeDescription,
  mismatchPercentage,
  PDF_PAGES,
  type ProofsheetError,
  renderPercentage,
  type Shot,
  type ShotRecord,
  type Timings,
  type Warning,
  withoutCredentials,
} from '../model/index.js';
import { causeKeyOf, renderEnvironment, renderReason } from '../report/index.js';
import { baselineOf, captureOf, isCompared, isGreenOutcome, type Outcome, type ShotProblem } from './decide.js';
import { ownShare } from './excluded-areas.js';
import { NO_IMAGES, type ShotImage, type ShotImages } from './images.js';

interface RecordContext {
  readonly project: string;
  readonly durationMs: number;
  readonly timings: Timings;
  /** The path of the baseline for display. */
  readonly path: string;
  /** SHA-256 of the baseline that the run wrote, even if the shot failed afterwards; null if it wrote none. */
  readonly written: string | null;
  /** The outcomes of the loads that differ from this one. */
  readonly differing: readonly Outcome[];
}

/** Builds the record of a shot: the only input of the report, the summary and `approve`. */
export function buildRecord(shot: Shot, outcome: Outcome, images: ShotImages, context: RecordContext): ShotRecord {
  const { id, page, viewport, mode, state } = shot;
  const { project, durationMs, timings, path, written, differing } = context;
  const isLoaded = outcome.status !== 'skipped' && outcome.status !== 'reused';
  const baseline = baselineOf(outcome);
  const described = describeOutcome(shot, outcome, images, context);
  return {
    ...{ id, page, viewport, mode, state, project, url: withoutCredentials(shot.after.url) },
    ...described,
    flaky: false,
    reused: outcome.status === 'reused',
    attempts: differing.map((load) => {
      const { status, reason } = describeOutcome(shot, load, NO_IMAGES, { ...context, differing: [] });
      return { status, ...(reason !== null && { reason }) };
    }),
    durationMs,
    ...(isLoaded && { timings }),
    diff: images.diff && { link: images.diff.link, ...images.diff.size },
    capture: outcome.status === 'skipped' ? null : describeCapture(shot, outcome, images.after, described.reason),
    // A two-state shot has no baseline to approve.
    baseline: shot.before
      ? null
      : { path, sha256: baseline?.sha256 ?? written, environment: baseline?.record?.environment ?? null },
    group: null,
    decision: null,
  };
}

function describeOutcome(shot: Shot, outcome: Outcome, images: ShotImages, context: RecordContext) {
  const { threshold, maxDiffPixels, maxDiffPixelRatio } = shot.compare;
  const causes = findCauses(outcome);
  const before = isCompared(outcome) ? outcome.before : null;
  const redraw = before?.kind === 'baseline' ? before.redraw : null;
  const described = {
    status: outcome.status === 'reused' ? 'passed' : outcome.status,
    unsteady: context.differing.length > 0 || (outcome.status === 'unstable' && outcome.by !== 'time'),
    written: context.written !== null,
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    ...(outcome.status === 'reused'
      ? outcome.stored.findings
      : describeFindings(outcome, engineVersion(shot.compare.engine))),
    ...changeFieldsOf(changeOf(outcome)),
    ...(redraw?.kind === 'redrawn' && { redrawn: redraw.layout }),
    ...(causes && { causes }),
    before: describeImage(images.before),
    after: describeImage(images.after),
  } as const;
  if (outcome.status === 'error') return { ...described, reason: errorOf(outcome.problem, shot).message };
  const isFine = isGreenOutcome(outcome) && outcome.status !== 'skipped';
  const given = outcome.status === 'skipped' ? outcome.reason : null;
  return { ...described, reason: isFine ? null : renderReason({ ...described, reason: given }) };
}

function errorOf(problem: ShotProblem, { after: { url }, verdict }: Shot): ProofsheetError {
  switch (problem.kind) {
    case 'failed':
      return problem.error;
    case 'warning':
      return failure(
        'page-warning',
        problem.url,
        `${problem.message} (\`strict\` makes this warning an error)`,
        'Fix the page, or remove `strict`.',
      );
    case 'environment': {
      const { baseline, current, parts } = problem;
      return failure(
        'baseline-environment',
        url,
        `the baseline was captured with ${renderEnvironment(baseline, parts)}, but this run uses ${renderEnvironment(current, parts)} (\`environment: fail\`)`,
        'Run in the environment of the baselines, or update them in this environment: npx playwright test --update-snapshots',
      );
    }
    case 'masked':
    case 'masked-baseline': {
      const isByBaseline = problem.kind === 'masked-baseline';
      const share = `\`mask\` and \`ignore\` leave ${renderPercentage(100 * problem.compared)} of the pixels to compare; expected at least ${renderPercentage(100 * verdict.minCompared)}`;
      return failure(
        'page-masked',
        url,
        isByBaseline ? `${share} (with the areas stored in the baseline)` : share,
        isByBaseline
          ? 'Check the page, then update the baseline: npx playwright test --update-snapshots'
          : 'Use smaller `mask` and `ignore` areas, or set a lower `minCompared`.',
      );
    }
    default:
      return problem satisfies never;
  }
}

function describeFindings(
  outcome: Outcome,
  engine: string,
): Pick<ShotRecord, 'compared' | 'summary' | 'environment' | 'hidden' | 'warnings'> {
  const capture = captureOf(outcome);
  const before = isCompared(outcome) ? outcome.before : null;
  return {
    compared: before?.compared ?? (capture && ownShare(capture)),
    summary: before && summaryOf(before.comparison),
    environment: capture && { ...capture.environment, engine },
    ...(capture?.hidden && { hidden: [...capture.hidden] }),
    warnings: warningsOf(capture, before?.kind === 'live' ? before.capture : null, before?.comparison),
  };
}

type Warned = Pick<Capture, 'warnings'> | null;

/** Lists the warnings of a page, of the one before, and of their comparison, without credentials. */
export function warningsOf(after: Warned, before: Warned, comparison: Comparison | undefined): Warning[] {
  const pages = comparison && hasChangeDescription(comparison) ? comparison.pages : undefined;
  const warnings = [
    ...(after?.warnings ?? []),
    ...(before?.warnings ?? []).map(({ code, message }) => ({ code, message: `before: ${message}` })),
    ...(pages === undefined ? [] : [{ code: PDF_PAGES, message: pages }]),
  ];
  return warnings.map(({ code, message }) => ({ code, message: withoutCredentials(message) }));
}

/** Returns the counts of a comparison, as a record has them. */
export function summaryOf(comparison: Comparison): ComparisonSummary {
  const { counts } = comparison;
  const aligned = hasChangeDescription(comparison) ? comparison.mismatchPixelsAfterAlignment : null;
  return { ...counts, mismatchPercentage: mismatchPercentage(counts), mismatchPixelsAfterAlignment: aligned };
}

type DescribedChange = Extract<Comparison, { kind: 'different' | 'tolerated' }>;

function changeOf(outcome: Outcome): DescribedChange | null {
  const comparison = outcome.status === 'unstable' ? outcome.motion : isCompared(outcome) && outcome.before.comparison;
  return comparison && hasChangeDescription(comparison) ? comparison : null;
}

/** Returns where a change is, as a record has it. */
export function changeFieldsOf(comparison: Comparison | null) {
  const change = comparison && hasChangeDescription(comparison) ? comparison : null;
  return {
    regions: [...(change?.regions ?? [])],
    regionPlaces: [...(change?.regionPlaces ?? [])],
    events: change && [...change.contentMoves],
    shifts: change && [...change.shifts],
    columnShifts: change && [...change.columnShifts],
  };
}

/** Returns the causes of a change, or what differs between the last two screenshots of an unstable shot; null if they are not known. */
function findCauses(outcome: Outcome): Cause[] | null {
  const change = changeOf(outcome);
  const last = captureOf(outcome)?.structure;
  if (outcome.status === 'unstable' && change && last) {
    // Two loads have two structures. The page of one load has that of its last screenshot.
    const previous = outcome.previousStructure?.structure;
    return previous
      ? explain(previous, last.structure).causes(last.answers, change)
      : nameChanging(last.structure, change);
  }
  if (outcome.status !== 'changed') return null;
  const { before, capture } = outcome;
  const explained =
    before.kind === 'baseline' && before.redraw?.kind === 'changed'
      ? before.redraw.causes
      : change && last && before.explanation?.causes(last.answers, change);
  const wrongTexts = (capture.wrongTexts ?? []).map(
    ({ selector, pattern, text }): Cause => ({
      ...{ kind: 'wrong-text', element: selector, property: null, before: pattern, after: text, source: null },
      ...{ certain: true, elements: 1, boxes: [], regions: [], pixels: 0 },
    }),
  );
  return explained || wrongTexts.length > 0 ? [...wrongTexts, ...(explained ?? [])] : null;
}

function describeImage(image: ShotImage | null) {
  return (
    image && {
      ...{ link: image.link, ...image.size, source: withoutCredentials(image.source) },
      ...(image.sha256 !== undefined && { sha256: image.sha256 }),
    }
  );
}

function describeCapture(
  shot: Shot,
  outcome: Outcome,
  image: ShotImage | null,
  reason: string | null,
): NonNullable<ShotRecord['capture']> {
  const url = withoutCredentials(shot.after.url);
  if (outcome.status === 'reused')
    return { status: 'success', ...outcome.stored.capture, message: REUSED, url, link: image?.link ?? null };
  const capture = captureOf(outcome);
  return {
    status: capture ? 'success' : 'error',
    fetchTime: new Date(capture?.takenAt ?? Date.now()).toISOString(),
    message: capture ? formatAttempts(capture, outcome) : (reason ?? ''),
    url,
    width: capture?.viewport.width ?? null,
    height: capture?.viewport.height ?? null,
    link: (capture && image?.link) ?? null,
  };
}

const REUSED = 'Not captured again: the files of the page have not changed since then.';

function formatAttempts({ attempts }: Capture, { status }: Outcome): string {
  if (attempts === 1) return 'Captured.';
  return `The page was ${status === 'unstable' ? 'not ' : ''}stable after ${attempts} screenshots.`;
}

/** Returns a hash of what changed: of its causes, else of its pixels; null if the shot did not change or the change has no hash. */
export function fingerprintOf({ causes }: ShotRecord, outcome: Outcome): string | null {
  if (outcome.status !== 'changed') return null;
  return fingerprintCauses(causes) ?? changeOf(outcome)?.fingerprint ?? null;
}

/**
 * Equal declarations, elements and texts have the same hash, wherever they are and whatever moved because of them.
 * @returns null unless every cause is certain: pixels that nothing explains may differ from shot to shot
 */
export function fingerprintCauses(causes: readonly Cause[] | undefined): string | null {
  if (!causes || causes.length === 0 || causes.some(({ certain }) => !certain)) return null;
  return sha256(JSON.stringify([...new Set(causes.map(causeKeyOf))].sort()));
}
