import { randomUUID } from 'node:crypto';
import { embedRecord, writeBaseline } from '../../baselines/baseline.js';
import { createStopwatch } from '../../browser/timing.js';
import { engineVersion } from '../../compare/engines/engine.js';
import { encodeMessage, MESSAGE_ATTACHMENT, type Origin } from '../../model/attachments.js';
import type { Capture } from '../../model/capture.js';
import { hasChangeDescription } from '../../model/comparison.js';
import type { BaselineRecord } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { ShotRecord } from '../../model/run-record.js';
import type { Shot } from '../../model/shot.js';
import { renderEnvironmentNotice } from '../../report/format/environment.js';
import type { BaselinePath } from './baseline-path.js';
import { buildRecord } from './build-record.js';
import {
  decideOutcome,
  type Evidence,
  enforceEnvironmentRule,
  environmentOf,
  isGreen,
  type Outcome,
  type Policy,
} from './decide.js';
import { clampExclusions, refuseMasked } from './excluded-areas.js';
import { type FailureDetails, formatErrorContext, formatFailure } from './format-failure.js';
import { gatherEvidence } from './gather-evidence.js';
import type { observePage } from './observe-page.js';
import type { CaptureFunctions } from './page-session.js';
import { redactRecord } from './redact.js';
import { listImages, type ShotImages, type StagedAttachment, stageImages } from './stage-images.js';

/** The part of the test runner's configuration and state that a shot depends on. */
export interface RunnerContext {
  readonly project: string;
  readonly policy: Policy & { readonly ignoreSnapshots: boolean };
  readonly baseline: BaselinePath;
  /** Absolute path of the folder for images that the reporter has not yet placed. */
  readonly stagingFolder: string;
  readonly origin: Origin;
  readonly failureDetails: FailureDetails;
}

/** The result of a shot, in the form that a test runner reports. */
export interface ShotVerdict {
  readonly passed: boolean;
  /** False for a missing baseline: another attempt would pass, because it would find the baseline that this one wrote. */
  readonly retry: boolean;
  /** Why the shot did not pass; empty if it passed. */
  readonly message: string;
  /** Where and how the images differ, as YAML. Never empty. */
  readonly context: string;
  /** A notice to print once per run, even if several shots return it; null if there is none. */
  readonly notice: string | null;
  readonly attachments: readonly StagedAttachment[];
}

/**
 * Tests one shot, in these steps:
 *
 * 1. {@link gatherEvidence} captures the page and compares it with its baseline or, in a two-state shot, with the other side. It
 *    loads the page again before it reports a difference or an image that may become a baseline: {@link observePage}. With Playwright's `--ignore-snapshots`, this step is skipped.
 * 2. {@link decide} derives the outcome from the evidence: passed, changed, new, unstable, error or skipped. It writes nothing.
 * 3. {@link updateBaseline} writes the capture as the baseline if the outcome says so.
 * 4. {@link listImages} lists the before, after and diff images. {@link prepareApproval} prepares the after image for `approve`.
 * 5. {@link stageImages} writes these images into the staging folder, where the reporter finds them.
 * 6. {@link buildRecord} builds the record of the shot, and {@link redactRecord} removes secrets from it.
 * 7. {@link formatVerdict} formats the record as the failure message, the error context, the notice and the attachments.
 *
 * Errors of the page, the baseline or the disk are outcomes of status `error`, not exceptions.
 */
export async function testShot(
  shot: Shot,
  captureFunctions: CaptureFunctions,
  runner: RunnerContext,
): Promise<ShotVerdict> {
  const startedAt = performance.now();
  const stopwatch = createStopwatch();
  const evidence = runner.policy.ignoreSnapshots
    ? ({ kind: 'ignored' } as const)
    : await gatherEvidence(shot, captureFunctions, { ...runner, stopwatch });
  const updated = updateBaseline(decide(evidence, shot, runner), shot, runner);
  const { outcome, writtenSha256 } = await stopwatch.time('write', updated);
  const listed = listImages(shot, outcome, { before: randomUUID(), after: randomUUID() });
  const images = prepareApproval(listed, outcome, shot, runner);
  const staged = await stopwatch.time('write', stageImages(images, runner.stagingFolder));
  const record = buildRecord(shot, outcome, images, {
    project: runner.project,
    durationMs: Math.round(performance.now() - startedAt),
    timings: evidence.kind === 'ignored' ? null : stopwatch.read(),
    baseline: {
      path: runner.baseline.shownPath,
      sha256: comparedSha256(outcome) ?? writtenSha256,
      environment: environmentOf(outcome),
    },
    engine: engineVersion(shot.compare.engine),
    earlier: evidence.kind === 'captured' ? evidence.earlier.map((load) => decide(load, shot, runner)) : [],
  });
  return formatVerdict(redactRecord(record, shot), outcome, staged, runner);
}

