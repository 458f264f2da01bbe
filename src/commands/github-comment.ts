import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { invalidCommand, messageOf, parseJson } from '../model/index.js';
import { readSummary } from '../review/index.js';
import { command, flag, off, preset, type Values, value } from './command.js';
import { isHttpUrl, JSON_FLAG, readMatching } from './flags.js';

const shaSchema = z.object({ sha: z.string() });
const ownerSchema = z.object({ login: z.string() });
const pullSchema = z.object({ number: z.int().min(1), head: shaSchema });
const runSchema = z.object({
  ...{ head_sha: z.string(), head_branch: z.string(), html_url: z.url() },
  head_repository: z.object({ id: z.int(), owner: ownerSchema }),
});
/** The event that started a workflow. Only these two kinds refer to a pull request. */
const eventSchema = z.object({ pull_request: pullSchema.optional(), workflow_run: runSchema.optional() });
type GitHubEvent = z.infer<typeof eventSchema>;
const commentSchema = z.object({ id: z.int(), body: z.string().nullish(), user: ownerSchema.nullable() });

const DEFAULT_NAME = 'proofsheet';

const FLAGS = {
  from: preset('<folder>', 'report folder', 'proofsheet-report'),
  repo: value('<name>', 'repository as owner/name (default: GITHUB_REPOSITORY)'),
  pr: value('<number>', 'number of the pull request (default: from the event in GITHUB_EVENT_PATH)', {
    read: readMatching(/^[1-9]\d{0,9}$/, 'Expected the number of a pull request.'),
  }),
  report: value('<url>', 'address that proofsheet publish printed, for links and pictures', { read: readUrl }),
  pictures: off('no pictures in the comment, for a report that GitHub cannot read'),
  status: flag('also set the commit status "proofsheet"; the token needs the permission "statuses: write"'),
  name: preset('<word>', 'name of the comment, if a repository has several page lists', DEFAULT_NAME, {
    read: readMatching(/^[\w.-]{1,50}$/, 'Expected 1 to 50 letters, digits, dots, underscores or hyphens.'),
  }),
  author: preset('<login>', 'account of the token, to find its existing comment', 'github-actions[bot]'),
};

export const githubComment = command({
  name: 'github-comment',
  description: 'post the summary of a finished run as a comment on its pull request',
  flags: { ...FLAGS, ...JSON_FLAG },
  help: `  proofsheet github-comment --from proofsheet-report --repo octo/site --pr 12

For CI. Creates one comment and updates it in later runs. If all shots pass, it only updates an existing comment.
It runs no code from the report folder.

Environment: GITHUB_TOKEN; GITHUB_API_URL for GitHub Enterprise Server.
Exit code: 0 done, 2 GitHub refused the comment or an error occurred.`,
  async run(flags) {
    const { result, notes } = await postComment(flags, process.env);
    const isRefused = result.kind === 'refused';
    const message = isRefused ? `no comment was posted: ${result.why}` : MESSAGES[result.kind];
    return {
      json: { comment: result.kind, message },
      text: isRefused ? '' : `proofsheet: ${message}\n`,
      remarks: isRefused ? [...notes, message] : notes,
      failure: isRefused ? 'refused' : null,
    };
  },
});

/** The result of writing a comment. `outdated`: the pull request is closed, or has a newer commit. */
type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' | 'outdated' }
  | { readonly kind: 'refused'; readonly why: string };

const MESSAGES: Readonly<Record<Exclude<CommentResult['kind'], 'refused'>, string>> = {
  created: 'the comment was created',
  updated: 'the comment was updated',
  unchanged: 'the comment is already up to date',
  unneeded: 'no comment is needed: all shots passed',
  outdated: 'no comment was posted: no open pull request has the tested commit as its head',
};

function checkRepo(repo: string): string {
  if (/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(repo)) return repo;
  const found = repo === '' ? 'the repository is missing' : `--repo is "${repo}"; expected owner/name`;
  throw invalidCommand('proofsheet github-comment', found, 'Use --repo owner/name.');
}

