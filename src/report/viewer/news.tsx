import type { Decision } from '../view.js';
import type { Answer } from './decide.js';

/** What is to be told of the last decision. */
export type Told =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'answer'; readonly answer: Answer; readonly decision: Decision; readonly count: number }
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

function Outcome({ answer: { written, refused }, decision, count }: Extract<Told, { kind: 'answer' }>) {
  return (
    <>
      <p>
        <b>
          {count - refused.length} {decision}
          {refused.length > 0 && `, ${refused.length} refused`}
        </b>
      </p>
      <ul>
        {refused.map(({ project, id, reason }) => (
          <li key={`${project} ${id}`} class="refused">
            refused: {id} {project && `[${project}]`}: {reason}
          </li>
        ))}
        {written.map(({ path }) => (
          <li key={path}>written: {path}</li>
        ))}
      </ul>
    </>
  );
}
