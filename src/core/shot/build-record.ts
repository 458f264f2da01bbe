import type { Capture } from '../../model/capture.js';
import { type Comparison, isExplained, mismatchPercentage } from '../../model/comparison.js';
import type { Environment } from '../../model/environment.js';
import { type CaptureResponse, type ComparisonSummary, PDF_PAGES, type ShotRecord } from '../../model/run-record.js';
import type { Shot } from '../../model/shot.js';
import { withoutCredentials } from '../../model/words.js';
import { renderReason } from '../../report/format/reason.js';
import { isGreen, type Outcome } from './decide.js';
import { ownShare } from './excluded-areas.js';
import type { ShotImage, ShotImages } from './stage-images.js';

/** What is to be told of a shot besides its outcome. */
export interface Circumstances {
  readonly project: string;
  readonly durationMs: number;
  readonly baseline: NonNullable<ShotRecord['baseline']>;
  readonly environment: Pick<Environment, 'headless' | 'engine'>;
}

/** Builds the record of a shot: all that the report, the summary and `approve` will ever know of it. */
export function buildRecord(shot: Shot, outcome: Outcome, images: ShotImages, around: Circumstances): ShotRecord {
  const { id, page, viewport, state } = shot;
  const capture = captureOf(outcome);
  const comparison = 'before' in outcome ? outcome.before.comparison : null;
  const found = outcome.status === 'unstable' ? outcome.motion : comparison;
  const explained = found && isExplained(found) ? found : null;
  const { threshold, maxDiffPixels, maxDiffPixelRatio } = shot.compare;
  const told = {
    ...{ id, page, viewport, state, project: around.project, url: withoutCredentials(shot.after.url) },
    status: outcome.status,
    flaky: false,
    written: 'write' in outcome && outcome.write,
    reason: null,
    attempts: [],
    durationMs: around.durationMs,
    compared: comparedShareOf(outcome),
    summary: comparison && summaryOf(comparison),
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    regions: explained ? [...explained.regions] : [],
    shifts: explained && [...explained.shifts],
    columnShifts: explained && [...explained.columnShifts],
    before: linked(images.before),
    after: linked(images.after),
    diff: images.diff && { link: images.diff.link, ...images.diff.size },
    capture: outcome.status === 'skipped' ? null : responseOf(shot, outcome, images.after),
    // A two-state shot has no baseline to be approved.
    baseline: shot.before ? null : around.baseline,
    environment: capture && { ...capture.environment, ...around.environment },
    group: null,
    decision: null,
    warnings: warningsOf(outcome),
  } satisfies ShotRecord;
  return { ...told, reason: reasonFor(outcome, told) };
}

/** What is green needs no reason, but for what nobody looked at. */
function reasonFor(outcome: Outcome, told: ShotRecord): string | null {
  if (outcome.status === 'error') return outcome.error.message;
  return isGreen(outcome) && outcome.status !== 'skipped' ? null : renderReason(told);
}

function captureOf(outcome: Outcome): Capture | null {
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
  const pages = comparison && isExplained(comparison) ? comparison.pages : undefined;
  const told = [
    ...(capture?.warnings ?? []),
    ...before.map((warning) => ({ ...warning, message: `before: ${warning.message}` })),
    ...(pages === undefined ? [] : [{ code: PDF_PAGES, message: pages }]),
  ];
  return told.map(({ code, message }) => ({ code, message: withoutCredentials(message) }));
}

function summaryOf(comparison: Comparison): ComparisonSummary {
  const { counts } = comparison;
  const aligned = isExplained(comparison) ? comparison.mismatchPixelsAfterAlignment : null;
  return { ...counts, mismatchPercentage: mismatchPercentage(counts), mismatchPixelsAfterAlignment: aligned };
}

function linked(image: ShotImage | null) {
  return image && { link: image.link, ...image.size, source: withoutCredentials(image.source) };
}

function responseOf(shot: Shot, outcome: Outcome, image: ShotImage | null): CaptureResponse {
  const capture = captureOf(outcome);
  return {
    status: capture ? 'success' : 'error',
    fetchTime: new Date(capture?.takenAt ?? Date.now()).toISOString(),
    message: capture ? tellShots(capture, outcome) : outcome.status === 'error' ? outcome.error.message : '',
    url: withoutCredentials(shot.after.url),
    width: capture?.viewport.width ?? null,
    height: capture?.viewport.height ?? null,
    link: image?.link ?? null,
  };
}

function tellShots({ shots }: Capture, { status }: Outcome): string {
  if (shots === 1) return 'Captured.';
  if (status === 'passed') return `Captured, matched after ${shots} shots.`;
  return status === 'unstable'
    ? `Captured, not settled after ${shots} shots.`
    : `Captured, settled after ${shots} shots.`;
}
