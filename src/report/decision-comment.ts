import { type Decision, hasControls, MAX_REASON } from '../model/index.js';

/** A word of a comment, and what was chosen for all shots that it names. */
export interface Choice {
  /** A group, the id of a shot, or `all`, as {@link wordOf} writes it. */
  readonly word: string;
  readonly decision: Decision;
  /** Empty if there is none. */
  readonly reason: string;
}

/**
 * Returns the word that names a shot by its id in a comment: `home`, `"about us"`, `"12"` (a number alone is a group). Null if no word can,
 * because a quotation mark has no escape, and a control character would hide what is chosen.
 */
export function wordOf(id: string): string | null {
  if (/["“”]/.test(id) || hasControls(id) || id.trim() === '') return null;
  return /\s|^\d+$|^all$/.test(id) ? `"${id}"` : id;
}

/** Renders the comment that `proofsheet decide` carries out, one line for each decision and reason. */
export function renderComment(choices: readonly Choice[]): string {
  const lines: { readonly start: string; readonly words: string[]; readonly end: string }[] = [];
  for (const { word, decision, reason } of choices) {
    const start = `/proofsheet ${decision === 'approved' ? 'approve' : 'reject'}`;
    const end = decision === 'rejected' && reason !== '' ? ` "${quotable(reason)}"` : '';
    const last = lines.at(-1);
    // The last text in quotes after a target would be the reason.
    const isReason = decision === 'rejected' && end === '' && word.startsWith('"');
    if (last?.start === start && last.end === end && !isReason) last.words.push(word);
    else lines.push({ start, words: [word], end });
  }
  return lines.map(({ start, words, end }) => `${start} ${words.join(' ')}${end}`).join('\n');
}

/** A reason has no quotation marks, and stands on one line. */
function quotable(reason: string): string {
  return reason.replace(/["“”]/g, "'").replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
}
