import { readFile } from 'node:fs/promises';
import {
  createFolderCheck,
  type FolderCheck,
  findBaseline,
  findImage,
  lockReport,
  REPORT_FOLDER,
  readBaseline,
  readRun,
  writeBaseline,
} from '../baselines/index.js';
import { decodeImage, drawPdf } from '../image/index.js';
import {
  type Decided,
  type Decision,
  type EncodedImage,
  listSome,
  nameShot,
  ProofsheetError,
  type RunRecord,
  renderCountOf,
  renderPercentage,
  renderPlain,
  type ShotRecord,
  type WrittenBaseline,
} from '../model/index.js';
import { renderEnvironmentNotices } from '../report/index.js';
import { type Amended, amendRun, type ProjectFolders, readCommit, sweepLeftovers } from '../run/index.js';
import { type ChosenShot, shotKey } from './choose-shots.js';
import { type Approval, judgeApproval } from './judge-approval.js';
import { findLaterRun, isOwnReport, warnOfLaterRun } from './read-report.js';

/** A decision of a reviewer, and the shots that it applies to. */
export interface ShotDecision {
  readonly decision: Decision;
  /** Selects the shots. */
  readonly choose: (run: RunRecord) => readonly ChosenShot[];
  /** See {@link judgeApproval}. */
  readonly force: boolean;
  /** Called for each decided shot with the state that the decision replaced, to undo it. */
  readonly onReplaced?: ((replaced: Replaced) => void) | undefined;
}

/** The state that a decision on one shot replaced. */
export interface Replaced {
  readonly id: string;
  readonly project: string;
  /** The previous decision. */
  readonly decision: Decision | null;
  /** The baseline that was written; null if none was. */
  readonly baseline: ReplacedBaseline | null;
}

/** A baseline that a decision wrote, and the file that it replaced. */
export interface ReplacedBaseline {
  /** The path in the run record. */
  readonly path: string;
  /** Hash of the written image. */
  readonly sha256: string;
  /** Content of the replaced file; null if there was none. */
  readonly before: Buffer | null;
}

/**
 * Approves or rejects shots of a finished run, while no other process changes its report, in these steps:
 *
 * 1. Reads the run, and selects its shots. Nothing is approved if a later run of the project wrote no report.
 * 2. {@link approve} or {@link reject} decides on each shot. An approved after image is checked and copied to the path of the baseline,
 *    each baseline completely or not at all. An error of one shot is its result; the other shots are still processed.
 * 3. {@link recordDecision} stores the decision in the report.
 * 4. {@link sweepLeftovers} removes temporary files of killed processes.
 * 5. Collects warnings about the run, and {@link sortResults} sorts the results.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`, `lock-held`, `command-invalid` after a later run, and the errors of `choose`
 */
export function applyDecision(places: ProjectFolders, decision: ShotDecision): Promise<Decided> {
  return lockReport(places.folder, () => decide(places, decision));
}

async function decide(places: ProjectFolders, { decision, choose, force, onReplaced }: ShotDecision): Promise<Decided> {
  const run = await readRun(places.folder);
  const laterRun = await findLaterRun(places, run);
  const isOwn = isOwnReport(places);
  // A downloaded report is often older than the last local run.
  if (laterRun !== null && isOwn && decision === 'approved' && !force) throw outdated(laterRun);
  const context = { places, isOwnReport: isOwn, isKnownFolder: createFolderCheck(places, run), force, onReplaced };
  const results: ShotResult[] = [];
  for (const chosen of choose(run)) {
    results.push(decision === 'approved' ? await approve(context, chosen) : reject(chosen));
  }
  for (const { shot, result } of results) if (result.kind === 'done') onReplaced?.(replacedOf(shot, null));
  const written = results.filter(({ result }) => result.kind === 'written').map(({ shot }) => shot);
  const done = results.filter(({ result }) => result.kind === 'done').map(({ shot }) => shot);
  const { record, failure } = await recordDecision(places.folder, run, [...written, ...done], decision);
  await sweepLeftovers(places, run);
  const warnings = [
    ...onlyIf(laterRun && warnOfLaterRun(laterRun)),
    ...(written.length > 0 ? await listWarnings(places.root, run, written) : []),
    // The baselines are not restored if the report cannot be written.
    ...onlyIf(failure === null ? null : `the report was not fully updated: ${failure}`),
  ];
  return { ...sortResults(results), warnings, record };
}

function outdated(laterRun: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: REPORT_FOLDER,
    found: laterRun,
    advice: 'Run the tests again with proofsheet/reporter, or approve the older screenshots with --force.',
  });
}

function onlyIf(warning: string | null): string[] {
  return warning === null ? [] : [warning];
}

interface ShotResult {
  readonly shot: ShotRecord;
  readonly result:
    | Exclude<Approval, { kind: 'write' }>
    | { readonly kind: 'written'; readonly path: string; readonly compared: number };
}

/** The values that all approvals of a run share. */
interface ApprovalContext extends Pick<ShotDecision, 'force' | 'onReplaced'> {
  readonly places: ProjectFolders;
  /** The report is the one that runs of this project write, not a downloaded one. */
  readonly isOwnReport: boolean;
  readonly isKnownFolder: FolderCheck;
}

function replacedOf({ id, project, decision }: ShotRecord, baseline: ReplacedBaseline | null): Replaced {
  return { id, project, decision, baseline };
}

