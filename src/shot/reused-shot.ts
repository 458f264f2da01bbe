import { randomUUID } from 'node:crypto';
import { type Baseline, readBaseline } from '../baselines/index.js';
import {
  type AffectedShot,
  type ComparisonSummary,
  captureLink,
  messageOf,
  type ReuseEntry,
  type Shot,
  type ShotRecord,
  type Size,
  withoutCredentials,
} from '../model/index.js';
import type { PageInputs, ReuseDecision, ShotReuse } from '../reuse/index.js';
import type { BaselinePath } from './baseline-path.js';
import type { Outcome } from './decide.js';
import { redactRecord } from './redact.js';
import { attachFile, imagesOfBaseline, type ShotImages } from './stage-images.js';
import { formatVerdict, type ShotVerdict, type VerdictContext } from './verdict.js';

/** A baseline that can be read. */
export type BaselineImage = Extract<Baseline, { kind: 'image' }>;

/** Whether a shot is captured. For a shot that is reused, also its baseline: the image of its page. */
export type ShotDecision =
  | Exclude<ReuseDecision, { kind: 'reuse' }>
  | (Extract<ReuseDecision, { kind: 'reuse' }> & { readonly baseline: BaselineImage });

/** Looks for an earlier capture of the page with the inputs of now. In doubt, the page is captured. */
export async function findReusable(
  shot: Shot,
  reuse: ShotReuse,
  { path, shownPath, writtenInRun }: BaselinePath,
): Promise<ShotDecision> {
  // An earlier attempt of this run wrote this baseline: another capture must confirm it.
  if (writtenInRun.isKnown()) return { kind: 'capture', why: 'this run wrote its baseline' };
  const baseline = await readBaseline(path, shot.capture.format, shownPath);
  if (baseline.kind !== 'image') return { kind: 'capture', why: 'it has no baseline' };
  const decision = await reuse.decide(baseline.sha256);
  return decision.kind === 'reuse' ? { kind: 'reuse', entry: decision.entry, baseline } : decision;
}

/** Encodes what a run would do with a shot, for `proofsheet affected`. */
export function encodeAffected({ id, after }: Shot, project: string, decision: ShotDecision | null): string {
  const why = decision === null ? 'each repeat captures it' : whyCaptured(decision);
  const affected: AffectedShot = { id, project, url: withoutCredentials(after.url), captured: why !== null, why };
  return JSON.stringify(affected);
}

function whyCaptured(decision: ShotDecision): string | null {
  switch (decision.kind) {
    case 'reuse':
      return null;
    case 'verify':
      return 'it was chosen to be verified';
    case 'capture':
      return decision.why;
    default:
      return decision satisfies never;
  }
}

/** Checks whether a capture may stand for later ones: it passed or became the baseline, and all loads of the page agreed. */
export function isReusableLater(outcome: Outcome, earlierLoads: number): boolean {
  if (earlierLoads > 0) return false;
  return outcome.status === 'passed' || ('write' in outcome && outcome.write);
}

/** Returns why later runs cannot reuse a capture; null if they can. */
export function reasonOf(inputs: PageInputs | null): string | null {
  return inputs?.kind === 'unknown' ? inputs.reason : null;
}

/** Returns the record of a capture for later runs: that of a shot that passed. A capture that became the baseline equals it. */
function toStoredRecord(record: ShotRecord, size: Size): ShotRecord {
  const { notReusable: _, timings: __, ...kept } = record;
  const isEqual = record.written || record.summary === null;
  return {
    ...kept,
    ...PASSED,
    summary: isEqual ? equalSummary(size) : record.summary,
    // The images of later reports are those of the baseline, so no region would fit them.
    ...NO_CHANGE,
    capture: record.capture && { ...record.capture, link: null },
  };
}

const PASSED: Pick<ShotRecord, 'status' | 'written' | 'reason' | 'attempts' | 'group' | 'decision'> = {
  ...{ status: 'passed', written: false, reason: null, attempts: [], group: null, decision: null },
};

const NO_CHANGE: Partial<ShotRecord> = {
  ...{ regions: [], regionPlaces: [], events: null, shifts: null, columnShifts: null },
  ...{ before: null, after: null, diff: null },
};

