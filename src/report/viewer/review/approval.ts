import { useState } from 'preact/hooks';
import type { Decision, Undone } from '../../../model/run-record.js';
import type { Session, ShotView } from '../../html/view.js';

type Key = Pick<ShotView, 'project' | 'id'>;

/** The decisions of the reviewer, and the functions that send new ones to the report server. */
export interface ApprovalContext {
  /** Sends a decision. Null if the page was opened as a file: no server records decisions. */
  readonly decide: ((decision: Decision, shots: readonly ShotView[]) => void) | null;
  /** Undoes the last decision. Null if there is none that can be undone. */
  readonly undo: (() => void) | null;
  /** Decisions by {@link keyOf}. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** The result of a decision or of an undo. */
export interface DecisionResult extends Pick<Undone, 'written' | 'kept' | 'refused' | 'warnings'> {
  /** Decisions on all shots, by {@link keyOf}. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Id for {@link sendUndo} while this decision is the last one; null if it cannot be undone. */
  readonly undo: string | null;
}

/** The state of the last request to the report server. */
export type DecisionRequestState =
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'decided';
      readonly result: DecisionResult;
      readonly decision: Decision;
      readonly shots: readonly ShotView[];
    }
  | { readonly kind: 'undone'; readonly result: DecisionResult }
  | { readonly kind: 'failed'; readonly message: string };

/** Returns the approval context, and the state of the last request until it is dismissed. */
export function useApproval(
  shots: readonly ShotView[],
  session: Session | null,
): { approval: ApprovalContext; request: DecisionRequestState | null; dismiss: () => void } {
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(() => decisionsOf(shots));
  const [request, setRequest] = useState<DecisionRequestState | null>(null);
  const [undoId, setUndoId] = useState<string | null>(null);
  const succeed = (done: Extract<DecisionRequestState, { kind: 'decided' | 'undone' }>) => {
    setDecisions(done.result.decisions);
    setUndoId(done.result.undo);
    setRequest(done);
  };
  const fail = (error: Error) => setRequest({ kind: 'failed', message: error.message });
  const decide = (decision: Decision, chosen: readonly ShotView[]) => {
    const targets = chosen.filter(({ isDecidable }) => isDecidable);
    if (!session || targets.length === 0) return;
    setRequest({ kind: 'pending' });
    sendDecision(session, decision, targets).then(
      (result) => succeed({ kind: 'decided', result, decision, shots: targets }),
      fail,
    );
  };
  const undo = () => {
    if (!session || undoId === null) return;
    setRequest({ kind: 'pending' });
    // Clear the id at once: a decision can be undone only once, even if the request fails.
    setUndoId(null);
    sendUndo(session, undoId).then((result) => succeed({ kind: 'undone', result }), fail);
  };
  const approval = { decide: session && decide, undo: undoId === null ? null : undo, decisions };
  return { approval, request, dismiss: () => setRequest(null) };
}

/** Returns a map key that is unique for each shot of a run. */
export function keyOf({ project, id }: Key): string {
  return JSON.stringify([project, id]);
}

/** Sends a decision. @throws Error with a message for the user */
async function sendDecision(session: Session, decision: Decision, shots: readonly Key[]): Promise<DecisionResult> {
  return send(session, { decision, shots: shots.map(({ project, id }) => ({ project, id })) });
}

/** Undoes the last decision. @throws Error with a message for the user */
async function sendUndo(session: Session, undo: string): Promise<DecisionResult> {
  return send(session, { undo });
}

async function send(session: Session, request: object): Promise<DecisionResult> {
  const response = await fetch('api/decisions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proofsheet-token': session.token },
    body: JSON.stringify(request),
  }).catch(() => {
    throw new Error(
      'The report server did not respond. Run `npx proofsheet report` again and open the URL that it prints.',
    );
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(
      body.message ?? `The report server responded with status ${response.status}. No baseline was written.`,
    );
  const { written, kept, refused, warnings, undo, record }: Undone & Pick<DecisionResult, 'undo'> = body;
  return { written, kept, refused, warnings, undo, decisions: decisionsOf(record.shots) };
}

function decisionsOf(shots: readonly (Key & { readonly decision: Decision | null })[]): Map<string, Decision> {
  return new Map(shots.flatMap((shot) => (shot.decision === null ? [] : [[keyOf(shot), shot.decision] as const])));
}

const APPROVE = 'npx proofsheet approve';

/** The command that approves all shots of a run that can be approved. */
export const APPROVE_ALL_COMMAND = `${APPROVE} --all`;

/** Returns the commands that approve shots, one line per project. Returns null if the name of a shot cannot be typed. */
export function approveCommandFor(shots: readonly ShotView[]): string | null {
  const projects = [...new Set(shots.map(({ quotedProject }) => quotedProject))];
  const lines = projects.map((project) => lineFor(shots.filter(({ quotedProject }) => quotedProject === project)));
  return shots.length === 0 || lines.includes(null) ? null : lines.join('\n');
}

/** Returns the command that approves a group. */
export function approveGroupCommandFor(group: string): string {
  return `${APPROVE} --group ${group}`;
}

function lineFor(shots: readonly ShotView[]): string | null {
  const ids = shots.map(({ quotedId }) => quotedId);
  const project = shots[0]?.quotedProject ?? null;
  if (project === null || ids.includes(null)) return null;
  const option = project === '' ? '' : ` --project ${project}`;
  const separator = shots.some(({ id }) => id.startsWith('-')) ? ' --' : '';
  return `${APPROVE}${option}${separator} ${ids.join(' ')}`;
}
