import type { Decision } from '../../../model/review.js';
import type { ShotView } from '../../html/view.js';
import type { Session } from '../page-data.js';

type Key = Pick<ShotView, 'project' | 'id'>;

/** What became of decisions: what was written, what was left or refused and why, and what is decided now of all shots. */
export interface Answer {
  readonly written: readonly (Key & { readonly path: string })[];
  /** Those of which nothing had to be written. */
  readonly kept: readonly (Key & { readonly reason: string })[];
  readonly refused: readonly (Key & { readonly reason: string })[];
  readonly warnings: readonly string[];
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Takes the decision back while it is the last one; null: it cannot be taken back. */
  readonly undo: string | null;
}

/** Names a shot among all of them. */
export function keyOf({ project, id }: Key): string {
  return JSON.stringify([project, id]);
}

/** Sends a decision. @throws Error whose message tells the user what to do. */
export async function sendDecision(session: Session, decision: Decision, shots: readonly Key[]): Promise<Answer> {
  return send(session, { decision, shots: shots.map(({ project, id }) => ({ project, id })) });
}

/** Takes the last decision back. @throws Error as {@link sendDecision}. */
export async function sendUndo(session: Session, undo: string): Promise<Answer> {
  return send(session, { undo });
}

async function send(session: Session, body: object): Promise<Answer> {
  const response = await fetch('api/decisions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proofsheet-token': session.token },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The server does not answer. Start `npx proofsheet report` again, and open the address it prints.');
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `The server refused (${response.status}). Nothing was written.`);
  const { written, kept = [], refused, warnings = [], undo = null, record } = answer;
  const decided: (Key & { decision: Decision | null })[] = record.shots;
  return { written, kept, refused, warnings, decisions: decisionsOf(decided), undo };
}

/** Returns the shots on which there is a decision. */
export function decisionsOf(shots: readonly (Key & { decision: Decision | null })[]): Map<string, Decision> {
  return new Map(shots.flatMap((shot) => (shot.decision === null ? [] : [[keyOf(shot), shot.decision] as const])));
}

const APPROVE = 'npx proofsheet approve';

/** Returns what is to be typed to approve shots, a line for each project; null where an id cannot be typed. */
export function commandFor(shots: readonly ShotView[]): string | null {
  const projects = [...new Set(shots.map(({ quotedProject }) => quotedProject))];
  const lines = projects.map((project) => lineFor(shots.filter(({ quotedProject }) => quotedProject === project)));
  return shots.length === 0 || lines.includes(null) ? null : lines.join('\n');
}

/** Is what is to be typed to approve all that can be. */
export const COMMAND_FOR_ALL = `${APPROVE} --all`;

/** Returns what is to be typed to approve a group. */
export function commandForGroup(group: string): string {
  return `${APPROVE} --group ${group}`;
}

function lineFor(shots: readonly ShotView[]): string | null {
  const ids = shots.map(({ quotedId }) => quotedId);
  const project = shots[0]?.quotedProject ?? null;
  if (project === null || ids.includes(null)) return null;
  const only = project === '' ? '' : ` --project ${project}`;
  const separator = shots.some(({ id }) => id.startsWith('-')) ? ' --' : '';
  return `${APPROVE}${only}${separator} ${ids.join(' ')}`;
}
