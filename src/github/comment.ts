import {
  type Answer,
  askGitHub,
  type Comment,
  type CommentResult,
  commentSchema,
  commentsSchema,
  type GitHub,
  pullsSchema,
  type WorkflowRun,
} from './api.js';

/** Where a comment belongs. */
export interface Thread {
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
}

/** A comment that is made once, and found again. */
export interface CommentDraft {
  /** What the comment starts with, not to be seen by readers. */
  readonly marker: string;
  /** The account that the token belongs to. Anybody can write our marker; only this account's is ours. */
  readonly author: string;
  readonly body: string;
  /** There is nothing to see to: only an earlier comment is worth an update. */
  readonly isQuiet: boolean;
}

/** Puts a comment into a thread: in place of the earlier one, where there is one. Never throws. */
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
  const put = await askGitHub(github, { ...place, body: { body } }, commentSchema);
  return put.kind === 'refused' ? put : { kind: earlier ? 'updated' : 'created' };
}

/** Ten thousand comments are enough to look through. */
const MAX_PAGES = 100;

async function findOwn(
  github: GitHub,
  { repo, number }: Thread,
  { marker, author }: CommentDraft,
): Promise<Answer<Comment | null>> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/repos/${repo}/issues/${number}/comments?per_page=100&page=${page}`;
    const answer = await askGitHub(github, { method: 'GET', path }, commentsSchema);
    if (answer.kind === 'refused') return answer;
    const own = answer.value.find(({ user, body }) => user?.login === author && normalize(body).startsWith(marker));
    if (own || !answer.hasNext) return { kind: 'answered', value: own ?? null, hasNext: false };
  }
  return { kind: 'refused', why: `there are more than ${MAX_PAGES * 100} comments to look through` };
}

/** GitHub gives line breaks back in its own way. */
function normalize(body: string | null | undefined): string {
  return (body ?? '').replaceAll('\r\n', '\n').trimEnd();
}

/**
 * Finds the open pull request whose head is what a workflow ran for; null: there is none (any more). Only what GitHub
 * itself says of that run is asked for: a pull request's own artifact could name another one.
 */
export async function findPull(github: GitHub, repo: string, run: WorkflowRun): Promise<Answer<number | null>> {
  const { head_repository: head, head_branch: branch, head_sha: sha } = run;
  const query = new URLSearchParams({ state: 'open', per_page: '100', head: `${head.owner.login}:${branch}` });
  const answer = await askGitHub(github, { method: 'GET', path: `/repos/${repo}/pulls?${query}` }, pullsSchema);
  if (answer.kind === 'refused') return answer;
  const pull = answer.value.find((pull) => pull.head.sha === sha && pull.head.repo?.id === head.id);
  return { kind: 'answered', value: pull?.number ?? null, hasNext: false };
}
