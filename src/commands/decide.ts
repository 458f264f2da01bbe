import { readFile, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { readRun } from '../baselines/index.js';
import { messageOf, ProofsheetError, print, printJson, type RunRecord } from '../model/index.js';
import { type AnsweredLine, renderAnswer } from '../report/index.js';
import { applyDecision, chooseShots, type ShotDecision } from '../review/index.js';
import { findProject, type Project, type ProjectPlaces } from '../run/index.js';
import { addPlaces } from './flags.js';
import { parseComment, type Request } from './parse-comment.js';

const EXAMPLES = `
Examples:
  proofsheet decide --comment-file comment.txt --commit "$SHA" --from proofsheet-report

Lines of the comment: /proofsheet approve all, /proofsheet approve 1 3 pricing, /proofsheet reject 2 "the price must stay".
A number is a group. A name with spaces is in quotes. The last text in quotes after a target is the reason of a rejection.
It does not check who wrote the comment. Do this first.
Exit code: 0 done, or the comment has no such line, 2 something was refused or an error occurred.`;

/** The maximum number of decisions in a comment. */
const MAX_REQUESTS = 50;

/** Adds `proofsheet decide`. */
export function addDecide(program: Command): void {
  const command = program
    .command('decide')
    .description('approve and reject what a comment of a pull request names, and print an answer')
    .requiredOption('--comment-file <path>', 'file with the text of the comment')
    .requiredOption('--commit <sha>', 'commit that the report must be of', readCommit)
    .option('--from <folder>', 'report folder (default: proofsheet-report next to the config)')
    .option('--by <name>', 'who rejects (default: the name of the user of Git)')
    .option('--at <time>', 'when the comment was written, in ISO 8601, for rejections (default: now)', readTime)
    .option('--answer <path>', 'file for the answer, in Markdown (default: standard output)')
    .addHelpText('after', EXAMPLES);
  addPlaces(command).action(run);
}

interface DecideFlags extends ProjectPlaces {
  readonly commentFile: string;
  readonly commit: string;
  readonly by?: string;
  readonly at?: Date;
  readonly answer?: string;
  readonly json?: true;
}

async function run({ commentFile, commit, by, at, answer, json, ...places }: DecideFlags): Promise<void> {
  const requests = parseComment(await readFile(commentFile, 'utf8'));
  const lines = requests.length === 0 ? [] : await answerAll(findProject(places), requests, commit, { by, at });
  const text = lines.length === 0 ? '' : renderAnswer(lines);
  const isRefused = lines.some(({ errors, decided }) => errors.length > 0 || (decided?.refused ?? []).length > 0);
  if (answer !== undefined) await writeFile(answer, text);
  if (json) printJson({ status: isRefused ? 'refused' : 'success', error: isRefused, answer: text });
  else if (answer === undefined) print(text);
  process.exitCode = isRefused ? 2 : 0;
}

/** Who wrote the comment, and when. */
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
  const { line, decision, reason } = request;
  const choose = (run: RunRecord) => chooseLine(run, request);
  try {
    const given = { decision, choose, reason: reason ?? undefined, ...author };
    return { line, decision, decided: await applyDecision(project, given), errors: [] };
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    if (!errors.every((one) => one instanceof ProofsheetError)) throw error;
    return refuse(request, errors.map(messageOf));
  }
}

function refuse({ line, decision }: Request, errors: readonly string[]): AnsweredLine {
  return { line, decision, decided: null, errors };
}

/** Selects the shots of a line, in the order of the run. One unknown name or number refuses the whole line. */
function chooseLine(run: RunRecord, { all, groups, ids }: Request): ReturnType<typeof chooseShots> {
  const none = { ids: [], all: false, new: false, group: null, project: null };
  const choices = [
    ...(all || ids.length > 0 ? [{ ...none, ids, all }] : []),
    ...groups.map((group) => ({ ...none, group })),
  ];
  // Names come first, because a rejected shot is approved only by its name.
  const chosen = new Map(
    choices
      .flatMap((choice) => chooseShots(run, choice))
      .toReversed()
      .map((one) => [one.shot, one]),
  );
  return run.shots.flatMap((shot) => chosen.get(shot) ?? []);
}

function readCommit(value: string): string {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('Expected the full hash of a commit.');
}

function readTime(value: string): Date {
  const time = new Date(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Expected a time such as 2026-11-28T10:00:00Z.');
}
