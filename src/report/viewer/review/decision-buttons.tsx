import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import { type ApprovalContext, keyOf } from './approval.js';

interface DecisionButtonsProps {
  readonly shots: readonly ShotView[];
  /** Text after `Approve` and `Reject`, such as `all 3`. Empty for a single shot. */
  readonly target: string;
  readonly approval: ApprovalContext;
  /** Whether to ask for confirmation before approving. @default false */
  readonly confirms?: boolean;
  /** Shell command that approves the shots. Null if there is none. */
  readonly command: string | null;
}

/**
 * Shows buttons that approve or reject shots. If the page was opened as a file, shows the shell command instead. Shows nothing if
 * no shot can be approved.
 */
export function DecisionButtons({ shots, target, approval, confirms = false, command }: DecisionButtonsProps) {
  const { decide, decisions } = approval;
  const [isConfirming, setConfirming] = useState(false);
  const targets = shots.filter(({ isDecidable }) => isDecidable);
  if (targets.length === 0) return null;
  if (!decide) return command === null ? null : <ApproveCommand target={target} command={command} />;
  const isDecided = (decision: string) => targets.every((shot) => decisions.get(keyOf(shot)) === decision);
  return (
    <div class="decision-buttons">
      <button
        type="button"
        class="approve"
        aria-pressed={isDecided('approved')}
        onClick={() => (confirms ? setConfirming(true) : decide('approved', targets))}
      >
        Approve{target && ` ${target}`}
      </button>
      <button
        type="button"
        class="reject"
        aria-pressed={isDecided('rejected')}
        onClick={() => decide('rejected', targets)}
      >
        Reject{target && ` ${target}`}
      </button>
      {isConfirming && (
        <ConfirmDialog
          count={targets.length}
          onConfirm={() => decide('approved', targets)}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

interface ConfirmDialogProps {
  readonly count: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function ConfirmDialog({ count, onConfirm, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (isConfirmed: boolean) => {
    dialog.current?.close();
    if (isConfirmed) onConfirm();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-label={`Approve ${count} shots?`} onClose={onClose}>
      <h2>Approve {count} shots?</h2>
      <p>Their after images become the baselines on disk.</p>
      <div class="decision-buttons">
        <button type="button" class="approve" onClick={() => close(true)}>
          Approve {count} shots
        </button>
        <button type="button" onClick={() => close(false)}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

function ApproveCommand({ target, command }: { target: string; command: string }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    // A selection lets the user copy by hand where the clipboard API is not available.
    text.current?.select();
    navigator.clipboard?.writeText(command).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const label = `To approve${target && ` ${target}`}, run`;
  return (
    <div class="approve-command">
      <span>{label}</span>
      <textarea ref={text} readonly rows={Math.min(4, command.split('\n').length)} aria-label={label} value={command} />
      <button type="button" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
