import { randomUUID } from 'node:crypto';
import { embedRecord, packStructure, sha256, writeBaseline } from '../baselines/index.js';
import { engineVersion } from '../compare/index.js';
import {
  adviseFileError,
  type BaselineRecord,
  type Capture,
  messageOf,
  type Origin,
  ProofsheetError,
  type Shot,
} from '../model/index.js';
import { createStopwatch } from '../page/index.js';
import type { ShotReuse } from '../reuse/index.js';
import type { BaselinePath } from './baseline-path.js';
import { buildRecord, captureOf } from './build-record.js';
import {
  decideOutcome,
  type Evidence,
  enforceEnvironmentRule,
  environmentOf,
  isGreen,
  type Outcome,
  type Policy,
  warnAboutBaseline,
} from './decide.js';
import { clampExclusions, refuseMasked } from './excluded-areas.js';
import type { FailureDetails } from './format-failure.js';
import { gatherEvidence } from './gather-evidence.js';
import type { observePage } from './observe-page.js';
import type { CaptureFunctions } from './page-session.js';
import { redactRecord } from './redact.js';
import { findReusable, isReusableLater, reasonOf, remember, testReused, verify } from './reused-shot.js';
import { listImages, NO_IMAGES, type ShotImages, type StagedImages, stageImages } from './stage-images.js';
import { fingerprintOf, formatVerdict, type ShotVerdict } from './verdict.js';

/** The part of the test runner's configuration and state that a shot depends on. */
export interface RunnerContext {
  readonly project: string;
  readonly policy: Policy & { readonly ignoreSnapshots: boolean };
  readonly baseline: BaselinePath;
  /** Absolute path of the folder for images that the reporter has not yet placed. */
  readonly stagingFolder: string;
  readonly origin: Origin;
  readonly failureDetails: FailureDetails;
  /** The earlier captures of the shot; null if the run captures every page. */
  readonly reuse: ShotReuse | null;
}

/**
 * Tests one shot, in these steps:
 *
 * 1. {@link findReusable} looks for an earlier capture with the same inputs, if the list sets `reuse`. {@link testReused} reports it
 *    again, and the next steps do not run.
 * 2. {@link gatherEvidence} captures the page and compares it with its baseline or, in a two-state shot, with the other side. It
 *    loads the page again before it reports a difference or an image that may become a baseline: {@link observePage}. With Playwright's `--ignore-snapshots`, this step is skipped.
 * 3. {@link decide} derives the outcome from the evidence: passed, changed, new, unstable, error or skipped. It writes nothing.
 * 4. {@link updateBaseline} writes the capture as the baseline if the outcome says so.
 * 5. {@link listImages} lists the before, after and diff images. {@link prepareApproval} prepares the after image for `approve`.
 * 6. {@link stage} writes these images into the staging folder, where the reporter finds them.
 * 7. {@link buildRecord} builds the record of the shot, and {@link redactRecord} removes secrets from it.
 * 8. {@link remember} stores a capture that passed with its inputs, for later runs.
 * 9. {@link formatVerdict} formats the record as the failure message, the error context, the notice and the attachments.
 *
 * Errors of the page, the baseline or the disk are outcomes of status `error`, not exceptions.
 */
export async function testShot(
  shot: Shot,
  captureFunctions: CaptureFunctions,
  runner: RunnerContext,
): Promise<ShotVerdict> {
  const startedAt = performance.now();
  const { ignoreSnapshots } = runner.policy;
  const reusable = runner.reuse && !ignoreSnapshots ? await findReusable(shot, runner.reuse, runner.baseline) : null;
  if (reusable?.kind === 'reuse') return testReused(shot, reusable, runner, startedAt);
  const stopwatch = createStopwatch();
  const evidence = ignoreSnapshots
    ? ({ kind: 'ignored' } as const)
    : await gatherEvidence(shot, captureFunctions, { ...runner, stopwatch });
  const decided = decide(evidence, shot, runner);
  const structure = packedStructureOf(decided, shot);
  const updated = updateBaseline(decided, shot, runner, structure);
  const { outcome: judged, writtenSha256 } = await stopwatch.time('write', updated);
  const earlier = evidence.kind === 'captured' ? evidence.earlier : [];
  const isStored = runner.reuse !== null && isReusableLater(judged, earlier.length);
  const inputs = isStored ? runner.reuse.readInputs() : null;
  const listed = listImages(shot, judged, { before: randomUUID(), after: randomUUID() });
  const prepared = prepareApproval(listed, judged, shot, runner, structure);
  const { outcome, images, staged } = await stopwatch.time('write', stage(prepared, judged, shot, runner));
  const baselineSha256 = comparedSha256(outcome) ?? writtenSha256;
  const built = buildRecord(shot, outcome, images, {
    project: runner.project,
    durationMs: Math.round(performance.now() - startedAt),
    timings: evidence.kind === 'ignored' ? null : stopwatch.read(),
    baseline: { path: runner.baseline.shownPath, sha256: baselineSha256, environment: environmentOf(outcome) },
    written: writtenSha256 !== null,
    engine: engineVersion(shot.compare.engine),
    earlier: earlier.map((load) => decide(load, shot, runner)),
    notReusable: reasonOf(inputs),
  });
  const record = redactRecord(verify(built, isGreen(outcome), reusable, runner.reuse), shot);
  if (runner.reuse)
    await remember(record, { inputs, reusable, baseline: writtenSha256 ?? baselineSha256 }, runner.reuse);
  return formatVerdict(record, isGreen(outcome), staged, { ...runner, fingerprint: fingerprintOf(record, outcome) });
}