function readUrl(value: string): string {
  if (/^https?:\/\/[^\s<>]{1,490}$/.test(value) && isHttpUrl(value)) return value;
  throw new InvalidArgumentError('Expected an http:// or https:// URL.');
}

export type CommentFlags = Values<typeof FLAGS>;

/**
 * Writes the summary of a finished run as a comment of its pull request: creates it once and then updates it. A green run creates none. Sets the
 * commit status if that is wanted. `notes` are warnings for the user.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function postComment(flags: CommentFlags, env: NodeJS.ProcessEnv, timeoutMs = 20_000) {
  const { name, report } = flags;
  const repo = checkRepo(flags.repo ?? env.GITHUB_REPOSITORY ?? '');
  const published = report === null ? null : { url: report, hasPictures: flags.pictures };
  const summary = await readSummary(flags.from, published);
  const ask = connect(repo, env, timeoutMs);
  const event = readEvent(env);
  // The commit that was tested, not the merge commit that GitHub checks out for a pull request.
  const commit = event.workflow_run?.head_sha ?? event.pull_request?.head.sha ?? null;
  const workflow = event.workflow_run?.html_url ?? workflowIn(env);
  const marker = `<!-- proofsheet:${name} -->\n`;
  const foot = renderFoot(commit, report, workflow);
  const body = marker + (foot === '' ? summary.text : `${summary.text.trimEnd()}\n\n${foot}\n`);
  const put = async (): Promise<CommentResult> => {
    const pull = flags.pr ?? event.pull_request?.number ?? (await findPull(ask, event));
    if (pull === null) return { kind: 'outdated' };
    const path = `/issues/${pull}/comments`;
    const own = await findComment(ask, path, marker, flags.author);
    if (!own && summary.isGreen) return { kind: 'unneeded' };
    if (own && normalize(own.body) === normalize(body)) return { kind: 'unchanged' };
    const [method, place] = own ? (['PATCH', `/issues/comments/${own.id}`] as const) : (['POST', path] as const);
    await ask(method, place, commentSchema, JSON.stringify({ body }));
    return { kind: own ? 'updated' : 'created' };
  };
  const setStatus = async () => {
    const tested = commit ?? summary.commit;
    // The record of a report is untrusted.
    if (!tested || !/^[0-9a-f]{7,64}$/.test(tested)) throw new Refusal('the tested commit is not known');
    const status = {
      state: summary.isGreen ? 'success' : 'failure',
      context: name === DEFAULT_NAME ? name : `${DEFAULT_NAME}/${name}`,
      description: summary.status.slice(0, MAX_DESCRIPTION),
      target_url: report ?? workflow,
    };
    await ask('POST', `/statuses/${tested}`, z.object({ id: z.int() }), JSON.stringify(status));
    return [];
  };
  const result = await put().catch(unlessRefused((why): CommentResult => ({ kind: 'refused', why })));
  const unset = (why: string) => [`no commit status was set: ${why}`];
  const notes = flags.status ? await setStatus().catch(unlessRefused(unset)) : [];
  return { result, notes };
}

function unlessRefused<T>(answer: (why: string) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Refusal) return answer(error.message);
    throw error;
  };
}

const MAX_DESCRIPTION = 140;

/** Renders the tested commit and the link of the published report, or of the workflow run, which has the report as an artifact. */
function renderFoot(commit: string | null, report: string | null, workflow: string | null): string {
  const tested = commit && `Commit ${commit}.`;
  const artifact = workflow && `The report with its images is an artifact of the [workflow run](<${workflow}>).`;
  return [tested, report ? `[Open the report](<${report}>).` : artifact].filter(Boolean).join(' ');
}

function workflowIn({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repo, GITHUB_RUN_ID: id }: NodeJS.ProcessEnv) {
  return server && repo && id ? `${server}/${repo}/actions/runs/${id}` : null;
}

