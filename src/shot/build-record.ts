import {
  type Capture,
  type Comparison,
  type ComparisonSummary,
  type Environment,
  hasChangeDescription,
  mismatchPercentage,
  PDF_PAGES,
  type Shot,
  type ShotRecord,
  type Timings,
  withoutCredentials,
} from '../model/index.js';
import { renderReason } from '../report/index.js';
import { isGreen, type Outcome } from './decide.js';
import { ownShare } from './excluded-areas.js';
import { NO_IMAGES, type ShotImage, type ShotImages } from './stage-images.js';
import { findCauses } from './structure-requests.js';

/** The data of a shot record that the outcome does not contain. */
export interface RecordContext {
  readonly project: string;
  readonly durationMs: number;
  /** Null if nothing was captured. */
  readonly timings: Timings | null;
  readonly baseline: NonNullable<ShotRecord['baseline']>;
  /** Whether the run wrote the baseline, even if the shot failed afterwards. */
  readonly written: boolean;
  /** The version of the engine that compared. */
  readonly engine: Environment['engine'];
  /** The outcomes of earlier loads that differ from this one. */
  readonly earlier: readonly Outcome[];
  /** Why a later run cannot reuse the capture; null if it can, or if `reuse` is off. */
  readonly notReusable: string | null;
}

/** Builds the record of a shot: the only input of the report, the summary and `approve`. */
export function buildRecord(shot: Shot, outcome: Outcome, images: ShotImages, context: RecordContext): ShotRecord {
  const { id, page, viewport, state } = shot;
  const capture = captureOf(outcome);
  const comparison = 'before' in outcome ? outcome.before.comparison : null;
  const found = outcome.status === 'unstable' ? outcome.motion : comparison;
  const explained = found && hasChangeDescription(found) ? found : null;
  const causes = findCauses(outcome);
  const { threshold, maxDiffPixels, maxDiffPixelRatio } = shot.compare;
  const record = {
    ...{ id, page, viewport, state, project: context.project, url: withoutCredentials(shot.after.url) },
    status: outcome.status,
    flaky: false,
    unsteady: context.earlier.length > 0 || (outcome.status === 'unstable' && outcome.by !== 'time'),
    written: context.written,
    reused: false,
    ...(context.notReusable !== null && { notReusable: context.notReusable }),
    reason: null,
    attempts: context.earlier.map((earlier) => describeLoad(shot, earlier, context)),
    durationMs: context.durationMs,
    ...(context.timings && { timings: context.timings }),
    compared: comparedShareOf(outcome),
    summary: comparison && summaryOf(comparison),
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    regions: explained ? [...explained.regions] : [],
    regionPlaces: explained ? [...explained.regionPlaces] : [],
    events: explained && [...explained.contentMoves],
    shifts: explained && [...explained.shifts],
    columnShifts: explained && [...explained.columnShifts],
    ...(causes && { causes }),
    before: describeImage(images.before),
    after: describeImage(images.after),
    diff: images.diff && { link: images.diff.link, ...images.diff.size },
    capture: outcome.status === 'skipped' ? null : responseOf(shot, outcome, images.after),
    // A two-state shot has no baseline to approve.
    baseline: shot.before ? null : context.baseline,
    environment: capture && { ...capture.environment, engine: context.engine },
    ...(capture?.hidden && { hidden: [...capture.hidden] }),
    group: null,
    decision: null,
    warnings: warningsOf(outcome),
  } satisfies ShotRecord;
  return { ...record, reason: reasonFor(outcome, record) };
}

function describeLoad(shot: Shot, outcome: Outcome, context: RecordContext): ShotRecord['attempts'][number] {
  const { status, reason } = buildRecord(shot, outcome, NO_IMAGES, { ...context, earlier: [] });
  return { status, ...(reason !== null && { reason }) };
}

/** Returns the reason of an outcome. A green outcome has none, except a skipped shot. */
function reasonFor(outcome: Outcome, record: ShotRecord): string | null {
  if (outcome.status === 'error') return outcome.error.message;
  return isGreen(outcome) && outcome.status !== 'skipped' ? null : renderReason(record);
}

/** Returns the capture of an outcome; null if there is none. */
export function captureOf(outcome: Outcome): Capture | null {
  if (outcome.status === 'unstable') return outcome.result.capture;
  return 'capture' in outcome ? outcome.capture : null;
}

function comparedShareOf(outcome: Outcome): number | null {
  if ('before' in outcome) return outcome.before.compared;
  const capture = captureOf(outcome);
  return capture && ownShare(capture);
}

function warningsOf(outcome: Outcome): ShotRecord['warnings'] {
  const capture = captureOf(outcome);
  const before = 'before' in outcome && outcome.before.kind === 'live' ? outcome.before.capture.warnings : [];
  const comparison = 'before' in outcome ? outcome.before.comparison : null;
  const pages = comparison && hasChangeDescription(comparison) ? comparison.pages : undefined;
  const warnings = [
    ...(capture?.warnings ?? []),
    ...before.map((warning) => ({ ...warning, message: `before: ${warning.message}` })),
    ...(pages === undefined ? [] : [{ code: PDF_PAGES, message: pages }]),
  ];
  return warnings.map(({ code, message }) => ({ code, message: withoutCredentials(message) }));
}

function summaryOf(comparison: Comparison): ComparisonSummary {
  const { counts } = comparison;
  const aligned = hasChangeDescription(comparison) ? comparison.mismatchPixelsAfterAlignment : null;
  return { ...counts, mismatchPercentage: mismatchPercentage(counts), mismatchPixelsAfterAlignment: aligned };
}

function describeImage(image: ShotImage | null) {
  return (
    image && {
      ...{ link: image.link, ...image.size, source: withoutCredentials(image.source) },
      ...(image.sha256 !== undefined && { sha256: image.sha256 }),
    }
  );
}

function responseOf(shot: Shot, outcome: Outcome, image: ShotImage | null): NonNullable<ShotRecord['capture']> {
  const capture = captureOf(outcome);
  return {
    status: capture ? 'success' : 'error',
    fetchTime: new Date(capture?.takenAt ?? Date.now()).toISOString(),
    message: capture ? formatShotCount(capture, outcome) : outcome.status === 'error' ? outcome.error.message : '',
    url: withoutCredentials(shot.after.url),
    width: capture?.viewport.width ?? null,
    height: capture?.viewport.height ?? null,
    link: (capture && image?.link) ?? null,
  };
}

function formatShotCount({ shots }: Capture, { status }: Outcome): string {
  if (shots === 1) return 'Captured.';
  if (status === 'passed') return `The page matched after ${shots} screenshots.`;
  return status === 'unstable'
    ? `The page was not stable after ${shots} screenshots.`
    : `The page was stable after ${shots} screenshots.`;
}
