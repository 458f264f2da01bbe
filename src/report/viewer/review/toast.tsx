import { renderCountOf } from '../../../model/text.js';
import { type DecisionRequestState, type DecisionResult, keyOf } from './approval.js';

interface ToastProps {
  readonly request: DecisionRequestState | null;
  /** Undoes the last decision. Null if there is none that can be undone. */
  readonly onUndo: (() => void) | null;
  readonly onDismiss: () => void;
}

/** Shows the result of the last decision, with buttons to undo the decision and to dismiss the toast. */
export function Toast({ request, onUndo, onDismiss }: ToastProps) {
  return (
    <div class="toast-region" role="status">
      {request && (
        <div class={`toast ${request.kind}`}>
          <ToastContent request={request} />
          {request.kind !== 'pending' && (
            <div class="toast-buttons">
              {request.kind === 'decided' && onUndo && (
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

function ToastContent({ request }: { request: DecisionRequestState }) {
  switch (request.kind) {
    case 'pending':
      return <p>Sending…</p>;
    case 'failed':
      return <p>{request.message}</p>;
    case 'decided':
      return <DecidedContent {...request} />;
    case 'undone':
      return <UndoneContent {...request} />;
    default:
      return request satisfies never;
  }
}

function DecidedContent({ result, decision, shots }: Extract<DecisionRequestState, { kind: 'decided' }>) {
  const { written, kept, refused, warnings, decisions } = result;
  const decided = shots.filter((shot) => decisions.get(keyOf(shot)) === decision);
  return (
    <>
      <p>
        <b>
          {decided.length} {decision}
          {refused.length > 0 && `, ${refused.length} refused`}
        </b>
      </p>
      <ResultLines
        warnings={warnings}
        refused={refused.map((shot) => `refused: ${nameOf(shot)}: ${shot.reason}`)}
        others={[
          ...kept.map((shot) => `${nameOf(shot)}: ${shot.reason}`),
          ...written.map(({ path }) => `written: ${path}`),
        ]}
      />
    </>
  );
}

function UndoneContent({ result: { written, refused, warnings } }: Extract<DecisionRequestState, { kind: 'undone' }>) {
  return (
    <>
      <p>
        <b>Last decision undone{refused.length > 0 && `, ${renderCountOf(refused.length, 'shot')} not restored`}</b>
      </p>
      <ResultLines
        warnings={warnings}
        refused={refused.map((shot) => `not restored: ${nameOf(shot)}: ${shot.reason}`)}
        others={written.map(({ path }) => `restored: ${path}`)}
      />
    </>
  );
}

interface ResultLinesProps extends Pick<DecisionResult, 'warnings'> {
  readonly refused: readonly string[];
  readonly others: readonly string[];
}

function ResultLines({ warnings, refused, others }: ResultLinesProps) {
  const lines = [
    ...warnings.map((text) => ({ text, isRefused: false })),
    ...refused.map((text) => ({ text, isRefused: true })),
    ...others.map((text) => ({ text, isRefused: false })),
  ];
  return (
    <ul>
      {lines.map(({ text, isRefused }) => (
        <li key={text} class={isRefused ? 'refused' : ''}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function nameOf({ project, id }: { project: string; id: string }): string {
  return project === '' ? id : `${id} [${project}]`;
}
