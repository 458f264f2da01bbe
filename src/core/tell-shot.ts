import { type Comparison, mismatchPercentage } from '../model/comparison.js';
import type { Environment } from '../model/environment.js';
import { renderProblem } from '../model/errors.js';
import type { Shot } from '../model/plan.js';
import type { CaptureResponse, ComparisonSummary, ShotRecord } from '../model/record.js';
import { renderReason } from '../report/reason.js';
import type { BaselinePath } from './gather-evidence.js';
import { isGreen, type Outcome } from './outcome.js';
import type { ShotImage, ShotImages, StagedAttachment } from './stage-images.js';

/** What is to be told of a shot besides its outcome. */
export interface Circumstances {
  readonly project: string;
  readonly durationMs: number;
  readonly baseline: { readonly path: string; readonly sha256: string | null };
  readonly environment: Pick<Environment, 'headless' | 'engine'>;
}

/** Builds the record of a shot: all that the report, the summary and `approve` will ever know of it. */
export function buildRecord(shot: Shot, outcome: Outcome, images: ShotImages, around: Circumstances): ShotRecord {
  const { id, page, viewport, state } = shot;
  const capture = captureOf(outcome);
  const comparison = 'before' in outcome ? outcome.before.comparison : null;
  const moved = outcome.status === 'unstable' ? outcome.motion : comparison;
  const { threshold, maxDiffPixels, maxDiffPixelRatio } = shot.compare;
  const told = {
    ...{ id, page, viewport, state, project: around.project, url: shot.after.url },
    status: outcome.status,
    flaky: false,
    written: 'write' in outcome && outcome.write,
    reason: null,
    attempts: [],
    durationMs: around.durationMs,
    summary: comparison && summaryOf(comparison),
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    regions: moved?.kind === 'different' ? [...moved.regions] : [],
    shifts: null,
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
  if (outcome.status === 'error') return renderProblem(outcome.error.problem);
  return isGreen(outcome) && outcome.status !== 'skipped' ? null : renderReason(told);
}

/** Renders what the test fails with: what happened, where to look, what to do. */
export function renderFailure(
  record: ShotRecord,
  { path }: BaselinePath,
  attachments: readonly StagedAttachment[],
): string {
  const lines = [`${record.id}: ${record.status}: ${record.reason ?? ''}`, '', `  page      ${record.url}`];
  if (record.baseline) lines.push(`  baseline  ${path}`);
  for (const attachment of attachments) {
    if (attachment.path) lines.push(`  ${roleOf(attachment.name).padEnd(9)} ${attachment.path}`);
  }
  const advice = adviceFor(record);
  return [...lines, ...(advice ? ['', `  ${advice}`] : [])].join('\n');
}

function adviceFor(record: ShotRecord): string | null {
  if (!record.baseline)
    return record.status === 'changed' ? 'This is a two-state shot: it has no baseline to update.' : null;
  const command = 'npx playwright test --update-snapshots';
  switch (record.status) {
    case 'changed':
      return `If this is how the page should look: ${command}`;
    case 'new':
      return record.written ? 'Look at it, and run again.' : `To take it as the baseline: ${command}`;
    case 'unstable':
      return 'Hide what moves with `hide`, or wait for it with `delay`.';
    case 'error':
    case 'passed':
    case 'skipped':
      return null;
    default:
      return record.status satisfies never;
  }
}

function roleOf(attachment: string): string {
  const role = /-(expected|actual|diff|previous)\.\w+$/.exec(attachment)?.[1];
  return role === 'expected' ? 'before' : role === 'actual' ? 'after' : (role ?? '');
}

function captureOf(outcome: Outcome) {
  if (outcome.status === 'unstable') return outcome.result.capture;
  return 'capture' in outcome ? outcome.capture : null;
}

function warningsOf(outcome: Outcome): ShotRecord['warnings'] {
  const capture = captureOf(outcome);
  const before = 'before' in outcome && outcome.before.kind === 'live' ? outcome.before.capture.warnings : [];
  const told = [
    ...(capture?.warnings ?? []),
    ...before.map(({ code, message }) => ({ code, message: `before: ${message}` })),
  ];
  if (capture && outcome.status === 'passed' && capture.shots > 1 && outcome.before.comparison.kind === 'equal') {
    told.push({ code: 'matched-late', message: `matched after ${capture.shots} shots` });
  }
  return told;
}

function summaryOf(comparison: Comparison): ComparisonSummary {
  const { counts } = comparison;
  return { ...counts, mismatchPercentage: mismatchPercentage(counts), mismatchPixelsAfterAlignment: null };
}

function linked(image: ShotImage | null) {
  return image && { link: image.link, ...image.size, source: image.source };
}

function responseOf(shot: Shot, outcome: Outcome, image: ShotImage | null): CaptureResponse {
  const capture = captureOf(outcome);
  const message = outcome.status === 'error' ? renderProblem(outcome.error.problem) : 'Captured.';
  return {
    status: capture ? 'success' : 'error',
    fetchTime: new Date(capture?.takenAt ?? Date.now()).toISOString(),
    message: capture ? 'Captured.' : message,
    url: shot.after.url,
    width: capture?.viewport.width ?? null,
    height: capture?.viewport.height ?? null,
    link: image?.link ?? null,
  };
}
