import type { Decision } from '../../../model/review.js';
import type { ShotView } from '../../html/view.js';
import { type Answer, keyOf } from './decide.js';

/** What is to be told of the last decision. */
export type ToastMessage =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly decision: Decision;
      readonly shots: readonly ShotView[];
    }
  | { readonly kind: 'undone'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly message: string };

interface Properties {
  readonly told: ToastMessage | null;
  /** Takes the last decision back; null: there is none that can be taken back. */
  readonly onUndo: (() => void) | null;
  readonly onDismiss: () => void;
}

/** Shows what became of the last decision, with a button that takes it back, until it is dismissed. */
export function Toast({ told, onUndo, onDismiss }: Properties) {
  return (
    <div class="news" role="status">
      {told && (
        <div class={`card ${told.kind}`}>
          <Content told={told} />
          {told.kind !== 'waiting' && (
            <div class="buttons">
              {told.kind === 'answer' && onUndo && (
                <button type="button" onClick={onUndo}>
                  Undo
                </button>
              )}
              <button type="button" onClick={onDismiss}>
                Dismiss
              </button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function Content({ told }: { told: ToastMessage }) {
  switch (told.kind) {
    case 'waiting':
      return <p>Sending…</p>;
    case 'failed':
      return <p>{told.message}</p>;
    case 'answer':
      return <Outcome {...told} />;
    case 'undone':
      return <Undone {...told} />;
    default:
      return told satisfies never;
  }
}

function Undone({ answer: { written, refused, warnings } }: Extract<ToastMessage, { kind: 'undone' }>) {
  return (
    <>
      <p>
        <b>The last decision was taken back{refused.length > 0 && `, but not of ${refused.length}`}</b>
      </p>
      <Lines
        lines={[
          ...warnings.map((text) => ({ kind: 'warning', text })),
          ...refused.map((shot) => ({ kind: 'refused', text: `not restored: ${nameOf(shot)}: ${shot.reason}` })),
          ...written.map(({ path }) => ({ kind: 'written', text: `as before: ${path}` })),
        ]}
      />
    </>
  );
}

function Lines({ lines }: { lines: readonly { readonly kind: string; readonly text: string }[] }) {
  return (
    <ul>
      {lines.map(({ kind, text }) => (
        <li key={text} class={kind}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function Outcome({ answer, decision, shots }: Extract<ToastMessage, { kind: 'answer' }>) {
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
      <Lines lines={lines} />
    </>
  );
}

function nameOf({ project, id }: { project: string; id: string }): string {
  return project === '' ? id : `${id} [${project}]`;
}
