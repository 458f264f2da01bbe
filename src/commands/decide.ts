import { readFile, writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { readRun } from '../baselines/index.js';
import { type Decision, MAX_REASON, messageOf, ProofsheetError, type RunRecord } from '../model/index.js';
import { type AnsweredLine, renderAnswer } from '../report/index.js';
import { applyDecision, chooseShots, type ShotDecision } from '../review/index.js';
import { findProject, type Project } from '../run/index.js';
import { command, required, value } from './command.js';
import { PLACES, readMatching } from './flags.js';

const MAX_REQUESTS = 50;

export const decide = command({
  name: 'decide',
  description: 'approve and reject what a comment of a pull request names, and print an answer',
  flags: {
    commentFile: required('<path>', 'file with the text of the comment'),
    commit: required('<sha>', 'commit that the report must be of', {
      read: readMatching(/^[0-9a-f]{40}([0-9a-f]{24})?$/i, 'Expected the full hash of a commit.'),
    }),
    by: value('<name>', 'who rejects (default: the name of the user of Git)'),
    at: value('<time>', 'when the comment was written, in ISO 8601, for rejections (default: now)', { read: readTime }),
    answer: value('<path>', 'file for the answer, in Markdown (default: standard output)'),
    ...PLACES,
  },
  help: `  proofsheet decide --comment-file comment.txt --commit "$SHA" --from proofsheet-report

Lines of the comment: /proofsheet approve all, /proofsheet approve 1 3 pricing, /proofsheet reject 2 "the price must stay".
A number is a group. A name with spaces is in quotes. The last text in quotes after a target is the reason of a rejection.
It does not check who wrote the comment. Do this first.
Exit code: 0 done, or the comment has no such line, 2 something was refused or an error occurred.`,
  async run({ commentFile, commit, by, at, answer, ...places }) {
    const requests = parseComment(await readFile(commentFile, 'utf8'));
    const lines =
      requests.length === 0 ? [] : await answerAll(findProject(places), requests, commit.toLowerCase(), { by, at });
    const text = lines.length === 0 ? '' : renderAnswer(lines);
    const isRefused = lines.some(({ errors, decided }) => errors.length > 0 || (decided?.refused ?? []).length > 0);
    if (answer !== null) await writeFile(answer, text);
    return { json: { answer: text }, text: answer === null ? text : '', failure: isRefused ? 'refused' : null };
  },
});

type Author = Pick<ShotDecision, 'by' | 'at'>;

async function answerAll(
  project: Project,
  requests: readonly Request[],
  commit: string,
  author: Author,
): Promise<AnsweredLine[]> {
  const { run } = await readRun(project.folder);
  const wrong =
    run.commit?.toLowerCase() === commit ? null : `the report is of ${run.commit ?? 'no commit'}, not of ${commit}`;
  const lines: AnsweredLine[] = [];
  for (const request of requests.slice(0, MAX_REQUESTS)) {
    const why = wrong ?? request.error;
    lines.push(why === null ? await answer(project, request, author) : refuse(request, [why]));
  }
  const [more] = requests.slice(MAX_REQUESTS);
  return more ? [...lines, refuse(more, [`a comment has at most ${MAX_REQUESTS} decisions`])] : lines;
}

async function answer(project: Project, request: Request, author: Author): Promise<AnsweredLine> {
  const { line, decision, reason, all, groups, ids } = request;
  const choose = (run: RunRecord) => chooseShots(run, { ids, all, new: false, groups, project: null });
  try {
    const decided = await applyDecision(project, { decision, choose, reason, ...author });
    return { line, decision, decided, errors: [] };
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    if (!errors.every((one) => one instanceof ProofsheetError)) throw error;
    return refuse(request, errors.map(messageOf));
  }
}

function refuse({ line, decision }: Request, errors: readonly string[]): AnsweredLine {
  return { line, decision, decided: null, errors };
}

function readTime(value: string): Date {
  const time = new Date(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Expected a time such as 2026-11-28T10:00:00Z.');
}

/** A line of a comment that asks for a decision. `error` says why it cannot be understood; null if it can. */
interface Request {
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
  const plain = targets.flatMap(({ text, isQuoted }) => (isQuoted ? [] : [text]));
  return {
    line,
    decision,
    all: plain.includes('all'),
    groups: plain.filter((text) => /^\d+$/.test(text)),
    ids: targets.flatMap(({ text, isQuoted }) => (isQuoted || !/^(all|\d+)$/.test(text) ? [text] : [])),
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
