import type { Decision, ShotView } from '../view.js';
import type { Session } from './read-page.js';

type Key = Pick<ShotView, 'project' | 'id'>;

/** What became of decisions: what was written, what was left or refused and why, and what is decided now of all shots. */
export interface Answer {
  readonly written: readonly (Key & { readonly path: string })[];
  /** Those of which nothing had to be written. */
  readonly kept: readonly (Key & { readonly reason: string })[];
  readonly refused: readonly (Key & { readonly reason: string })[];
  readonly warnings: readonly string[];
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Names a shot among all of them. */
export function keyOf({ project, id }: Key): string {
  return JSON.stringify([project, id]);
}

/** Sends a decision. @throws Error whose message tells the user what to do. */
export async function sendDecision(session: Session, decision: Decision, shots: readonly Key[]): Promise<Answer> {
  const response = await fetch('api/decisions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proofsheet-token': session.token },
    body: JSON.stringify({ decision, shots: shots.map(({ project, id }) => ({ project, id })) }),
  }).catch(() => {
    throw new Error('The server does not answer. Start `npx proofsheet report` again, and open the address it prints.');
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `The server refused (${response.status}). Nothing was written.`);
  const { written, kept = [], refused, warnings = [], record } = answer;
  const decided: (Key & { decision: Decision | null })[] = record.shots;
  return { written, kept, refused, warnings, decisions: decisionsOf(decided) };
}

/** Gives the shots on which there is a decision. */
export function decisionsOf(shots: readonly (Key & { decision: Decision | null })[]): Map<string, Decision> {
  return new Map(shots.flatMap((shot) => (shot.decision === null ? [] : [[keyOf(shot), shot.decision] as const])));
}
