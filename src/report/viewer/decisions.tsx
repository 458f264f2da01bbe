import { useEffect, useRef, useState } from 'preact/hooks';
import { renderDecisions } from '../verdict.js';
import type { ShotView } from '../view.js';
import type { Notice } from './approval.js';
import { useReport } from './report-context.js';

export function Badges({ shot }: { shot: ShotView }) {
  const decision = useReport().approval.decisionOf(shot);
  return (
    <span class="badges">
      <span class={`badge ${shot.status}`}>{shot.status}</span>
      {shot.flags.map((flag) => (
        <span key={flag} class="badge flag">
          {flag}
        </span>
      ))}
      {decision && <span class={`badge ${decision}`}>{decision}</span>}
    </span>
  );
}

interface DecisionButtonsProps {
  readonly shots: readonly ShotView[];
  /** Text after `Approve` and `Reject`, such as `all 3`. @default none, for a single shot */
  readonly target?: string;
  readonly confirms?: boolean;
  /** Shell command that approves the shots. Null if there is none. */
  readonly command: string | null;
}

/**
 * Shows buttons that approve or reject shots, for the server or for a comment. If the page was opened as a file, shows the shell command
 * instead. Shows nothing if no shot can be approved.
 */
export function DecisionButtons({ shots, target, confirms = false, command }: DecisionButtonsProps) {
  const { decide, decisionOf, comment } = useReport().approval;
  const [isConfirming, setConfirming] = useState(false);
  const targets = shots.filter(({ isDecidable }) => isDecidable);
  if (targets.length === 0) return null;
  const suffix = target === undefined ? '' : ` ${target}`;
  if (!decide) return command === null ? null : <TextToCopy label={`To approve${suffix}, run`} text={command} />;
  const isDecided = (decision: string) => targets.every((shot) => decisionOf(shot) === decision);
  const approve = () => decide('approved', targets);
  return (
    <div class="decision-buttons">
      <button
        type="button"
        class="approve"
        aria-pressed={isDecided('approved')}
        onClick={() => (confirms && comment === null ? setConfirming(true) : approve())}
      >
        Approve{suffix}
      </button>
      <button
        type="button"
        class="reject"
        aria-pressed={isDecided('rejected')}
        onClick={() => decide('rejected', targets)}
      >
        Reject{suffix}
      </button>
      {isConfirming && (
        <ConfirmDialog count={targets.length} onConfirm={approve} onClose={() => setConfirming(false)} />
      )}
    </div>
  );
}

function ConfirmDialog(props: { count: number; onConfirm: () => void; onClose: () => void }) {
  const { count, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = () => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-label={`Approve ${count} shots?`} onClose={onClose}>
      <h2>Approve {count} shots?</h2>
      <p>Their after images become the baselines on disk.</p>
      <div class="decision-buttons">
        <button type="button" class="approve" onClick={confirm}>
          Approve {count} shots
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

/** Shows what was chosen in a published report as a comment for the pull request. */
export function CommentDraft() {
  const { view, approval } = useReport();
  if (!approval.comment) return null;
  const reviewed = view.shots.map((shot) => ({ ...shot, decision: approval.decisionOf(shot) ?? null }));
  return (
    <section class="comment-draft" aria-label="Comment for the pull request">
      <TextToCopy
        label={`${renderDecisions(reviewed) ?? ''}. Post this comment on the pull request to decide:`}
        text={approval.comment}
        button="Copy the comment"
      />
    </section>
  );
}

function TextToCopy({ label, text, button = 'Copy' }: { label: string; text: string; button?: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => {
    // A selection lets the user copy by hand where the clipboard API is not available.
    area.current?.select();
    navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(null),
    );
  };
  return (
    <div class="approve-command">
      <span>{label}</span>
      <textarea ref={area} readonly rows={Math.min(4, text.split('\n').length)} aria-label={label} value={text} />
      <button type="button" onClick={copy}>
        {copied === text ? 'Copied' : button}
      </button>
    </div>
  );
}

/** Shows the result of the last decision, with buttons to undo the decision and to dismiss the toast. */
export function Toast({ notice, onDismiss }: { notice: Notice | null; onDismiss: () => void }) {
  const { undo } = useReport().approval;
  return (
    <div role="status">
      {notice && (
        <div class={`toast ${notice.kind}`}>
          <p>{notice.kind === 'failed' ? notice.title : <b>{notice.title}</b>}</p>
          <ul>
            {notice.lines.map(({ text, isRefused }) => (
              <li key={text} class={isRefused ? 'refused' : ''}>
                {text}
              </li>
            ))}
          </ul>
          {notice.explain && <ReasonForm key={notice.title} onSave={notice.explain} />}
          {notice.kind !== 'pending' && (
            <div class="toast-buttons">
              {notice.kind !== 'failed' && undo && (
                <button type="button" onClick={undo}>
                  {notice.kind === 'undone' ? 'Undo the one before' : 'Undo'}
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

/** Asks why shots are rejected. */
function ReasonForm({ onSave }: { onSave: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  return (
    <form
      class="toast-buttons"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') onSave(reason.trim());
      }}
    >
      <input
        aria-label="Reason of the rejection"
        placeholder="Why? (optional)"
        maxLength={500}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit">Save the reason</button>
    </form>
  );
}
