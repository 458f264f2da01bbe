import {
  AFFECTED_ATTACHMENT,
  type AffectedShot,
  messageOf,
  type Shot,
  type ShotRecord,
  withoutCredentials,
} from '../model/index.js';
import type { PageInputs, ShotReuse, StoredCapture } from '../reuse/index.js';
import type { BaselinePath } from './baseline-path.js';
import { isGreen, type Observation, type Outcome } from './decide.js';
import { readComparable } from './observe.js';

/** Returns the attachment that says what a run would do with a shot, for `proofsheet affected`. */
export async function describeAffected(
  shot: Shot,
  { project, baseline, reuse }: { project: string; baseline: BaselinePath; reuse: ShotReuse | null },
): Promise<{ name: string; contentType: string; body: Buffer }> {
  const why = await whyCaptured(shot, baseline, reuse);
  const url = withoutCredentials(shot.after.url);
  const affected: AffectedShot = { id: shot.id, project, url, captured: why !== null, why };
  return { name: AFFECTED_ATTACHMENT, contentType: 'application/json', body: Buffer.from(JSON.stringify(affected)) };
}

async function whyCaptured(shot: Shot, path: BaselinePath, reuse: ShotReuse | null): Promise<string | null> {
  if (!reuse) return 'each repeat captures it';
  const baseline = await readComparable(shot, path);
  if (baseline.kind !== 'image') return 'it has no baseline';
  const decision = reuse.decide(baseline.sha256);
  return typeof decision === 'string' ? decision : null;
}

/** What a capture means for later runs with `reuse`. */
export interface LaterRuns {
  /** The inputs of the page, or why they are not known; null if the capture cannot stand for later ones, or without `reuse`. */
  readonly inputs: PageInputs | null;
  /** The day of the earlier capture that this run would have reused if it had not verified it, although the shot does not pass. */
  readonly missed: string | null;
}

/** Judges whether a capture may stand for later ones: it passed or became the baseline, and all loads of the page agreed. */
export function judgeLaterRuns(observation: Observation, outcome: Outcome, reuse: ShotReuse | null): LaterRuns {
  const isAgreed = observation.status === 'captured' && observation.differing.length === 0;
  const isStored = isAgreed && (outcome.status === 'passed' || ('write' in outcome && outcome.write));
  return {
    inputs: isStored && reuse ? reuse.readInputs() : null,
    missed: isGreen(outcome) ? null : (reuse?.verifiedSince() ?? null),
  };
}

/**
 * Stores a capture for later runs, or removes those that can no longer be trusted. The cache never fails a shot.
 *
 * @param written - hash of the baseline that the run wrote
 */
export async function remember(
  record: ShotRecord,
  { inputs }: LaterRuns,
  written: string | null,
  reuse: ShotReuse | null,
): Promise<void> {
  if (!reuse) return;
  const baseline = written ?? record.baseline?.sha256 ?? null;
  const stored = inputs && toStored(record);
  const work = stored && baseline !== null ? reuse.store(inputs, baseline, stored) : reuse.removeVerified();
  await work.catch(messageOf);
}

/** Returns what later runs report of a capture: that of a shot that passed. A capture that became the baseline equals it. */
function toStored(record: ShotRecord): StoredCapture | null {
  const { capture, after, limits, compared, summary, written, environment, hidden, warnings } = record;
  if (!capture || !after) return null;
  const equal = {
    ...{ mismatchPixels: 0, mismatchPercentage: 0, totalPixels: after.width * after.height, sameDimensions: true },
    ...{ antialiasedPixels: 0, mismatchPixelsAfterAlignment: null },
  };
  const { fetchTime, width, height } = capture;
  return {
    capture: { fetchTime, width, height },
    findings: {
      ...{ limits, compared, environment, warnings, ...(hidden && { hidden }) },
      summary: written || summary === null ? equal : summary,
    },
  };
}
