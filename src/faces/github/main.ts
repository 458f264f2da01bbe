import { readFile } from 'node:fs/promises';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { eventSchema, type GitHubEvent } from '../../model/github.js';
import { readRun } from '../../record/read-run.js';
import { renderComment } from '../../report/render-comment.js';
import { isGreen } from '../../report/verdict.js';
import type { Answer, GitHub } from './api.js';
import { type CommentArguments, readArguments, USAGE } from './arguments.js';
import { type Commented, putComment } from './comment.js';
import { findPull } from './find-pull.js';

/**
 * Runs `proofsheet github-comment`. What GitHub refuses is one line on standard error and exit code 0: whether the pages
 * are right was decided elsewhere.
 *
 * @param argv without the program, the script and the command.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const asked = readArguments(argv, process.env);
    if (asked === null) process.stdout.write(USAGE);
    else tell(await comment(asked, process.env));
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    process.stderr.write(`proofsheet: ${error.message}\n`);
    process.exitCode = 2;
  }
}

async function comment(
  { from, repo, pull, name, author }: CommentArguments,
  env: NodeJS.ProcessEnv,
): Promise<Commented> {
  const record = await readRun(from);
  const event = await readEvent(env.GITHUB_EVENT_PATH);
  const { GITHUB_TOKEN: token, GITHUB_API_URL: url = 'https://api.github.com' } = env;
  if (!token) return { kind: 'refused', why: 'there is no GITHUB_TOKEN' };
  const github = { url: url.replace(/\/+$/, ''), token, timeoutMs: 20_000 };
  const number = pull === null ? await numberOf(github, repo, event) : answered(pull);
  if (number.kind === 'refused') return number;
  if (number.value === null) return { kind: 'refused', why: 'no open pull request has what was compared as its head' };
  const { workflow_run: run, pull_request: own } = event;
  const body = renderComment(record, {
    link: run?.html_url ?? linkOf(env),
    commit: run?.head_sha ?? own?.head.sha ?? null,
  });
  const draft = { marker: `<!-- proofsheet:${name} -->\n`, author, body, isQuiet: isGreen(record) };
  return putComment(github, { repo, number: number.value }, draft);
}

function tell(commented: Commented): void {
  switch (commented.kind) {
    case 'created':
    case 'updated':
      process.stdout.write(`proofsheet: the comment was ${commented.kind}\n`);
      return;
    case 'unchanged':
      process.stdout.write('proofsheet: the comment says so already\n');
      return;
    case 'unneeded':
      process.stdout.write('proofsheet: all is green and there is no comment yet, so none was made\n');
      return;
    case 'refused':
      process.stderr.write(`proofsheet: no comment was made: ${commented.why}\n`);
      return;
    default:
      commented satisfies never;
  }
}

/** Of an event that has to do with no pull request, or cannot be read, nothing is known. */
async function readEvent(path: string | undefined): Promise<GitHubEvent> {
  if (!path) return {};
  try {
    return eventSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    process.stderr.write(`proofsheet: the event of this workflow cannot be read: ${messageOf(error).split('\n')[0]}\n`);
    return {};
  }
}

async function numberOf(github: GitHub, repo: string, event: GitHubEvent): Promise<Answer<number | null>> {
  if (event.pull_request) return answered(event.pull_request.number);
  if (event.workflow_run) return findPull(github, repo, event.workflow_run);
  return { kind: 'refused', why: 'neither --pr nor the event of this workflow names a pull request' };
}

function answered(value: number): Answer<number> {
  return { kind: 'answered', value, hasNext: false };
}

function linkOf({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repo,
  GITHUB_RUN_ID: id,
}: NodeJS.ProcessEnv): string | null {
  return server && repo && id ? `${server}/${repo}/actions/runs/${id}` : null;
}
