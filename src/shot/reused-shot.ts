import {
  AFFECTED_ATTACHMENT,
  type AffectedShot,
  messageOf,
  type Shot,
  type ShotRecord,
  withoutCredentials,
} from '../model/index.js';
import type { ShotReuse, StoredCapture } from '../reuse/index.js';
import type { BaselinePath } from './claim-baseline.js';
import { readComparable } from './observe.js';
import type { Redact } from './redact.js';

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

/**
 * Stores a capture for later runs if it may stand for them: it passed or became the baseline, and all loads of the page agreed. Removes those
 * that can no longer be trusted. The cache never fails a shot.
 *
 * @param written - hash of the baseline that the run wrote
 * @returns the record, with why later runs must capture the page, or why a verified shot that did not pass is alarming
 */
export async function remember(
  record: ShotRecord,
  written: string | null,
  reuse: ShotReuse | null,
  redact: Redact,
): Promise<ShotRecord> {
  if (!reuse) return record;
  const { status, reused, unsteady, baseline } = record;
  const isUpdated = written !== null && (status === 'new' || status === 'changed');
  const inputs = !reused && !unsteady && (status === 'passed' || isUpdated) ? reuse.readInputs() : null;
  const hash = written ?? baseline?.sha256 ?? null;
  const stored = inputs && toStored(record);
  const work = stored && hash !== null ? reuse.store(inputs, hash, stored) : reuse.removeVerified();
  await work.catch(messageOf);
  if (typeof inputs === 'string') return { ...record, notReusable: redact(inputs) };
  const missed = reuse.verifiedSince();
  if (missed === null || status === 'passed' || isUpdated) return record;
  const message = `no file of the page has changed since its capture of ${missed} passed, so \`reuse\` would have missed this`;
  return {
    ...record,
    reason: record.reason === null ? message : `${record.reason}; ${message}`,
    warnings: [...record.warnings, { code: 'reuse-incomplete', message }],
  };
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
