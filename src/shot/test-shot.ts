import { embedRecord, packStructure, writeBaseline } from '../baselines/index.js';
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
import type { BaselinePath } from './claim-baseline.js';
import { captureOf, decide, nextBaseline, type Outcome, type Policy } from './decide.js';
import { clampExclusions } from './excluded-areas.js';
import type { FailureDetails } from './failure-details.js';
import { describeFindings } from './findings.js';
import { formatResult, type ShotResult } from './format-result.js';
import { listImages, NO_IMAGES, type ShotImages, writeImages } from './images.js';
import { observe } from './observe.js';
import type { ShotPages } from './page-session.js';
import { buildRecord } from './record.js';
import { redactorOf } from './redact.js';
import { remember } from './reused-shot.js';

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
 * 1. {@link observe} looks for an earlier capture with the same files, loads the page until its state is certain, and compares it with its
 *    baseline or, in a two-state shot, with the other side. A story may set fields of its shot.
 * 2. {@link decide} derives the outcome: passed, changed, new, unstable, error, reused or skipped. It writes nothing.
 * 3. {@link writeNextBaseline} puts the record and the structure of the page into the image, and writes it as the baseline if the outcome
 *    says so.
 * 4. {@link stage} writes the before, after and diff images into the staging folder, where the reporter finds them.
 * 5. {@link remember} stores a capture that passed with its inputs, for later runs with `reuse`.
 * 6. {@link buildRecord} builds the record of the shot, without secrets.
 * 7. {@link formatResult} formats the record as the failure message, the error context, the notice and the attachments.
 *
 * Errors of the page, the baseline or the disk are outcomes of status `error`, not exceptions.
 *
 * @param given - the shot without what its story sets
 */
export async function testShot(given: Shot, pages: ShotPages, runner: RunnerContext): Promise<ShotResult> {
  const startedAt = performance.now();
  const stopwatch = createStopwatch();
  const redact = redactorOf([given.after, given.before], given.capture.actions);
  const { compare, observation } = await observe(given, pages, { ...runner, stopwatch, redact });
  const shot = { ...given, compare };
  const decided = decide(shot.verdict, observation, runner.policy);
  const written = await stopwatch.time('write', writeNextBaseline(decided, shot, runner));
  const { outcome, images } = await stopwatch.time('write', stage(written, shot, runner));
  const differing = observation.status === 'captured' ? observation.differing : [];
  const isSteady = differing.length === 0;
  const findings = describeFindings(outcome, compare, redact);
  const notes = await remember(outcome, findings, { written: written.sha256, isSteady }, runner.reuse);
  const record = buildRecord(shot, outcome, images, {
    project: runner.project,
    durationMs: Math.round(performance.now() - startedAt),
    timings: stopwatch.read(),
    path: runner.baseline.shownPath,
    written: written.sha256,
    differing: differing.map((load) => decide(shot.verdict, load, runner.policy)),
    ...{ notes, redact },
  });
  return formatResult(record, outcome, images, runner);
}

interface Written {
  readonly outcome: Outcome;
  /** The image with its record and the structure of the page; null if it cannot become the baseline, now or by approval. */
  readonly approvable: Buffer | null;
  /** Hash of the baseline that was written; null if none was. */
  readonly sha256: string | null;
}

/** Writes the baseline if the outcome says so. If writing fails, the outcome becomes an error. */
async function writeNextBaseline(outcome: Outcome, shot: Shot, runner: RunnerContext): Promise<Written> {
  const capture = nextBaseline(outcome);
  if (!capture || !('write' in outcome)) return { outcome, approvable: null, sha256: null };
  const { path, shownPath, writtenInRun } = runner.baseline;
  try {
    // The retry of a failed test must not compare with a baseline that this attempt wrote.
    if (outcome.write && outcome.status === 'new' && !outcome.green) writtenInRun.mark();
    const structure = capture.structure && packStructure(capture.structure.structure);
    const approvable = embedRecord(capture.image.bytes, baselineRecordOf(shot, capture, runner), shownPath, structure);
    return { outcome, approvable, sha256: outcome.write ? await writeBaseline(path, approvable, shownPath) : null };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    // An image that cannot hold a record cannot become a baseline, but the report still shows it.
    return { outcome: outcome.write ? failWith(error, outcome) : outcome, approvable: null, sha256: null };
  }
}

/** Writes the images into the staging folder. If writing fails, the outcome becomes an error without images. */
async function stage(
  { outcome, approvable }: Written,
  shot: Shot,
  runner: RunnerContext,
): Promise<{ outcome: Outcome; images: ShotImages }> {
  const { imageName, capture, after } = shot;
  const images = listImages(outcome, { imageName, format: capture.format, url: after.url }, runner, approvable);
  try {
    await writeImages(images);
    return { outcome, images };
  } catch (cause) {
    const error = new ProofsheetError({
      code: 'report-unwritable',
      where: after.url,
      found: `the images of the shot cannot be written (${messageOf(cause)})`,
      advice: `${adviseFileError(cause)}, or set outputDir of Playwright to another one.`,
    });
    // The first error of a shot is its reason.
    return { outcome: outcome.status === 'error' ? outcome : failWith(error, outcome), images: NO_IMAGES };
  }
}

function failWith(error: ProofsheetError, outcome: Outcome): Outcome {
  return { status: 'error', problem: { kind: 'failed', error }, capture: captureOf(outcome) };
}

function baselineRecordOf(
  shot: Shot,
  { image, masks, ignored, environment, hidden, texts, rendered, missingResponses }: Capture,
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
    ...(missingResponses.length > 0 && { missing: [...missingResponses] }),
    ...(texts && { texts: [...texts] }),
    ...(rendered && { rendered: rendered.hashes }),
  };
}