/**
 * Decides the outcome of a shot. An outcome becomes an error if the baseline has another environment and the list does not
 * allow that, if `mask` and `ignore` leave too few pixels to compare, or if a `strict` shot has a warning.
 */
function decide(evidence: Evidence, shot: Shot, runner: RunnerContext): Outcome {
  const { policy } = runner;
  const { url } = shot.after;
  const check = { rule: shot.environment, url };
  const permitted = enforceEnvironmentRule(decideOutcome(evidence, policy, shot.strict), check, policy);
  const judged = refuseMasked(permitted, { url, minCompared: shot.minCompared }, policy);
  return warnAboutBaseline(judged, shot.strict);
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
  structure: Buffer | null,
): Promise<{ outcome: Outcome; writtenSha256: string | null }> {
  if (!('write' in outcome) || !outcome.write) return { outcome, writtenSha256: null };
  const { path, shownPath, writtenInRun } = runner.baseline;
  try {
    if (outcome.status === 'new' && !outcome.green) writtenInRun.mark();
    const record = baselineRecordOf(shot, outcome.capture, runner);
    const { image } = outcome.capture;
    const bytes = embedRecord(image.bytes, record, shownPath, structure);
    return { outcome, writtenSha256: await writeBaseline(path, bytes, shownPath) };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { outcome: { status: 'error', error, capture: outcome.capture }, writtenSha256: null };
  }
}

/** Embeds the baseline record and the structure into an after image that can be approved: `approve` needs no other file. */
function prepareApproval(
  images: ShotImages,
  outcome: Outcome,
  shot: Shot,
  runner: RunnerContext,
  structure: Buffer | null,
): ShotImages {
  if (!images.after || shot.before || (outcome.status !== 'changed' && outcome.status !== 'new')) return images;
  const record = baselineRecordOf(shot, outcome.capture, runner);
  try {
    const bytes = embedRecord(images.after.bytes, record, shot.after.url, structure);
    return { ...images, after: { ...images.after, bytes, sha256: sha256(bytes) } };
  } catch (error) {
    // An image that cannot hold a record cannot become a baseline, but the report still shows it.
    if (error instanceof ProofsheetError) return images;
    throw error;
  }
}

/** Writes the images into the staging folder. If writing fails, the outcome becomes an error without images. */
async function stage(
  images: ShotImages,
  outcome: Outcome,
  { after: { url } }: Shot,
  { stagingFolder }: RunnerContext,
): Promise<{ outcome: Outcome; images: ShotImages; staged: StagedImages }> {
  try {
    return { outcome, images, staged: await stageImages(images, stagingFolder) };
  } catch (cause) {
    const error = new ProofsheetError({
      code: 'report-unwritable',
      where: url,
      found: `the images of the shot cannot be written (${messageOf(cause)})`,
      advice: `${adviseFileError(cause)}, or set outputDir of Playwright to another one.`,
    });
    const none = { images: NO_IMAGES, staged: { attachments: [], placements: [] } };
    // The first error of a shot is its reason.
    return {
      ...none,
      outcome: outcome.status === 'error' ? outcome : { status: 'error', error, capture: captureOf(outcome) },
    };
  }
}

/** Compresses the structure of a capture that becomes the baseline, now or by approval; null for all others, and without a structure. */
function packedStructureOf(outcome: Outcome, { before }: Shot): Buffer | null {
  if (before || !('write' in outcome) || (outcome.status === 'passed' && !outcome.write)) return null;
  const { structure } = outcome.capture;
  return structure && packStructure(structure.structure);
}

/** Returns the record that is stored inside the baseline file. */
function baselineRecordOf(
  shot: Shot,
  { image, masks, ignored, environment, hidden }: Capture,
  runner: RunnerContext,
): BaselineRecord {
  return {
    schemaVersion: 2,
    id: shot.id,
    project: runner.project,
    masks: clampExclusions(masks, image.size),
    ignored: clampExclusions(ignored, image.size),
    environment: { ...environment, engine: engineVersion(shot.compare.engine) },
    ...(hidden && { hidden: [...hidden] }),
  };
}

/** Returns the hash of the baseline file that the capture was compared with; null if there was none. */
function comparedSha256(outcome: Outcome): string | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.sha256 : null;
}
