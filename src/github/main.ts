import { readFile } from 'node:fs/promises';
import { readRun } from '../baselines/read-run.js';
import { messageOf } from '../model/errors.js';
import type { RunRecord } from '../model/run-record.js';
import { isGreen } from '../report/format/verdict.js';
import { renderComment } from '../report/markdown/github.js';
import {
  type Answer,
  type CommentResult,
  type CommentSettings,
  eventSchema,
  type GitHub,
  type GitHubEvent,
  type PostComment,
} from './api.js';
import { findPull, putComment } from './comment.js';

/**
 * Writes the summary of a finished run as a pull request comment. Returns errors of GitHub as a result: they do not change the
 * verdict of the run.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export const postComment: PostComment = async (settings, env) => {
  const record = await readRun(settings.from);
  const { event, notes } = await readEvent(env.GITHUB_EVENT_PATH);
  return { result: await comment(settings, env, record, event), notes };
};

async function comment(
  { repo, pull, name, author }: CommentSettings,
  env: NodeJS.ProcessEnv,
  record: RunRecord,
  event: GitHubEvent,
): Promise<CommentResult> {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: url = 'https://api.github.com' } = env;
  if (!token) return { kind: 'refused', why: 'there is no GITHUB_TOKEN' };
  const github = { url: url.replace(/\/+$/, ''), token, timeoutMs: 20_000 };
  const number = pull === null ? await numberOf(github, repo, event) : answered(pull);
  if (number.kind === 'refused') return number;
  if (number.value === null) return { kind: 'refused', why: 'no open pull request has what was compared as its head' };
  const { workflow_run: run, pull_request: pullRequest } = event;
  const body = renderComment(record, {
    link: run?.html_url ?? linkOf(env),
    commit: run?.head_sha ?? pullRequest?.head.sha ?? null,
  });
  const draft = { marker: `<!-- proofsheet:${name} -->\n`, author, body, isQuiet: isGreen(record) };
  return putComment(github, { repo, number: number.value }, draft);
}

/** Reads the event file. Returns an empty event if it has no pull request or is unreadable; a note gives the reason. */
export async function readEvent(path: string | undefined): Promise<{ event: GitHubEvent; notes: readonly string[] }> {
  if (!path) return { event: {}, notes: [] };
  const unreadable = (why: string) => ({
    event: {},
    notes: [`the event of this workflow cannot be read: ${path}: ${why}`],
  });
  try {
    const { data, error } = eventSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return data
      ? { event: data, notes: [] }
      : unreadable(error.issues.slice(0, MAX_ISSUES).map(renderIssue).join('; '));
  } catch (error) {
    return unreadable(messageOf(error).split('\n')[0] ?? '');
  }
}

/** Maximum number of event issues that a note lists. */
const MAX_ISSUES = 3;

function renderIssue({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `${path.map(String).join('.') || 'the event'}: ${message.replace(/^Invalid input: /, '')}`;
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
