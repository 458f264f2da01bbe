import type { Decision, ShotView } from '../view.js';
import { type Answer, keyOf } from './decide.js';

/** What is to be told of the last decision. */
export type Told =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly decision: Decision;
      readonly shots: readonly ShotView[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Tells what the last decision came to, until it is dismissed. */
export function News({ told, onDismiss }: { told: Told | null; onDismiss: () => void }) {
  return (
    <div class="news" role="status">
      {told && (
        <div class={`card ${told.kind}`}>
          <Content told={told} />
          {told.kind !== 'waiting' && (
            <button type="button" onClick={onDismiss}>
              Dismiss
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Content({ told }: { told: Told }) {
  switch (told.kind) {
    case 'waiting':
      return <p>Sending…</p>;
    case 'failed':
      return <p>{told.message}</p>;
    case 'answer':
      return <Outcome {...told} />;
    default:
      return told satisfies never;
  }
}

function Outcome({ answer, decision, shots }: Extract<Told, { kind: 'answer' }>) {
  const { written, kept, refused, warnings, decisions } = answer;
  const decided = shots.filter((shot) => decisions.get(keyOf(shot)) === decision);
  const lines = [
    ...warnings.map((text) => ({ kind: 'warning', text })),
    ...refused.map((shot) => ({ kind: 'refused', text: `refused: ${nameOf(shot)}: ${shot.reason}` })),
    ...kept.map((shot) => ({ kind: 'kept', text: `${nameOf(shot)}: ${shot.reason}` })),
    ...written.map(({ path }) => ({ kind: 'written', text: `written: ${path}` })),
  ];
  return (
    <>
      <p>
        <b>
          {decided.length} {decision}
          {refused.length > 0 && `, ${refused.length} refused`}
        </b>
      </p>
      <ul>
        {lines.map(({ kind, text }) => (
          <li key={text} class={kind}>
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf({ project, id }: { project: string; id: string }): string {
  return project === '' ? id : `${id} [${project}]`;
}