function equalSummary({ width, height }: Size): ComparisonSummary {
  return {
    ...{ mismatchPixels: 0, mismatchPercentage: 0, totalPixels: width * height, sameDimensions: true },
    ...{ antialiasedPixels: 0, mismatchPixelsAfterAlignment: null },
  };
}

/** Reports an earlier capture again. Its image is the baseline. */
export function testReused(
  shot: Shot,
  found: Extract<ShotDecision, { kind: 'reuse' }>,
  runner: Omit<VerdictContext, 'fingerprint'> & { readonly baseline: BaselinePath },
  startedAt: number,
): ShotVerdict {
  const images = listReusedImages(shot, found, randomUUID());
  const { path, shownPath } = runner.baseline;
  const { sha256, record: embedded } = found.baseline;
  const { page, viewport, state } = shot;
  const record = buildReusedRecord(found.entry, images, {
    ...{ page, viewport, state, url: withoutCredentials(shot.after.url) },
    durationMs: Math.round(performance.now() - startedAt),
    baseline: { path: shownPath, sha256, environment: embedded?.environment ?? null },
  });
  return formatVerdict(redactRecord(record, shot), true, attachFile(images, path), { ...runner, fingerprint: null });
}

/** Names the causes of a verified shot that did not pass: a run that does not verify it would have missed them. */
export function verify(
  record: ShotRecord,
  isPassed: boolean,
  reusable: ShotDecision | null,
  reuse: ShotReuse | null,
): ShotRecord {
  const hasFailed = reusable?.kind === 'verify' && !isPassed;
  return hasFailed ? explainVerified(record, reusable.entry, reuse?.readUses(reusable.entry) ?? []) : record;
}

/** Stores a capture for later runs, or removes those that can no longer be trusted. The cache never fails a shot. */
export async function remember(
  record: ShotRecord,
  {
    inputs,
    reusable,
    baseline,
  }: {
    readonly inputs: PageInputs | null;
    readonly reusable: ShotDecision | null;
    readonly baseline: string | null;
  },
  reuse: ShotReuse,
): Promise<void> {
  const { after } = record;
  const isStored = inputs !== null && baseline !== null && after !== null;
  const stored = isStored
    ? reuse.store(inputs, baseline, toStoredRecord(record, after))
    : reusable?.kind === 'verify'
      ? reuse.remove()
      : null;
  await stored?.catch(messageOf);
}

/** Lists the images of a shot that is reused: twice its baseline. The file is attached where it is, not copied. */
function listReusedImages(
  shot: Shot,
  { entry, baseline }: Extract<ShotDecision, { kind: 'reuse' }>,
  uuid: string,
): ShotImages {
  const takenAt = Date.parse(entry.record.capture?.fetchTime ?? '') || 0;
  return imagesOfBaseline(shot, baseline.image, captureLink(shot.after.url, uuid, takenAt, shot.capture.format));
}

/** Builds the record of a shot that is reused: that of the earlier capture, with the images of this run. */
function buildReusedRecord(
  { record }: ReuseEntry,
  { before, after }: ShotImages,
  own: Pick<ShotRecord, 'durationMs' | 'baseline' | 'url' | 'page' | 'viewport' | 'state'>,
): ShotRecord {
  const toImage = (image: ShotImages['after']) => image && { link: image.link, ...image.size, source: image.source };
  return {
    ...record,
    ...own,
    ...PASSED,
    reused: true,
    before: toImage(before),
    after: toImage(after),
    capture: record.capture && { ...record.capture, link: after?.link ?? null, message: REUSED },
  };
}

const REUSED = 'Not captured again: the files of the page have not changed since then.';

/** Adds to the record of a verified shot that did not pass why that is alarming, and the possible causes that are known. */
function explainVerified(record: ShotRecord, { record: stored }: ReuseEntry, uses: readonly string[]): ShotRecord {
  const since = stored.capture?.fetchTime.slice(0, 10) ?? 'an earlier run';
  const causes =
    uses.length > 0
      ? `its scripts read ${uses.join(', ').replace(/, ([^,]*)$/, ' and $1')}, which no file contains`
      : 'none of its scripts reads the clock, random numbers or storage';
  const text = `no file of the page has changed since its capture of ${since} passed, so \`reuse\` would have missed this: ${causes}`;
  return {
    ...record,
    reason: record.reason === null ? text : `${record.reason}; ${text}`,
    warnings: [...record.warnings, { code: 'reuse-incomplete', message: text }],
  };
}
