import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import type { ApprovalContext } from '../page-data.js';
import { keyOf } from './decide.js';

/** What can be decided on at once, and how it is called. */
interface Properties {
  readonly shots: readonly ShotView[];
  /** As it follows `Approve`; empty: one shot. */
  readonly what: string;
  readonly desk: ApprovalContext;
  /** Asks before it approves: nobody has looked at each of them. */
  readonly asks?: boolean;
  /** What is to be typed where the page cannot do it; null: there is nothing that can be. */
  readonly command: string | null;
}

/** Approves or rejects shots at a click where the page is served, and shows what to type where it is a file. */
export function Decide({ shots, what, desk: { decide, decisions }, asks = false, command }: Properties) {
  const [isAsking, setAsking] = useState(false);
  const targets = shots.filter(({ isDecidable }) => isDecidable);
  if (targets.length === 0) return null;
  if (!decide) return command === null ? null : <Command what={what} command={command} />;
  const isAll = (decision: string) => targets.every((shot) => decisions.get(keyOf(shot)) === decision);
  return (
    <div class="decide">
      <button
        type="button"
        class="approve"
        aria-pressed={isAll('approved')}
        onClick={() => (asks ? setAsking(true) : decide('approved', targets))}
      >
        Approve{what && ` ${what}`}
      </button>
      <button type="button" class="reject" aria-pressed={isAll('rejected')} onClick={() => decide('rejected', targets)}>
        Reject{what && ` ${what}`}
      </button>
      {isAsking && (
        <Confirm count={targets.length} onYes={() => decide('approved', targets)} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

interface Question {
  readonly count: number;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Asks whether to approve many shots, in a dialog. */
function Confirm({ count, onYes, onClose }: Question) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const answer = (isYes: boolean) => {
    dialog.current?.close();
    if (isYes) onYes();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-label={`Approve ${count} shots?`} onClose={onClose}>
      <h2>Approve {count} shots?</h2>
      <p>Their images become the baselines on disk.</p>
      <div class="decide">
        <button type="button" class="approve" onClick={() => answer(true)}>
          Approve {count} shots
        </button>
        <button type="button" onClick={() => answer(false)}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

/** Shows a command to be copied. */
function Command({ what, command }: { what: string; command: string }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    text.current?.select();
    navigator.clipboard?.writeText(command).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const label = `To approve${what && ` ${what}`}, type`;
  return (
    <div class="command">
      <span>{label}</span>
      <textarea ref={text} readonly rows={Math.min(4, command.split('\n').length)} aria-label={label} value={command} />
      <button type="button" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

/** Shows what was decided on a shot. */
export function Decided({ shot, desk }: { shot: ShotView; desk: ApprovalContext }) {
  const decision = desk.decisions.get(keyOf(shot));
  return decision ? <span class={`badge ${decision}`}>{decision}</span> : null;
}
