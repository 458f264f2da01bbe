import { type Baseline, readBaseline } from '../baselines/index.js';
import {
  AFFECTED_ATTACHMENT,
  type AffectedShot,
  messageOf,
  type Shot,
  type ShotRecord,
  withoutCredentials,
} from '../model/index.js';
import type { PageInputs, ReuseDecision, ShotReuse, StoredCapture } from '../reuse/index.js';
import type { BaselinePath } from './baseline-path.js';
import { isGreen, type Observation, type Outcome, type Reused } from './decide.js';

/** Whether a shot is captured. For a shot that is not, also its baseline: the image of its page. */
export type ReuseOrBaseline =
  | Exclude<ReuseDecision, { kind: 'reuse' }>
  | ({ readonly kind: 'reuse' } & Pick<Reused, 'stored' | 'baseline'>);

/** Reads the baseline that a shot is compared with. An earlier attempt of this run may have written one because it was missing. */
export async function readComparable(
  { before, capture }: Shot,
  { path, shownPath, writtenInRun }: BaselinePath,
): Promise<Baseline> {
  return before || writtenInRun.isKnown() ? { kind: 'missing' } : readBaseline(path, capture.format, shownPath);
}

/** Looks for an earlier capture of the page with the files of now. In doubt, the page is captured. */
export async function decideReuse(baseline: Baseline, reuse: ShotReuse): Promise<ReuseOrBaseline> {
  if (baseline.kind !== 'image') return { kind: 'capture', why: 'it has no baseline' };
  const decision = await reuse.decide(baseline.sha256);
  return decision.kind === 'reuse' ? { ...decision, baseline } : decision;
}

/** Returns the attachment that says what a run would do with a shot, for `proofsheet affected`. */
export async function describeAffected(
  shot: Shot,
  { project, baseline, reuse }: { project: string; baseline: BaselinePath; reuse: ShotReuse | null },
): Promise<{ name: string; contentType: string; body: Buffer }> {
  const decision = reuse && (await decideReuse(await readComparable(shot, baseline), reuse));
  const why = decision === null ? 'each repeat captures it' : whyCaptured(decision);
  const url = withoutCredentials(shot.after.url);
  const affected: AffectedShot = { id: shot.id, project, url, captured: why !== null, why };
  return { name: AFFECTED_ATTACHMENT, contentType: 'application/json', body: Buffer.from(JSON.stringify(affected)) };
}

function whyCaptured(decision: ReuseOrBaseline): string | null {
  if (decision.kind === 'reuse') return null;
  return decision.kind === 'verify' ? 'it was chosen to be verified' : decision.why;
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
  const isAgreed = observation.status === 'captured' && observation.earlier.length === 0;
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

/** Adds to the record of a verified shot that did not pass why that is alarming. */
export function explainMissed(record: ShotRecord, { missed }: LaterRuns): ShotRecord {
  if (!missed) return record;
  const text = `no file of the page has changed since its capture of ${missed} passed, so \`reuse\` would have missed this`;
  return {
    ...record,
    reason: record.reason === null ? text : `${record.reason}; ${text}`,
    warnings: [...record.warnings, { code: 'reuse-incomplete', message: text }],
  };
}
