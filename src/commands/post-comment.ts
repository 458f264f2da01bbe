import { z } from 'zod';
import { MAX_CHARACTERS } from '../report/index.js';
import { readSummary } from '../review/index.js';
import {
  type Ask,
  connect,
  type GitHubEvent,
  ownerSchema,
  pullSchema,
  Refusal,
  readEvent,
  shaSchema,
} from './github-api.js';

/** The report and its comment. `pull` null: the pull request of the event that started the workflow. */
export interface CommentSettings {
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  readonly pull: number | null;
  /** Address of the published report; null if there is none. */
  readonly report: string | null;
  /** Whether the comment shows the pictures of the published report. */
  readonly pictures: boolean;
  /** Whether the tested commit gets a status. */
  readonly status: boolean;
  /** Distinguishes the comments of several page lists. */
  readonly name: string;
  /** Account of the token. Comments of other accounts are ignored. */
  readonly author: string;
}

/** The result of writing a comment. `outdated`: the pull request is closed, or has a newer commit. */
export type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' | 'outdated' }
  | { readonly kind: 'refused'; readonly why: string };

const commentSchema = z.object({ id: z.int(), body: z.string().nullish(), user: ownerSchema.nullable() });

/**
 * Writes the summary of a finished run (`renderMarkdown`) as a comment of its pull request: creates it once and then updates it. A green run creates
 * none. Sets the commit status if that is wanted. `notes` are warnings for the user.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function postComment(settings: CommentSettings, env: NodeJS.ProcessEnv, timeoutMs = 20_000) {
  const { repo, name, report } = settings;
  const published = report === null ? null : { url: report, hasPictures: settings.pictures };
  const summary = await readSummary(settings.from, MAX_CHARACTERS - FOOT_ROOM, published);
  const { event, notes } = await readEvent(env.GITHUB_EVENT_PATH);
  const foot = renderFoot(event, env, report);
  const marker = `<!-- proofsheet:${name} -->\n`;
  const body = marker + (foot === '' ? summary.text : `${summary.text.trimEnd()}\n\n${foot}\n`);
  const put = async (): Promise<CommentResult> => {
    const ask = connect(repo, 'pull-requests: write', env, timeoutMs);
    const pull = settings.pull ?? event.pull_request?.number ?? (await findPull(ask, event));
    if (pull === null) return { kind: 'outdated' };
    const path = `/issues/${pull}/comments`;
    const own = await findComment(ask, path, marker, settings.author);
    if (!own && summary.isGreen) return { kind: 'unneeded' };
    if (own && normalize(own.body) === normalize(body)) return { kind: 'unchanged' };
    const [method, place] = own ? (['PATCH', `/issues/comments/${own.id}`] as const) : (['POST', path] as const);
    await ask(method, place, commentSchema, JSON.stringify({ body }));
    return { kind: own ? 'updated' : 'created' };
  };
  const result = await put().catch(unlessRefused((why): CommentResult => ({ kind: 'refused', why })));
  const setStatus = async () => {
    const commit = commitOf(event) ?? checkCommit(summary.commit);
    if (commit === null) throw new Refusal('the tested commit is not known');
    const status = {
      state: summary.isGreen ? 'success' : 'failure',
      context: name === DEFAULT_NAME ? name : `${DEFAULT_NAME}/${name}`,
      description: summary.status.slice(0, MAX_DESCRIPTION),
      target_url: report ?? linkOf(event, env),
    };
    const ask = connect(repo, 'statuses: write', env, timeoutMs);
    await ask('POST', `/statuses/${commit}`, z.object({ id: z.int() }), JSON.stringify(status));
    return [];
  };
  const unset = (why: string) => [`no commit status was set: ${why}`];
  const failed = settings.status ? await setStatus().catch(unlessRefused(unset)) : [];
  return { result, notes: [...notes, ...failed] };
}

function unlessRefused<T>(answer: (why: string) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Refusal) return answer(error.message);
    throw error;
  };
}

/** The name of the comment and of the status of a repository with one page list. */
export const DEFAULT_NAME = 'proofsheet';
/** GitHub refuses a longer description of a status. */
const MAX_DESCRIPTION = 140;

/** Characters reserved for the marker and the footer. */
const FOOT_ROOM = 1000;
/** Renders the tested commit and the link of the published report, or of the workflow run, which has the report as an artifact. */
function renderFoot(event: GitHubEvent, env: NodeJS.ProcessEnv, report: string | null): string {
  const [commit, link] = [commitOf(event), linkOf(event, env)];
  const tested = commit === null ? '' : `Commit ${commit}.`;
  if (report !== null) return `${tested} [Open the report](<${report}>).`.trim();
  const found = link && `The report with its images is an artifact of the [workflow run](<${link}>).`;
  return `${tested} ${found ?? ''}`.trim();
}

/** Returns the commit that was tested, not the merge commit that GitHub checks out for a pull request. */
function commitOf({ workflow_run: run, pull_request: pull }: GitHubEvent): string | null {
  return checkCommit(run?.head_sha ?? pull?.head.sha ?? null);
}

function checkCommit(commit: string | null): string | null {
  return commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? commit : null;
}

/** Returns the address of the workflow run; null if it is not known. */
function linkOf({ workflow_run: run }: GitHubEvent, env: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repo, GITHUB_RUN_ID: id } = env;
  const link = run?.html_url ?? (server && repo && id ? `${server}/${repo}/actions/runs/${id}` : '');
  return link.length < 500 && /^https?:\/\/[^\s<>]+$/.test(link) ? link : null;
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
