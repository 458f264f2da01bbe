import {
  type Answer,
  type Comment,
  type CommentResult,
  commentSchema,
  commentsSchema,
  type GitHub,
  pullsSchema,
  requestGitHub,
  type WorkflowRun,
} from './api.js';

/** The pull request of a comment. */
export interface Thread {
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
}

/** A comment that is created once and then updated. */
export interface CommentDraft {
  /** Invisible prefix that identifies the comment. */
  readonly marker: string;
  /** Account of the token. Comments of other accounts with the same marker are ignored. */
  readonly author: string;
  readonly body: string;
  /** Updates an existing comment but does not create one. True if nothing needs review. */
  readonly isQuiet: boolean;
}

/** Creates a comment, or updates the existing one. Never throws. */
export async function putComment(github: GitHub, thread: Thread, draft: CommentDraft): Promise<CommentResult> {
  const found = await findOwn(github, thread, draft);
  if (found.kind === 'refused') return found;
  const { value: earlier } = found;
  if (!earlier && draft.isQuiet) return { kind: 'unneeded' };
  const body = draft.marker + draft.body;
  if (earlier && normalize(earlier.body) === normalize(body)) return { kind: 'unchanged' };
  const { repo, number } = thread;
  const place = earlier
    ? ({ method: 'PATCH', path: `/repos/${repo}/issues/comments/${earlier.id}` } as const)
    : ({ method: 'POST', path: `/repos/${repo}/issues/${number}/comments` } as const);
  const put = await requestGitHub(github, { ...place, body: { body } }, commentSchema);
  return put.kind === 'refused' ? put : { kind: earlier ? 'updated' : 'created' };
}

/** Maximum number of comment pages to search, with 100 comments each. */
const MAX_PAGES = 100;

async function findOwn(
  github: GitHub,
  { repo, number }: Thread,
  { marker, author }: CommentDraft,
): Promise<Answer<Comment | null>> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/repos/${repo}/issues/${number}/comments?per_page=100&page=${page}`;
    const answer = await requestGitHub(github, { method: 'GET', path }, commentsSchema);
    if (answer.kind === 'refused') return answer;
    const own = answer.value.find(({ user, body }) => user?.login === author && normalize(body).startsWith(marker));
    if (own || !answer.hasNext) return { kind: 'answered', value: own ?? null, hasNext: false };
  }
  return { kind: 'refused', why: `there are more than ${MAX_PAGES * 100} comments to look through` };
}

/** Normalizes line breaks: GitHub returns `\r\n`. */
function normalize(body: string | null | undefined): string {
  return (body ?? '').replaceAll('\r\n', '\n').trimEnd();
}

/**
 * Finds the open pull request whose head is the commit of a workflow run; null if there is none. Uses only the event data of
 * GitHub, because the artifact of an untrusted pull request could name another one.
 */
export async function findPull(github: GitHub, repo: string, run: WorkflowRun): Promise<Answer<number | null>> {
  const { head_repository: head, head_branch: branch, head_sha: sha } = run;
  const query = new URLSearchParams({ state: 'open', per_page: '100', head: `${head.owner.login}:${branch}` });
  const answer = await requestGitHub(github, { method: 'GET', path: `/repos/${repo}/pulls?${query}` }, pullsSchema);
  if (answer.kind === 'refused') return answer;
  const pull = answer.value.find((pull) => pull.head.sha === sha && pull.head.repo?.id === head.id);
  return { kind: 'answered', value: pull?.number ?? null, hasNext: false };
}
