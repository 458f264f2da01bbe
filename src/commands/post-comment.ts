import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { describeWrongData, messageOf } from '../model/index.js';
import { MAX_CHARACTERS } from '../report/index.js';
import { readSummary } from '../review/index.js';

/** The report and its comment. `pull` null: the pull request of the event that started the workflow. */
export interface CommentSettings {
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  readonly pull: number | null;
  /** Address of the published report; null if there is none. */
  readonly report: string | null;
  /** Distinguishes the comments of several page lists. */
  readonly name: string;
  /** Account of the token. Comments of other accounts are ignored. */
  readonly author: string;
}

/** The result of writing a comment. `outdated`: the pull request is closed, or has a newer commit. */
export type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' | 'outdated' }
  | { readonly kind: 'refused'; readonly why: string };

const shaSchema = z.object({ sha: z.string() });
const pullSchema = z.object({ number: z.int().min(1), head: shaSchema });
const ownerSchema = z.object({ login: z.string() });
const commentSchema = z.object({ id: z.int(), body: z.string().nullish(), user: ownerSchema.nullable() });
const runSchema = z.object({
  ...{ head_sha: z.string(), head_branch: z.string(), html_url: z.url() },
  head_repository: z.object({ id: z.int(), owner: ownerSchema }),
});
/** The event that started a workflow. Only these two kinds refer to a pull request. */
const eventSchema = z.object({ pull_request: pullSchema.optional(), workflow_run: runSchema.optional() });
type GitHubEvent = z.infer<typeof eventSchema>;

/** GitHub refused a request. The message is one line, without the token. */
class Refusal extends Error {}

/**
 * Writes the summary of a finished run (`renderMarkdown`) as a comment of its pull request: creates it once and then updates it. A green run creates
 * none. `notes` are warnings for the user.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function postComment(settings: CommentSettings, env: NodeJS.ProcessEnv, timeoutMs = 20_000) {
  const { text, isGreen } = await readSummary(settings.from, MAX_CHARACTERS - FOOT_ROOM);
  const { event, notes } = await readEvent(env.GITHUB_EVENT_PATH);
  const foot = renderFoot(event, env, settings.report);
  const marker = `<!-- proofsheet:${settings.name} -->\n`;
  const body = marker + (foot === '' ? text : `${text.trimEnd()}\n\n${foot}\n`);
  const put = async (): Promise<CommentResult> => {
    const ask = connect(settings.repo, env, timeoutMs);
    const pull = settings.pull ?? event.pull_request?.number ?? (await findPull(ask, event));
    if (pull === null) return { kind: 'outdated' };
    const path = `/issues/${pull}/comments`;
    const own = await findComment(ask, path, marker, settings.author);
    if (!own && isGreen) return { kind: 'unneeded' };
    if (own && normalize(own.body) === normalize(body)) return { kind: 'unchanged' };
    const [method, place] = own ? (['PATCH', `/issues/comments/${own.id}`] as const) : (['POST', path] as const);
    await ask(method, place, commentSchema, JSON.stringify({ body }));
    return { kind: own ? 'updated' : 'created' };
  };
  const result = await put().catch((error): CommentResult => {
    if (error instanceof Refusal) return { kind: 'refused', why: error.message };
    throw error;
  });
  return { result, notes };
}

/** Characters reserved for the marker and the footer. */
const FOOT_ROOM = 1000;
/** Renders the tested commit and the link of the published report, or of the workflow run, which has the report as an artifact. */
function renderFoot(
  { workflow_run: run, pull_request: pull }: GitHubEvent,
  env: NodeJS.ProcessEnv,
  report: string | null,
): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repo, GITHUB_RUN_ID: id } = env;
  const commit = run?.head_sha ?? pull?.head.sha ?? '';
  const link = run?.html_url ?? (server && repo && id ? `${server}/${repo}/actions/runs/${id}` : '');
  const tested = /^[0-9a-f]{7,64}$/.test(commit) ? `Commit ${commit}.` : '';
  if (report !== null) return `${tested} [Open the report](<${report}>).`.trim();
  const isUrl = link.length < 500 && /^https?:\/\/[^\s<>]+$/.test(link);
  return `${tested} ${isUrl ? `The report with its images is an artifact of the [workflow run](<${link}>).` : ''}`.trim();
}

/** Reads the event of a workflow. If it is unreadable, returns an empty one with the reason. */
async function readEvent(path: string | undefined): Promise<{ event: GitHubEvent; notes: readonly string[] }> {
  try {
    return { event: path ? eventSchema.parse(JSON.parse(await readFile(path, 'utf8'))) : {}, notes: [] };
  } catch (error) {
    const why = error instanceof z.ZodError ? describeWrongData(error) : messageOf(error).replace(/\s+/g, ' ');
    return { event: {}, notes: [`${path}: the workflow event cannot be read: ${why}`] };
  }
}

type Ask = ReturnType<typeof connect>;

function connect(repo: string, { GITHUB_TOKEN: token, GITHUB_API_URL: url }: NodeJS.ProcessEnv, timeoutMs: number) {
  if (!token) throw new Refusal('GITHUB_TOKEN is not set. Add it to the environment of this step.');
  const base = `${(url ?? 'https://api.github.com').replace(/\/+$/, '')}/repos/${repo}`;
  const headers = {
    ...{ accept: 'application/vnd.github+json', 'content-type': 'application/json', 'user-agent': 'proofsheet' },
    ...{ authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
  };
  return async <T>(method: string, path: string, schema: z.ZodType<T>, body: string | null = null) => {
    const what = `${method} /repos/${repo}${path.split('?')[0]}`;
    // The token is only for this address, so redirects are not followed.
    const init = { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await fetch(base + path, init).catch((error) => {
      // The message of the error itself is only `fetch failed`.
      throw new Refusal(`GitHub did not respond to ${what}: ${messageOf(error.cause ?? error).replace(/\s+/g, ' ')}`);
    });
    const { ok, status } = response;
    if (!ok) throw new Refusal(`GitHub responded with status ${status} to ${what}${ADVICE[status] ?? ''}`);
    const { data } = schema.safeParse(await response.json().catch(() => undefined));
    if (data === undefined) throw new Refusal(`GitHub responded to ${what} with unexpected data`);
    return { data, hasNext: /\brel="next"/.test(response.headers.get('link') ?? '') };
  };
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ': GITHUB_TOKEN is not valid',
  403: ': the token lacks the permission "pull-requests: write", or the rate limit is exceeded',
  404: ': the repository or the pull request does not exist, or the token has no access to it',
};

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

/** Finds the comment that starts with the marker on all pages of the pull request. */
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
