import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from '../../model/run-record.js';
import { renderCountOf, shotKey } from '../../model/text.js';
import { renderDecisions } from '../verdict.js';
import type { ShotView } from '../view.js';
import { approveCommandFor, type Notice } from './approval.js';
import { Dialog } from './keyboard-shortcuts.js';
import { itemsOf, useReport } from './report-context.js';

export function Badges({ shot }: { shot: ShotView }) {
  const decision = useReport().approval.decidedOf(shot)?.decision;
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
  /** The group that these shots are. */
  readonly group?: string | undefined;
  /** Text after `Approve` and `Reject`. @default `all 3` for a group, none for a single shot */
  readonly target?: string;
  readonly confirms?: boolean;
  /** Shell command that approves the shots. Null if there is none. @default {@link approveCommandFor} */
  readonly command?: string | null;
}

const LABELS = { approved: 'Approve', rejected: 'Reject' } as const;

/**
 * Shows buttons that approve or reject shots, for the server or for a comment, and the reason of a rejection. If the page was opened as a file,
 * shows the shell command instead. Shows nothing if no shot can be approved.
 */
export function DecisionButtons({ shots, group, confirms = false, ...rest }: DecisionButtonsProps) {
  const { target = group && `all ${shots.length}`, command = approveCommandFor(shots, group) } = rest;
  const { decide, decidedOf } = useReport().approval;
  const [confirming, setConfirming] = useState<Decision | null>(null);
  const targets = shots.filter(({ isDecidable }) => isDecidable);
  if (targets.length === 0) return null;
  const suffix = target === undefined ? '' : ` ${target}`;
  if (!decide) return command === null ? null : <TextToCopy label={`To approve${suffix}, run`} text={command} />;
  const isDecided = (decision: Decision) => targets.every((shot) => decidedOf(shot)?.decision === decision);
  return (
    <div class="decision-buttons">
      {(['approved', 'rejected'] as const).map((decision) => (
        <button
          key={decision}
          type="button"
          class={decision === 'approved' ? 'approve' : 'reject'}
          aria-pressed={isDecided(decision)}
          onClick={() => (confirms ? setConfirming(decision) : decide(decision, targets))}
        >
          {LABELS[decision]}
          {suffix}
        </button>
      ))}
      {isDecided('rejected') && <ReasonForm shots={targets} suffix={suffix} />}
      {confirming && <ConfirmDialog shots={targets} decision={confirming} onClose={() => setConfirming(null)} />}
    </div>
  );
}

interface ConfirmDialogProps {
  readonly shots: readonly ShotView[];
  readonly decision: Decision;
  readonly onClose: () => void;
}

function ConfirmDialog({ shots, decision, onClose }: ConfirmDialogProps) {
  const { decide } = useReport().approval;
  const changes = itemsOf(shots, shots);
  const action = `${LABELS[decision]} ${renderCountOf(shots.length, 'shot')}`;
  return (
    <Dialog title={`${action} of ${renderCountOf(changes.length, 'change')}?`} onClose={onClose}>
      <ul class="confirmed-changes">
        {changes.map(({ first: { group, name, what }, members }) => (
          <li key={group ?? name}>
            <b>{group ? `Change ${group}, ${renderCountOf(members.length, 'shot')}` : name}</b> {what}
          </li>
        ))}
      </ul>
      <div class="decision-buttons">
        <button
          type="submit"
          class={decision === 'approved' ? 'approve' : 'reject'}
          onClick={() => decide?.(decision, shots)}
        >
          {action}
        </button>
        <button type="submit">Cancel</button>
      </div>
    </Dialog>
  );
}

/** Asks why shots are rejected, and shows it. It has the focus after the rejection; Enter and Escape give it back. */
function ReasonForm({ shots, suffix }: { shots: readonly ShotView[]; suffix: string }) {
  const { decide, decidedOf, asked } = useReport().approval;
  const input = useRef<HTMLInputElement>(null);
  const reasons = new Set(shots.map((shot) => decidedOf(shot)?.reason ?? ''));
  const [saved = ''] = reasons.size === 1 ? reasons : [];
  const [reason, setReason] = useState(saved);
  const isNew = reason.trim() !== '' && reason.trim() !== saved;
  const isAsked = asked?.size === shots.length && shots.every((shot) => asked.has(shotKey(shot)));
  // Layout effects run before the page is painted, so that nothing typed is lost.
  useLayoutEffect(() => setReason(saved), [saved]);
  useLayoutEffect(() => {
    if (isAsked) input.current?.focus();
  }, [isAsked]);
  const leave = () => {
    const link = input.current?.closest('.shot-card')?.querySelector('a');
    if (link) link.focus({ preventScroll: true });
    else input.current?.blur();
  };
  const save = (event: Event) => {
    event.preventDefault();
    if (isNew) decide?.('rejected', shots, reason.trim());
    else setReason(saved);
    leave();
  };
  return (
    <form class="reason-form" onSubmit={save}>
      <input
        ref={input}
        type="text"
        aria-label={`Reason of the rejection${suffix && ` of${suffix}`}`}
        placeholder="Why? Enter saves it"
        maxLength={500}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
      />
      {isNew && <button type="submit">Save the reason</button>}
    </form>
  );
}

/** Shows what was chosen in a published report as a comment for the pull request. */
export function CommentDraft() {
  const { view, approval } = useReport();
  if (!approval.comment) return null;
  const reviewed = view.shots.map((shot) => ({ ...shot, decision: approval.decidedOf(shot)?.decision ?? null }));
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
      <textarea ref={area} readonly rows={Math.min(12, text.split('\n').length)} aria-label={label} value={text} />
      <button type="button" onClick={copy}>
        {copied === text ? 'Copied' : button}
      </button>
    </div>
  );
}

/** Shows the result of the last decision, with buttons to undo it and to dismiss the toast. */
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
