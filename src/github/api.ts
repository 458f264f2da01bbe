import { z } from 'zod';
import { messageOf } from '../model/errors.js';

/** Address and token of the GitHub API. */
export interface GitHub {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/** The response of GitHub, or the reason why there is none. */
export type Answer<T> =
  | { readonly kind: 'answered'; readonly value: T; readonly hasNext: boolean }
  | { readonly kind: 'refused'; readonly why: string };

/** Validates a response body. */
export interface Schema<T> {
  safeParse(value: unknown): { readonly data?: T | undefined };
}

/** A request to the GitHub API. */
export interface GitHubRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below the base URL. */
  readonly path: string;
  readonly body?: object;
}

/** Sends a request to GitHub. Never throws: errors are returned as one line, without the token. */
export async function requestGitHub<T>(github: GitHub, request: GitHubRequest, schema: Schema<T>): Promise<Answer<T>> {
  const what = `${request.method} ${request.path.split('?')[0]}`;
  try {
    const response = await send(github, request);
    if (!response.ok)
      return { kind: 'refused', why: `GitHub answered ${response.status} to ${what}${adviceOf(response)}` };
    const { data } = schema.safeParse(await response.json());
    if (data === undefined)
      return { kind: 'refused', why: `GitHub answered ${what} with something else than was asked` };
    return { kind: 'answered', value: data, hasNext: /\brel="next"/.test(response.headers.get('link') ?? '') };
  } catch (error) {
    return { kind: 'refused', why: `GitHub did not answer ${what}: ${reasonOf(error)}` };
  }
}

/** Does not follow redirects: the token is only for this address. */
function send({ url, token, timeoutMs }: GitHub, { method, path, body }: GitHubRequest): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'proofsheet',
      'x-github-api-version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function adviceOf({ status }: Response): string {
  if (status === 401) return ': the token is not valid';
  if (status === 403) return ': the token may not (it takes the permission pull-requests: write), or asked too often';
  if (status === 404) return ': it is not there, or the token may not see it';
  return '';
}

/** Prefers the cause: the message of the error itself is only `fetch failed`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(cause).replace(/\s+/g, ' ') || 'no reason given';
}

/** The fields of a comment that the tool reads. */
export const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});

/** One page of the comments of a pull request. */
export const commentsSchema = z.array(commentSchema);

/** The fields of pull requests that identify one by its head commit. */
export const pullsSchema = z.array(
  z.object({
    number: z.int().min(1),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullable() }),
  }),
);

/** The event that started a workflow. Only these two kinds refer to a pull request. */
export const eventSchema = z.object({
  pull_request: z.object({ number: z.int().min(1), head: z.object({ sha: z.string() }) }).optional(),
  workflow_run: z
    .object({
      head_sha: z.string(),
      head_branch: z.string(),
      head_repository: z.object({ id: z.int(), owner: z.object({ login: z.string() }) }),
      html_url: z.url(),
    })
    .optional(),
});

/** See {@link commentSchema}. */
export type Comment = z.infer<typeof commentSchema>;
/** See {@link eventSchema}. */
export type GitHubEvent = z.infer<typeof eventSchema>;
/** A finished workflow run in a `workflow_run` event. */
export type WorkflowRun = NonNullable<GitHubEvent['workflow_run']>;

/** The run and the comment to write. */
export interface CommentSettings {
  /** Folder of the report. */
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  /** Pull request number; null uses the event that started the workflow. */
  readonly pull: number | null;
  readonly name: string;
  readonly author: string;
}

/** The result of writing a comment. */
export type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' }
  | { readonly kind: 'refused'; readonly why: string };

/** Writes the summary of a run as a pull request comment. `notes` are warnings for the user. */
export type PostComment = (
  settings: CommentSettings,
  env: NodeJS.ProcessEnv,
) => Promise<{ readonly result: CommentResult; readonly notes: readonly string[] }>;
