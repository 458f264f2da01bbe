import { useCallback, useState } from 'preact/hooks';
import type { Decision, Undone } from '../../model/run-record.js';
import { shotKey } from '../../model/text.js';
import type { Session, ShotView } from '../view.js';

type Key = Pick<ShotView, 'project' | 'id'>;

/** The decisions of the reviewer, and the functions that send new ones to the report server. */
export interface Approval {
  /** Decides. Null if the page was opened as a file: no server records decisions. */
  readonly decide: ((decision: Decision, shots: readonly ShotView[], reason?: string) => void) | null;
  readonly undo: (() => void) | null;
  /** Returns what was decided about a shot. Another function after each decision. */
  readonly decidedOf: (shot: ShotView) => Choice | undefined;
  /** The shots that were rejected last, whose reason is asked for; null if there is nothing to ask. */
  readonly asked: ReadonlySet<string> | null;
  /** The choices as a comment for the pull request; empty before the first one. Null if the page is not published. */
  readonly comment: string | null;
}

/** What became of the last request to the report server. */
export interface Notice {
  readonly kind: 'pending' | 'decided' | 'undone' | 'failed';
  readonly title: string;
  readonly lines: readonly { readonly text: string; readonly isRefused?: boolean }[];
}

/** The response of the server. `undo` is the id to undo the decision while it is the newest one; null if it cannot be undone. */
type Answer = Undone & { readonly undo: string | null };

/** What was decided about a shot, and why it is rejected; an empty reason if there is none. */
export interface Choice {
  readonly decision: Decision;
  readonly reason: string;
}

/** Returns the approval, and the notice about the last request until it is dismissed. */
export function useApproval(shots: readonly ShotView[], session: Session | null) {
  const [decisions, setDecisions] = useState(() => readDecisions(shots));
  // After a reload, too, the newest decision can be undone.
  const [notice, setNotice] = useState<Notice | null>(session?.undo ? EARLIER : null);
  const [undoId, setUndoId] = useState(session?.undo ?? null);
  const [asked, setAsked] = useState<Approval['asked']>(null);
  const decidedOf = useCallback((shot: ShotView) => decisions.get(shotKey(shot)), [decisions]);
  const request = (body: object, toNotice: (answer: Answer, now: Decisions) => Notice) => {
    if (!session) return;
    setAsked(null);
    setNotice({ kind: 'pending', title: 'Sending…', lines: [] });
    send(session, body).then(
      (answer) => {
        const now = readDecisions(answer.record.shots);
        setDecisions(now);
        // A decision that changed nothing leaves the one before the newest.
        setUndoId(answer.undo ?? ('undo' in body ? null : undoId));
        setNotice(toNotice(answer, now));
      },
      (error: Error) => {
        setUndoId(undoId);
        setNotice({ kind: 'failed', title: error.message, lines: [] });
      },
    );
  };
  const decide = (decision: Decision, chosen: readonly ShotView[], reason?: string) => {
    const targets = chosen.filter(({ isDecidable }) => isDecidable);
    if (targets.length === 0) return;
    const body = { decision, shots: targets.map(({ project, id }) => ({ project, id })), reason };
    request(body, (answer, now) => {
      const decided = targets.map(shotKey).filter((key) => now.get(key)?.decision === decision);
      if (decision === 'rejected' && reason === undefined) setAsked(new Set(decided));
      return noticeOf('decided', `${decided.length} ${decision}`, answer);
    });
  };
  const undo = () => {
    // Clear the id at once: two key presses in a row are one request.
    setUndoId(null);
    request({ undo: undoId }, (answer) => {
      const isUndone = answer.written.length + answer.kept.length > 0;
      return noticeOf('undone', isUndone ? 'Last decision undone' : 'Nothing was undone', answer);
    });
  };
  const onUndo = undoId === null ? null : undo;
  const approval: Approval = { decide: session && decide, undo: onUndo, decidedOf, asked, comment: null };
  return { approval, notice, dismiss: () => setNotice(null) };
}

const EARLIER: Notice = { kind: 'decided', title: 'This run has decisions', lines: [] };

async function send(session: Session, request: object): Promise<Answer> {
  const response = await fetch('api/decisions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proofsheet-token': session.token },
    body: JSON.stringify(request),
  }).catch(() => {
    const advice = 'Run `npx proofsheet report` again and open the URL that it prints.';
    throw new Error(`The report server did not respond. ${advice}`);
  });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new Error(
    body.message ?? `The report server responded with status ${response.status}. No baseline was written.`,
  );
}

function noticeOf(kind: 'decided' | 'undone', title: string, { written, kept, refused, warnings }: Answer): Notice {
  const [done, failed] = kind === 'decided' ? ['written', 'refused'] : ['restored', 'not restored'];
  return {
    kind,
    title: refused.length > 0 ? `${title}, ${refused.length} ${failed}` : title,
    lines: [
      ...warnings.map((text) => ({ text })),
      ...refused.map((shot) => ({ text: `${failed}: ${nameOf(shot)}: ${shot.reason}`, isRefused: true })),
      ...(kind === 'decided' ? kept.map((shot) => ({ text: `${nameOf(shot)}: ${shot.reason}` })) : []),
      ...written.map(({ path }) => ({ text: `${done}: ${path}` })),
    ],
  };
}

/** As `nameShot`, which needs Node. */
function nameOf({ project, id }: Key): string {
  return project === '' ? id : `${id} [${project}]`;
}

type Decisions = ReadonlyMap<string, Choice>;

function readDecisions(
  shots: readonly (Key & { decision?: Decision | null; rejection?: { reason: string | null } })[],
): Decisions {
  return new Map(
    shots.flatMap(({ decision, rejection, ...shot }) => {
      return decision ? [[shotKey(shot), { decision, reason: rejection?.reason ?? '' }]] : [];
    }),
  );
}

export const APPROVE = 'npx proofsheet approve';

/** Returns the command that approves a group, or those for shots, one line per project. Returns null if the name of a shot cannot be typed. */
export function approveCommandFor(shots: readonly ShotView[], group?: string): string | null {
  if (group !== undefined) return `${APPROVE} --group ${group}`;
  const quoted = shots.flatMap((shot) => shot.quoted ?? []);
  if (quoted.length === 0 || quoted.length < shots.length) return null;
  const lines = [...new Set(quoted.map(({ project }) => project))].map((project) => {
    const ids = quoted.filter((one) => one.project === project).map(({ id }) => id);
    const option = project === '' ? '' : ` --project ${project}`;
    // A quoted dash at the start of an id still looks like an option.
    const separator = ids.some((id) => /^["']-/.test(id)) ? ' --' : '';
    return `${APPROVE}${option}${separator} ${ids.join(' ')}`;
  });
  return lines.join('\n');
}
