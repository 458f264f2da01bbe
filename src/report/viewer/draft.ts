import { useCallback, useState } from 'preact/hooks';
import { type Decision, MAX_REASON } from '../../model/run-record.js';
import { hasControls, shotKey } from '../../model/text.js';
import { groupBy } from '../group-by.js';
import type { ReportView, ShotView } from '../view.js';
import type { Approval, Choice, Notice } from './approval.js';
import { membersOf } from './report-context.js';

/** What was chosen, by the id of a shot: in a comment, it names the shots of all projects. */
export type Choices = ReadonlyMap<string, Choice>;

/**
 * Returns the approval of a published report: the reviewer chooses, and posts the choices as a comment on the pull request. The choices are kept
 * until the tab is closed.
 */
export function useDraft({ scope, shots }: ReportView) {
  const place = `proofsheet ${location.pathname} ${scope}`;
  const [choices, setChoices] = useState(() => readChoices(place));
  const [earlier, setEarlier] = useState<readonly Choices[]>([]);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [asked, setAsked] = useState<Approval['asked']>(null);
  const decidedOf = useCallback((shot: ShotView) => decidedIn(choices, shot), [choices]);
  const keep = (now: Choices) => {
    setChoices(now);
    try {
      sessionStorage.setItem(place, JSON.stringify([...now]));
    } catch {
      // Some browsers have no storage for files. The choices then end with the page.
    }
  };
  const decide = (decision: Decision, chosen: readonly ShotView[], reason = '') => {
    const targets = chosen.filter(({ isDecidable }) => isDecidable);
    if (targets.length === 0) return;
    const words = wordsFor(decision, targets, shots);
    if (words === null) {
      setNotice(notify('failed', 'A comment cannot name this shot. Use the command line.'));
      return;
    }
    setEarlier([...earlier, choices]);
    keep(new Map([...choices, ...targets.map(({ id }) => [id, { decision, reason }] as const)]));
    setAsked(decision === 'rejected' && reason === '' ? new Set(targets.map(shotKey)) : null);
    const target = words.length > 3 ? `${words.length} changes` : words.join(' ');
    setNotice(notify('decided', `To ${VERBS[decision]}: ${target}`));
  };
  const undo = () => {
    keep(earlier.at(-1) ?? new Map());
    setEarlier(earlier.slice(0, -1));
    setNotice(notify('undone', 'Last choice undone'));
  };
  const onUndo = earlier.length === 0 ? null : undo;
  const approval: Approval = { decide, undo: onUndo, decidedOf, asked, comment: renderComment(choices, shots) };
  return { approval, notice, dismiss: () => setNotice(null) };
}

function notify(kind: Notice['kind'], title: string): Notice {
  return { kind, title, lines: [] };
}

function decidedIn(choices: Choices, { id, isDecidable, decision, rejection }: ShotView): Choice | undefined {
  const chosen = isDecidable ? choices.get(id) : undefined;
  return chosen ?? (decision && { decision, reason: rejection?.reason ?? '' });
}

function readChoices(place: string): Choices {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(place) ?? '[]'));
  } catch {
    return new Map();
  }
}

/**
 * Returns the words that name shots: `all`, the groups whose shots are all among them, and ids. Null if a shot has no word. `decide` refuses `all`
 * if a shot has an error, and approves a rejected shot only by its id.
 */
export function wordsFor(
  decision: Decision,
  targets: readonly ShotView[],
  shots: readonly ShotView[],
): readonly string[] | null {
  const ids = new Set(targets.map(({ id }) => id));
  const isIncluded = (shot: ShotView) => ids.has(shot.id) && !(decision === 'approved' && shot.decision === 'rejected');
  const all = shots.filter(({ needsReview }) => needsReview);
  if (decision === 'approved' && all.length > 1 && all.every(isIncluded)) return ['all'];
  const words = new Set<string>();
  for (const shot of targets) {
    const { group = '' } = shot;
    if (words.has(group)) continue;
    const isWhole = membersOf(shot, shots).every((one) => isIncluded(one) || !one.isDecidable);
    const word = /^\d+$/.test(group) && isWhole ? group : wordOf(shot.id);
    if (word === null) return null;
    words.add(word);
  }
  return [...words];
}

/**
 * Returns the word that names a shot by its id in a comment: `home`, `"about us"`, `"12"` (a number alone is a group). Null if no word can,
 * because a quotation mark has no escape, and a control character would hide what is chosen.
 */
export function wordOf(id: string): string | null {
  if (/["“”]/.test(id) || hasControls(id) || id.trim() === '') return null;
  return /\s|^\d+$|^all$/.test(id) ? `"${id}"` : id;
}

const VERBS = { approved: 'approve', rejected: 'reject' } as const;

/** Renders the comment that `proofsheet decide` carries out: the shots of each decision and reason. */
export function renderComment(choices: Choices, shots: readonly ShotView[]): string {
  const chosen = shots.filter(({ id, isDecidable }) => isDecidable && choices.has(id));
  const alike = groupBy(chosen, ({ id }) => JSON.stringify(choices.get(id)));
  const lines = [...alike].flatMap(([key, targets]) => {
    const choice: Choice = JSON.parse(key);
    return renderLines(choice, wordsFor(choice.decision, targets, shots) ?? []);
  });
  return lines.join('\n');
}

/** Renders what was chosen for the shots that words name. A reason has no quotation marks, and stands on one line. */
export function renderLines({ decision, reason }: Choice, words: readonly string[]): string[] {
  const start = `/proofsheet ${VERBS[decision]}`;
  const text = reason.replace(/["“”]/g, "'").replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
  if (decision === 'approved' || text !== '')
    return [[start, ...words, ...(decision === 'rejected' ? [`"${text}"`] : [])].join(' ')];
  // The last text in quotes after a target would be the reason.
  const [quoted, plain] = [true, false].map((isQuoted) => words.filter((word) => word.startsWith('"') === isQuoted));
  return [...(plain?.length ? [plain] : []), ...(quoted ?? []).map((word) => [word])].map((line) =>
    [start, ...line].join(' '),
  );
}
