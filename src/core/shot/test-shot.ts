import { randomUUID } from 'node:crypto';
import { carryRecord, writeBaseline } from '../../baselines/baseline.js';
import { engineVersion } from '../../compare/engines/engine.js';
import { encodeMessage, MESSAGE_ATTACHMENT, type Origin } from '../../model/attachments.js';
import type { Capture } from '../../model/capture.js';
import { isExplained } from '../../model/comparison.js';
import type { BaselineRecord, Environment } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { Shot } from '../../model/shot.js';
import { renderEnvironmentNotice } from '../../report/format/environment.js';
import { buildRecord } from './build-record.js';
import { decideOutcome, environmentOf, isGreen, type Outcome, type Policy, refuseMismatch } from './decide.js';
import { clampExclusions, refuseMasked } from './excluded-areas.js';
import { type FailureHints, formatErrorContext, formatFailure } from './format-failure.js';
import { type BaselinePath, type CaptureFunctions, gatherEvidence } from './gather-evidence.js';
import { redactRecord } from './redact.js';
import { listImages, type ShotImages, type StagedAttachment, stageImages } from './stage-images.js';

/** What the test runner gives a shot to work with. */
export interface RunnerContext {
  readonly project: string;
  readonly policy: Policy & { readonly ignoreSnapshots: boolean };
  readonly baseline: BaselinePath;
  /** Where images wait until the reporter places them; absolute. */
  readonly stagingFolder: string;
  readonly headless: Environment['headless'];
  readonly origin: Origin;
  readonly hints: FailureHints;
}

/** A shot judged, in the words of a test runner. */
export interface ShotVerdict {
  readonly passed: boolean;
  /** False where another attempt could only hide what was found. */
  readonly retry: boolean;
  /** Why it did not pass; empty when it did. */
  readonly message: string;
  /** Where it differs, and how, as YAML. Never empty. */
  readonly context: string;
  /** What is to be told once a run, however many shots it is true of; null: nothing. */
  readonly notice: string | null;
  readonly attachments: readonly StagedAttachment[];
}

/**
 * Checks one shot: captures it, compares it, writes what may be written, and tells what happened.
 *
 * Never throws for what a page, a baseline or a disk can do wrong: that is a judgement too.
 */
export async function testShot(
  shot: Shot,
  captureFunctions: CaptureFunctions,
  host: RunnerContext,
): Promise<ShotVerdict> {
  const startedAt = performance.now();
  const evidence = host.policy.ignoreSnapshots
    ? ({ kind: 'ignored' } as const)
    : await gatherEvidence(shot, captureFunctions, host);
  const surroundings = { rule: shot.environment, url: shot.after.url, run: runEnvironment(shot, host) };
  const comparable = refuseMismatch(decideOutcome(evidence, host.policy, shot.strict), surroundings, host.policy);
  const decided = refuseMasked(comparable, { url: shot.after.url, minCompared: shot.minCompared }, host.policy);
  const { outcome, written } = await act(decided, shot, host);
  const images = withRecord(
    listImages(shot, outcome, { before: randomUUID(), after: randomUUID() }),
    outcome,
    shot,
    host,
  );
  const staged = await stageImages(images, host.stagingFolder);
  const built = buildRecord(shot, outcome, images, {
    project: host.project,
    durationMs: Math.round(performance.now() - startedAt),
    baseline: {
      path: host.baseline.shownPath,
      sha256: comparedHash(outcome) ?? written,
      environment: environmentOf(outcome),
    },
    environment: surroundings.run,
  });
  // All that follows is rendered from the record.
  const record = redactRecord(built, shot);
  const message = encodeMessage({
    shot: record,
    images: staged.placements,
    fingerprint: fingerprintOf(outcome),
    origin: host.origin,
  });
  return {
    passed: isGreen(outcome),
    retry: outcome.status !== 'new',
    message: isGreen(outcome) ? '' : formatFailure(record, host.hints),
    context: formatErrorContext(record),
    notice: renderEnvironmentNotice(record),
    attachments: [
      ...staged.attachments,
      { name: MESSAGE_ATTACHMENT, contentType: 'application/json', body: Buffer.from(message) },
    ],
  };
}

/**
 * Writes the baseline where the outcome says so; an outcome whose writing failed is an error.
 *
 * @returns and the hash of what was written, or null.
 */
async function act(
  outcome: Outcome,
  shot: Shot,
  host: RunnerContext,
): Promise<{ outcome: Outcome; written: string | null }> {
  if (!('write' in outcome) || !outcome.write) return { outcome, written: null };
  const { path, shownPath, writtenInRun } = host.baseline;
  try {
    if (outcome.status === 'new' && !outcome.green) writtenInRun.mark();
    const record = recordInside(shot, outcome.capture, host);
    return { outcome, written: await writeBaseline(path, outcome.capture.image.bytes, record, shownPath) };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { outcome: { status: 'error', error, capture: outcome.capture }, written: null };
  }
}

/** What can be approved is in the report as it would lie on the disk, its record inside it: approving it is copying it. */
function withRecord(images: ShotImages, outcome: Outcome, shot: Shot, host: RunnerContext): ShotImages {
  if (!images.after || shot.before || (outcome.status !== 'changed' && outcome.status !== 'new')) return images;
  const record = recordInside(shot, outcome.capture, host);
  try {
    return { ...images, after: { ...images.after, bytes: carryRecord(images.after.bytes, record, shot.after.url) } };
  } catch (error) {
    // An image without a place for its record is no baseline to be: it is shown all the same.
    if (error instanceof ProofsheetError) return images;
    throw error;
  }
}

/** What travels inside the baseline. */
function recordInside(
  shot: Shot,
  { image, masks, ignored, environment }: Capture,
  host: RunnerContext,
): BaselineRecord {
  return {
    schemaVersion: 2,
    id: shot.id,
    project: host.project,
    masks: clampExclusions(masks, image.size),
    ignored: clampExclusions(ignored, image.size),
    environment: { ...environment, ...runEnvironment(shot, host) },
  };
}

function runEnvironment(shot: Shot, { headless }: RunnerContext): Pick<Environment, 'headless' | 'engine'> {
  return { headless, engine: engineVersion(shot.compare.engine) };
}

/** What changed, where it did. */
function fingerprintOf(outcome: Outcome): string | null {
  const comparison = outcome.status === 'changed' ? outcome.before.comparison : null;
  return comparison && isExplained(comparison) ? comparison.fingerprint : null;
}

/** The hash of what the run compared with, where it did. */
function comparedHash(outcome: Outcome): string | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.sha256 : null;
}
