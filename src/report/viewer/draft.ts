import { useMemo, useState } from 'preact/hooks';
import type { Decision } from '../../model/run-record.js';
import { shotKey } from '../../model/text.js';
import { type Choice, renderComment, wordOf } from '../decision-comment.js';
import type { ReportView, ShotView } from '../view.js';
import { type Approval, type Decisions, type Notice, readDecisions, decisionsOf as readShots } from './approval.js';

/**
 * Returns the approval of a published report: the reviewer chooses, and posts the choices as a comment on the pull request. The choices are kept
 * until the tab is closed.
 */
export function useDraft({ scope, shots }: ReportView) {
  const index = useMemo(() => indexWords(shots), [shots]);
  const place = `proofsheet ${location.pathname} ${scope}`;
  const [choices, setChoices] = useState(() => readChoices(place, index));
  const [earlier, setEarlier] = useState<readonly (readonly Choice[])[]>([]);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [asked, setAsked] = useState<Approval['asked']>(null);
  const keep = (now: readonly Choice[]) => {
    setChoices(now);
    try {
      sessionStorage.setItem(place, JSON.stringify(now));
    } catch {
      // Some browsers have no storage for files. The choices then end with the page.
    }
  };
  const decide = (decision: Decision, chosen: readonly ShotView[], reason = '') => {
    const targets = chosen.filter(({ isDecidable }) => isDecidable);
    if (targets.length === 0) return;
    const words = wordsFor(decision, targets, index);
    if (words === null) {
      setNotice(notify('failed', 'A comment cannot name this shot. Use the command line.'));
      return;
    }
    setEarlier([...earlier, choices]);
    keep(addChoices(choices, words, { decision, reason }, index));
    const [to, target] = [
      decision === 'approved' ? 'approve' : 'reject',
      words.length > 3 ? `${words.length} changes` : words.join(' '),
    ];
    setAsked(decision === 'rejected' && reason === '' ? new Set(targets.map(shotKey)) : null);
    setNotice(notify('decided', `To ${to}: ${target}`));
  };
  const undo = () => {
    keep(earlier.at(-1) ?? []);
    setEarlier(earlier.slice(0, -1));
    setNotice(notify('undone', 'Last choice undone'));
  };
  const decisions = useMemo(() => decisionsOf(choices, index, shots), [choices, index]);
  const approval: Approval = {
    decide,
    undo: earlier.length === 0 ? null : undo,
    ...readDecisions(decisions),
    asked,
    comment: renderComment(choices),
  };
  return { approval, notice, dismiss: () => setNotice(null) };
}

function notify(kind: Notice['kind'], title: string): Notice {
  return { kind, title, lines: [] };
}

/** The shots that each word of a comment names. An id names the shot in all projects. */
export type WordIndex = ReadonlyMap<string, readonly ShotView[]>;

const isGroup = (word: string | undefined) => word !== undefined && /^\d+$/.test(word);

export function indexWords(shots: readonly ShotView[]): WordIndex {
  const index = new Map<string, ShotView[]>([['all', shots.filter(({ needsReview }) => needsReview)]]);
  for (const shot of shots) {
    for (const word of [wordOf(shot.id), isGroup(shot.group) ? shot.group : null]) {
      const named = word ? index.get(word) : undefined;
      if (named) named.push(shot);
      else if (word) index.set(word, [shot]);
    }
  }
  return index;
}

/** Reads the choices of this tab. Ignores what names no shot of the report. */
function readChoices(place: string, index: WordIndex): readonly Choice[] {
  try {
    const stored: readonly Choice[] = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return stored.filter(({ word }) => index.has(word));
  } catch {
    return [];
  }
}

/**
 * Returns the words that name shots: `all`, the groups whose shots are all among them, and ids. Null if a shot has no word.
 *
 * `all` is for approvals only, and if nothing else did not pass: `decide` refuses shots with an error.
 */
export function wordsFor(decision: Decision, targets: readonly ShotView[], index: WordIndex): readonly string[] | null {
  const chosen = new Set(targets.map(shotKey));
  const all = index.get('all') ?? [];
  if (decision === 'approved' && all.length > 1 && all.every((shot) => chosen.has(shotKey(shot)))) return ['all'];
  const words = new Set<string>();
  for (const { id, group } of targets) {
    if (group !== undefined && words.has(group)) continue;
    const members = isGroup(group) ? index.get(group ?? '') : undefined;
    const isWhole = members?.every((shot) => chosen.has(shotKey(shot)) || !shot.isDecidable);
    const word = isWhole ? group : wordOf(id);
    if (!word) return null;
    words.add(word);
  }
  return [...words];
}

/** Adds choices. One whose shots are all chosen anew is dropped. */
export function addChoices(
  choices: readonly Choice[],
  words: readonly string[],
  choice: Omit<Choice, 'word'>,
  index: WordIndex,
): readonly Choice[] {
  const chosen = new Set(words.flatMap((word) => index.get(word) ?? []));
  const left = choices.filter(({ word }) => !index.get(word)?.every((shot) => chosen.has(shot)));
  return [...left, ...words.map((word) => ({ word, ...choice }))];
}

/** Carries out choices as `proofsheet decide` does: in their order, and a rejected shot is approved only by its id. */
export function decisionsOf(choices: readonly Choice[], index: WordIndex, shots: readonly ShotView[]): Decisions {
  const decisions = new Map(readShots(shots));
  for (const { word, decision, reason } of choices) {
    const isName = word !== 'all' && !isGroup(word);
    for (const shot of index.get(word) ?? []) {
      const isKept = decision === 'approved' && !isName && decisions.get(shotKey(shot))?.decision === 'rejected';
      if (shot.isDecidable && !isKept) decisions.set(shotKey(shot), { decision, reason });
    }
  }
  return decisions;
}
