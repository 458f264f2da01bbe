import { type Decision, MAX_REASON } from '../model/index.js';

/** A line of a comment that asks for a decision. `error` says why it cannot be understood; null if it can. */
export interface Request {
  readonly line: string;
  readonly decision: Decision;
  readonly all: boolean;
  readonly groups: readonly string[];
  readonly ids: readonly string[];
  readonly reason: string | null;
  readonly error: string | null;
}

/** Reads the lines `/proofsheet approve …` and `/proofsheet reject …` of a comment. Other text, quotes and code blocks are ignored. */
export function parseComment(comment: string): Request[] {
  let fence = '';
  return comment.split(/\r\n|\r|\n/).flatMap((text) => {
    const line = text.trim();
    const [mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (line.startsWith(fence) && line === line[0]?.repeat(line.length)) fence = '';
    const isCode = fence !== '' || /^( {4}|\t)/.test(text);
    return !isCode && /^\/proofsheet(\s|$)/.test(line) ? [parseLine(line)] : [];
  });
}

function parseLine(line: string): Request {
  const [, verb = '', rest = ''] = /^\/proofsheet\s*(\S*)\s*(.*)$/.exec(line) ?? [];
  const decision = verb === 'reject' ? 'rejected' : 'approved';
  const words = [...rest.matchAll(/["“”]([^"“”]*)["“”]|([^\s"“”]+)/g)].map(([, quoted, word = '']) => ({
    text: quoted ?? word,
    isQuoted: quoted !== undefined,
  }));
  const last = words.at(-1);
  const reason = decision === 'rejected' && last?.isQuoted && words.length > 1 ? last.text : null;
  const targets = reason === null ? words : words.slice(0, -1);
  const isAll = (word: (typeof words)[number]) => !word.isQuoted && word.text === 'all';
  const isGroup = (word: (typeof words)[number]) => !word.isQuoted && /^\d+$/.test(word.text);
  return {
    line,
    decision,
    all: targets.some(isAll),
    groups: targets.filter(isGroup).map(({ text }) => text),
    ids: targets.filter((word) => !isAll(word) && !isGroup(word)).map(({ text }) => text),
    reason,
    error: errorOf(verb, rest, targets.length, reason ?? ''),
  };
}

function errorOf(verb: string, rest: string, targets: number, reason: string): string | null {
  if (verb !== 'approve' && verb !== 'reject') return 'expected approve or reject';
  if ((rest.match(/["“”]/g) ?? []).length % 2 === 1) return 'a quotation mark is missing';
  if (targets === 0) return 'expected all, numbers of groups, or names';
  return reason.length > MAX_REASON ? `the reason has more than ${MAX_REASON} characters` : null;
}
