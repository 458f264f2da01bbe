import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBaseline, writeBaseline } from '../../baselines/baseline.js';
import { findBaseline } from '../../baselines/baseline-path.js';
import { REPORT_FOLDER } from '../../baselines/paths.js';
import { findImage, readRun } from '../../baselines/read-run.js';
import { ProofsheetError } from '../../model/errors.js';
import { nameShot, renderPlain } from '../../model/plain-text.js';
import type { Decided, Decision } from '../../model/review.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { renderEnvironmentNotices } from '../../report/format/environment.js';
import { type Amended, amendRun } from '../run/amend-run.js';
import { sweepLeftovers } from '../run/find-obsolete.js';
import type { ProjectFolders } from '../run/folders.js';
import { readCommit } from '../run/run-identity.js';
import { createFolderCheck, type FolderCheck } from './baseline-folders.js';
import type { ChosenShot } from './choose-shots.js';
import { type Approval, judgeApproval } from './judge-approval.js';
import { describeLaterRun } from './later-run.js';
import type { Replaced, ReplacedBaseline } from './undo-decision.js';

/** What is to be decided, of which shots. */
export interface DecisionOrder {
  readonly decision: Decision;
  readonly choose: (run: RunRecord) => readonly ChosenShot[];
  /** See {@link judgeApproval}. */
  readonly force: boolean;
  /** Is called for each decided shot with what takes the decision back. A damaged baseline is replaced by `force` only. */
  readonly onReplaced?: ((replaced: Replaced) => void) | undefined;
}

/**
 * Approves or rejects shots of a finished run: the one way, from the command line and from the report's page. What is
 * approved becomes the baseline as it was shown, one file after the other, each whole or not at all; the decision is
 * remembered in the report.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`, and what `choose` throws. What goes wrong with one shot is
 * among the refused; the others go on.
 */
export async function applyDecision(
  places: ProjectFolders,
  { decision, choose, force, onReplaced }: DecisionOrder,
): Promise<Decided> {
  const run = await readRun(places.folder);
  const chosen = choose(run);
  const context = {
    places,
    isOwnReport: isOwn(places),
    isKnownFolder: createFolderCheck(places, run),
    force,
    onReplaced,
  };
  const acts: Act[] = [];
  for (const one of chosen) {
    acts.push(decision === 'approved' ? await approve(context, one) : reject(one));
  }
  const decided = acts.flatMap(({ shot, end }) => (end.kind === 'written' || end.kind === 'done' ? [shot] : []));
  for (const { shot, end } of acts) if (end.kind === 'done') onReplaced?.(replacedOf(shot, null));
  const { record, trouble } = await remember(places.folder, run, decided, decision);
  await sweepLeftovers(places, run);
  const written = acts.filter(({ end }) => end.kind === 'written').map(({ shot }) => shot);
  const warnings = written.length > 0 ? [...(await commitWarnings(places.root, run)), ...warningsOf(run, written)] : [];
  // The baselines are what counts: a report that cannot be written is no reason to take them back.
  const unwritten = trouble === null ? [] : [`the decision is not in the whole report: ${trouble}`];
  const later = await describeLaterRun(places.root, run);
  return { ...sorted(acts), warnings: [...(later === null ? [] : [later]), ...warnings, ...unwritten], record };
}

interface Act {
  readonly shot: ShotRecord;
  readonly end:
    | Exclude<Approval, { kind: 'write' }>
    | { readonly kind: 'written'; readonly path: string; readonly compared: number };
}

/** What all approvals of a run share. */
interface Context extends Pick<DecisionOrder, 'force' | 'onReplaced'> {
  readonly places: ProjectFolders;
  readonly isOwnReport: boolean;
  readonly isKnownFolder: FolderCheck;
}

/** A run of this project leaves its report there; one that was downloaded is named. */
function isOwn({ root, folder }: ProjectFolders): boolean {
  return folder === join(root, REPORT_FOLDER);
}

function replacedOf({ id, project, decision }: ShotRecord, baseline: ReplacedBaseline | null): Replaced {
  return { id, project, decision, baseline };
}

async function approve(
  { places, isOwnReport, isKnownFolder, force, onReplaced }: Context,
  { shot, isNamed }: ChosenShot,
): Promise<Act> {
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
    if (approval.kind !== 'write') return { shot, end: approval };
    // Only where somebody asks: these are all the old images of a run.
    const before = onReplaced && now?.kind === 'image' ? await readFile(approval.path) : null;
    const written = await writeBaseline(approval.path, approval.bytes, null, shownPath);
    onReplaced?.(replacedOf(shot, { path: shownPath, sha256: written, before }));
    return { shot, end: { kind: 'written', path: shownPath, compared: approval.compared } };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { shot, end: { kind: 'refused', why: error.message } };
  }
}

function reject({ shot }: ChosenShot): Act {
  if (shot.status === 'passed' || shot.status === 'skipped') {
    return { shot, end: { kind: 'refused', why: `it is ${shot.status}: there is nothing to reject` } };
  }
  if (shot.decision === 'approved' || shot.written) {
    const why = 'its baseline was written already: restore that from version control';
    return { shot, end: { kind: 'refused', why } };
  }
  return { shot, end: { kind: 'done', why: 'it is remembered as rejected' } };
}

function sorted(acts: readonly Act[]): Pick<Decided, 'written' | 'kept' | 'refused'> {
  const named = ({ project, id }: ShotRecord) => ({ project, id });
  return {
    written: acts.flatMap(({ shot, end }) =>
      end.kind === 'written' ? [{ ...named(shot), path: end.path, compared: end.compared }] : [],
    ),
    kept: acts.flatMap(({ shot, end }) =>
      end.kind === 'kept' || end.kind === 'done' ? [{ ...named(shot), reason: end.why }] : [],
    ),
    refused: acts.flatMap(({ shot, end }) => (end.kind === 'refused' ? [{ ...named(shot), reason: end.why }] : [])),
  };
}

async function remember(
  folder: string,
  run: RunRecord,
  decided: readonly ShotRecord[],
  decision: Decision,
): Promise<Amended> {
  if (decided.length === 0) return { record: run, trouble: null };
  const isDecided = (shot: ShotRecord) => decided.some(({ id, project }) => id === shot.id && project === shot.project);
  return amendRun(folder, run, (now) => ({
    ...now,
    shots: now.shots.map((shot) => (isDecided(shot) ? { ...shot, decision } : shot)),
  }));
}

/** The artifact of a pull request comes from its merge commit: that is worth a word, and no more. */
async function commitWarnings(root: string, { run }: RunRecord): Promise<string[]> {
  const commit = await readCommit(root);
  if (run.commit === null || commit === null || run.commit === commit) return [];
  return [`the run is of commit ${renderPlain(run.commit.slice(0, 12))}, this folder is at ${commit.slice(0, 12)}`];
}

function warningsOf({ run }: RunRecord, written: readonly ShotRecord[]): string[] {
  return [
    ...(run.complete ? [] : ['the run did not judge all of its shots']),
    ...written
      .filter(({ flaky }) => flaky)
      .map((shot) => `${nameShot(shot)} is flaky: another attempt of it ended otherwise`),
    ...renderEnvironmentNotices(written).map(renderPlain),
  ];
}