async function approve(
  { places, isOwnReport, isKnownFolder, force, onReplaced }: ApprovalContext,
  { shot, isNamed }: ChosenShot,
): Promise<ShotResult> {
  const shownPath = shot.baseline?.path ?? '';
  const place = shot.baseline && (await findBaseline(places, shownPath));
  const isInside = place?.kind === 'inside';
  const image = await findImage(places.folder, shot.after?.link ?? '');
  const now = isInside ? await readBaseline(place.path, place.format, shownPath) : null;
  const after = isInside && image !== null ? await readBaseline(image, place.format, shot.after?.link ?? '') : null;
  const isKnown = isOwnReport || (isInside && (await isKnownFolder(place.path)));
  const evidence = { shot, isNamed, place, now, after, isOwnReport, isKnownFolder: isKnown };
  try {
    const approval = judgeApproval(evidence, force);
    if (approval.kind !== 'write') return { shot, result: approval };
    const { path, bytes, compared } = approval;
    await refuseDamaged({ ...approval.image, bytes }, shot.after?.link ?? '');
    // Read only if the caller can undo: these are all old baselines of a run.
    const before = onReplaced && now?.kind === 'image' ? await readFile(path) : null;
    const written = await writeBaseline(path, bytes, shownPath);
    onReplaced?.(replacedOf(shot, { path: shownPath, sha256: written, before }));
    return { shot, result: { kind: 'written', path: shownPath, compared } };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { shot, result: { kind: 'refused', why: error.message } };
  }
}

/** Decodes an image before it becomes a baseline: another one could be compared with nothing. @throws ProofsheetError `image-damaged` */
async function refuseDamaged(image: EncodedImage, link: string): Promise<void> {
  if (image.codec === 'pdf') await drawPdf(image, link);
  else await decodeImage(image, link);
}

function reject({ shot }: ChosenShot): ShotResult {
  if (shot.status === 'passed' || shot.status === 'skipped') {
    return { shot, result: { kind: 'refused', why: `the status is ${shot.status}, so there is nothing to reject` } };
  }
  if (shot.decision === 'approved' || shot.written) {
    const why = 'the baseline is already written; restore it from version control';
    return { shot, result: { kind: 'refused', why } };
  }
  return { shot, result: { kind: 'done', why: 'the shot is marked as rejected' } };
}

function sortResults(results: readonly ShotResult[]): Pick<Decided, 'written' | 'kept' | 'refused'> {
  const named = ({ project, id }: ShotRecord) => ({ project, id });
  return {
    written: results.flatMap(({ shot, result }) =>
      result.kind === 'written' ? [{ ...named(shot), path: result.path, compared: result.compared }] : [],
    ),
    kept: results.flatMap(({ shot, result }) =>
      result.kind === 'kept' || result.kind === 'done' ? [{ ...named(shot), reason: result.why }] : [],
    ),
    refused: results.flatMap(({ shot, result }) =>
      result.kind === 'refused' ? [{ ...named(shot), reason: result.why }] : [],
    ),
  };
}

async function recordDecision(
  folder: string,
  run: RunRecord,
  decided: readonly ShotRecord[],
  decision: Decision,
): Promise<Amended> {
  if (decided.length === 0) return { record: run, failure: null };
  const keys = new Set(decided.map(shotKey));
  return amendRun(folder, run, (now) => ({
    ...now,
    shots: now.shots.map((shot) => (keys.has(shotKey(shot)) ? { ...shot, decision } : shot)),
  }));
}

async function listWarnings(root: string, { run }: RunRecord, written: readonly ShotRecord[]): Promise<string[]> {
  const flaky = written.filter((shot) => shot.flaky);
  return [
    ...onlyIf(await describeOtherCommit(root, run.commit)),
    ...onlyIf(run.complete ? null : 'the run has shots without a result'),
    ...flaky.map((shot) => `${nameShot(shot)} is flaky: another attempt had a different status`),
    ...renderEnvironmentNotices(written).map(renderPlain),
  ];
}

/** This is only a warning, because the report of a pull request is of its merge commit. */
async function describeOtherCommit(root: string, ofRun: string | null): Promise<string | null> {
  const commit = await readCommit(root);
  if (ofRun === null || commit === null || ofRun === commit) return null;
  return `the run is from commit ${renderPlain(ofRun.slice(0, 12))}, but this folder is at commit ${commit.slice(0, 12)}`;
}

/** Formats the result of an approval: written shots with paths, then unchanged and refused shots with reasons. */
export function formatDecided({ written, kept, refused }: Decided): string {
  const lines = [
    ...(written.length > 0 ? [`approved ${renderCountOf(written.length, 'shot')}, baselines written:`] : []),
    ...written.map((shot) => `  ${nameShot(shot)}  ${renderPlain(shot.path)}${formatCompared(shot)}`),
    ...groupLines('unchanged', kept),
    ...groupLines('refused', refused),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'nothing to approve'}\n`;
}

function formatCompared({ compared }: WrittenBaseline): string {
  return compared < 1 ? ` (${renderPercentage(100 * compared)} of the pixels are compared)` : '';
}

/** Formats one line per reason. */
function groupLines(word: string, shots: Decided['kept']): string[] {
  const byReason = new Map<string, string[]>();
  for (const shot of shots) byReason.set(shot.reason, [...(byReason.get(shot.reason) ?? []), nameShot(shot)]);
  return [...byReason].map(([reason, names]) => `${word}: ${listSome(names, 10)}: ${renderPlain(reason)}`);
}
