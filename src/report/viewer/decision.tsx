import { useRef, useState } from 'preact/hooks';
import type { ShotView } from '../view.js';
import type { Desk } from './app.js';
import { keyOf } from './decide.js';

/** What can be decided on at once, and how it is called. */
interface Properties {
  readonly shots: readonly ShotView[];
  /** As it follows `Approve`; empty: one shot. */
  readonly what: string;
  readonly desk: Desk;
  /** What is to be typed where the page cannot do it; null: there is nothing that can be. */
  readonly command: string | null;
}

/** Approves or rejects shots at a click where the page is served, and shows what to type where it is a file. */
export function Decide({ shots, what, desk: { decide, decisions }, command }: Properties) {
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
        onClick={() => decide('approved', targets)}
      >
        Approve{what && ` ${what}`}
      </button>
      <button type="button" class="reject" aria-pressed={isAll('rejected')} onClick={() => decide('rejected', targets)}>
        Reject{what && ` ${what}`}
      </button>
    </div>
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
export function Decided({ shot, desk }: { shot: ShotView; desk: Desk }) {
  const decision = desk.decisions.get(keyOf(shot));
  return decision ? <span class={`badge ${decision}`}>{decision}</span> : null;
}
