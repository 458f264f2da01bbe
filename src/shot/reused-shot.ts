import {
  AFFECTED_ATTACHMENT,
  type AffectedShot,
  type Capture,
  messageOf,
  type Shot,
  withoutCredentials,
} from '../model/index.js';
import type { ShotReuse, StoredCapture } from '../reuse/index.js';
import type { BaselinePath } from './claim-baseline.js';
import { baselineOf, captureOf, type Outcome } from './decide.js';
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

/** What a record says of `reuse`, if there is something to say. */
export interface ReuseNotes {
  /** Why later runs must capture the page. */
  readonly notReusable?: string;
  /** That the shot did not pass although a run would have reused an earlier capture that passed. */
  readonly missed?: string;
}

/**
 * Stores a capture for later runs if it may stand for them: it passed or became the baseline, and all loads of the page agreed. Removes those
 * that can no longer be trusted. The cache never fails a shot.
 *
 * @param written - hash of the baseline that the run wrote
 * @param isSteady - all loads of the page agreed
 */
export async function remember(
  outcome: Outcome,
  findings: StoredCapture['findings'],
  { written, isSteady }: { readonly written: string | null; readonly isSteady: boolean },
  reuse: ShotReuse | null,
): Promise<ReuseNotes> {
  if (!reuse) return {};
  const { status } = outcome;
  const isUpdated = written !== null && (status === 'new' || status === 'changed');
  const capture = isSteady && (status === 'passed' || isUpdated) ? captureOf(outcome) : null;
  const inputs = capture && reuse.readInputs();
  const hash = written ?? baselineOf(outcome)?.sha256 ?? null;
  const stored = capture && toStored(capture, findings, written !== null);
  const work = inputs && stored && hash !== null ? reuse.store(inputs, hash, stored) : reuse.removeVerified();
  await work.catch(messageOf);
  if (typeof inputs === 'string') return { notReusable: inputs };
  const missed = reuse.verifiedSince();
  if (missed === null || status === 'passed' || isUpdated) return {};
  const since = `no file of the page has changed since its capture of ${missed} passed`;
  return { missed: `${since}, so \`reuse\` would have missed this` };
}

/** Returns what later runs report of a capture: that of a shot that passed. A capture that became the baseline equals it. */
function toStored(
  { takenAt, viewport: { width, height }, image: { size } }: Capture,
  findings: StoredCapture['findings'],
  isBaseline: boolean,
): StoredCapture {
  const equal = {
    ...{ mismatchPixels: 0, mismatchPercentage: 0, totalPixels: size.width * size.height, sameDimensions: true },
    ...{ antialiasedPixels: 0, mismatchPixelsAfterAlignment: null },
  };
  return {
    capture: { fetchTime: new Date(takenAt).toISOString(), width, height },
    findings: isBaseline || findings.summary === null ? { ...findings, summary: equal } : findings,
  };
}