/** Reads the event of the workflow. Servers other than GitHub have other events, which say nothing. */
function readEvent({ GITHUB_EVENT_PATH: path }: NodeJS.ProcessEnv): GitHubEvent {
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : '';
  return eventSchema.safeParse(parseJson(text)).data ?? {};
}

/** Finds the open pull request of a workflow run by its head. A report could name another one, so the report is not used. */
async function findPull(ask: Ask, { workflow_run: run }: GitHubEvent): Promise<number | null> {
  if (!run) throw new Refusal('the event of this workflow has no pull request. Use --pr.');
  const { head_repository: head, head_branch: branch, head_sha: sha } = run;
  const query = new URLSearchParams({ state: 'open', per_page: '100', head: `${head.owner.login}:${branch}` });
  const repo = z.object({ id: z.int() }).nullable();
  const schema = z.array(pullSchema.extend({ head: shaSchema.extend({ repo }) }));
  const { data } = await ask('GET', `/pulls?${query}`, schema);
  return data.find((pull) => pull.head.sha === sha && pull.head.repo?.id === head.id)?.number ?? null;
}

async function findComment(ask: Ask, path: string, marker: string, author: string) {
  for (let page = 1, hasNext = true; hasNext; page++) {
    const answer = await ask('GET', `${path}?per_page=100&page=${page}`, z.array(commentSchema));
    const own = answer.data.find(({ user, body }) => user?.login === author && normalize(body).startsWith(marker));
    if (own) return own;
    hasNext = answer.hasNext;
  }
  return null;
}

/** GitHub returns line breaks as `\r\n`. */
function normalize(body: string | null | undefined): string {
  return (body ?? '').replaceAll('\r\n', '\n').trimEnd();
}

/** GitHub refused a request. The message is one line, without the token. */
class Refusal extends Error {}

type Ask = ReturnType<typeof connect>;

/** Returns a function that sends requests about a repository. */
function connect(repo: string, { GITHUB_TOKEN: token, GITHUB_API_URL: url }: NodeJS.ProcessEnv, timeoutMs: number) {
  const base = `${(url ?? 'https://api.github.com').replace(/\/+$/, '')}/repos/${repo}`;
  const headers = {
    ...{ accept: 'application/vnd.github+json', 'content-type': 'application/json', 'user-agent': 'proofsheet' },
    ...{ authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
  };
  return async <T>(method: string, path: string, schema: z.ZodType<T>, body: string | null = null) => {
    if (!token) throw new Refusal('GITHUB_TOKEN is not set. Add it to the environment of this step.');
    const what = `${method} /repos/${repo}${path.split('?')[0]}`;
    // The token is only for this address, so redirects are not followed.
    const init = { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await fetch(base + path, init).catch((error) => {
      // The message of the error itself is only `fetch failed`.
      throw new Refusal(`GitHub did not respond to ${what}: ${messageOf(error.cause ?? error).replace(/\s+/g, ' ')}`);
    });
    const { ok, status } = response;
    if (!ok) throw new Refusal(`GitHub responded with status ${status} to ${what}${adviseStatus(status, path)}`);
    const { data } = schema.safeParse(await response.json().catch(() => undefined));
    if (data === undefined) throw new Refusal(`GitHub responded to ${what} with unexpected data`);
    return { data, hasNext: /\brel="next"/.test(response.headers.get('link') ?? '') };
  };
}

function adviseStatus(status: number, path: string): string {
  const right = path.startsWith('/statuses/') ? 'statuses: write' : 'pull-requests: write';
  const advice: Readonly<Record<number, string>> = {
    401: ': GITHUB_TOKEN is not valid',
    403: `: the token lacks the permission "${right}", or the rate limit is exceeded`,
    404: ': the repository or the pull request does not exist, or the token has no access to it',
  };
  return advice[status] ?? '';
}