/**
 * Decides the outcome of a shot. An outcome becomes an error if the baseline has another environment and the list does not
 * allow that, or if `mask` and `ignore` leave too few pixels to compare.
 */
function decide(evidence: Evidence, shot: Shot, runner: RunnerContext): Outcome {
  const { policy } = runner;
  const { url } = shot.after;
  const check = { rule: shot.environment, url };
  const permitted = enforceEnvironmentRule(decideOutcome(evidence, policy, shot.strict), check, policy);
  return refuseMasked(permitted, { url, minCompared: shot.minCompared }, policy);
}

/**
 * Writes the baseline if the outcome says so. If writing fails, the outcome becomes an error.
 *
 * @returns the outcome, and the hash of the written file or null.
 */
async function updateBaseline(
  outcome: Outcome,
  shot: Shot,
  runner: RunnerContext,
): Promise<{ outcome: Outcome; writtenSha256: string | null }> {
  if (!('write' in outcome) || !outcome.write) return { outcome, writtenSha256: null };
  const { path, shownPath, writtenInRun } = runner.baseline;
  try {
    if (outcome.status === 'new' && !outcome.green) writtenInRun.mark();
    const record = baselineRecordOf(shot, outcome.capture, runner);
    return { outcome, writtenSha256: await writeBaseline(path, outcome.capture.image.bytes, record, shownPath) };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { outcome: { status: 'error', error, capture: outcome.capture }, writtenSha256: null };
  }
}

/** Embeds the baseline record into an after image that can be approved, so that `approve` only copies the file. */
function prepareApproval(images: ShotImages, outcome: Outcome, shot: Shot, runner: RunnerContext): ShotImages {
  if (!images.after || shot.before || (outcome.status !== 'changed' && outcome.status !== 'new')) return images;
  const record = baselineRecordOf(shot, outcome.capture, runner);
  try {
    return { ...images, after: { ...images.after, bytes: embedRecord(images.after.bytes, record, shot.after.url) } };
  } catch (error) {
    // An image that cannot hold a record cannot become a baseline, but the report still shows it.
    if (error instanceof ProofsheetError) return images;
    throw error;
  }
}

/** Formats a redacted record. All texts and the attached message come from the record, so none contains a secret. */
function formatVerdict(
  record: ShotRecord,
  outcome: Outcome,
  staged: Awaited<ReturnType<typeof stageImages>>,
  { origin, failureDetails }: RunnerContext,
): ShotVerdict {
  const message = encodeMessage({
    shot: record,
    images: staged.placements,
    fingerprint: fingerprintOf(outcome),
    origin,
  });
  return {
    passed: isGreen(outcome),
    retry: outcome.status !== 'new',
    message: isGreen(outcome) ? '' : formatFailure(record, failureDetails),
    context: formatErrorContext(record),
    notice: renderEnvironmentNotice(record),
    attachments: [
      ...staged.attachments,
      { name: MESSAGE_ATTACHMENT, contentType: 'application/json', body: Buffer.from(message) },
    ],
  };
}

/** Returns the record that is stored inside the baseline file. */
function baselineRecordOf(
  shot: Shot,
  { image, masks, ignored, environment, time }: Capture,
  runner: RunnerContext,
): BaselineRecord {
  return {
    schemaVersion: 2,
    id: shot.id,
    project: runner.project,
    masks: clampExclusions(masks, image.size),
    ignored: clampExclusions(ignored, image.size),
    environment: { ...environment, engine: engineVersion(shot.compare.engine) },
    ...(time === 'controlled' && { time }),
  };
}

/** Returns a hash of what changed; null if the shot did not change or the change has no hash. */
function fingerprintOf(outcome: Outcome): string | null {
  const comparison = outcome.status === 'changed' ? outcome.before.comparison : null;
  return comparison && hasChangeDescription(comparison) ? comparison.fingerprint : null;
}

/** Returns the hash of the baseline file that the capture was compared with; null if there was none. */
function comparedSha256(outcome: Outcome): string | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.sha256 : null;
}
