import { z } from 'zod';
import { messageOf } from '../model/errors.js';

/** Where GitHub answers, and as whom it is asked. */
export interface GitHub {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/** What GitHub said, or why it said nothing of use. */
export type Answer<T> =
  | { readonly kind: 'answered'; readonly value: T; readonly hasNext: boolean }
  | { readonly kind: 'refused'; readonly why: string };

/** What an answer has to be. */
export interface Schema<T> {
  safeParse(value: unknown): { readonly data?: T | undefined };
}

/** One request. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's address. */
  readonly path: string;
  readonly body?: object;
}

/** Asks GitHub. Never throws: whatever goes wrong is an answer, in one line and without the token. */
export async function askGitHub<T>(github: GitHub, ask: Ask, schema: Schema<T>): Promise<Answer<T>> {
  const what = `${ask.method} ${ask.path.split('?')[0]}`;
  try {
    const response = await send(github, ask);
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

/** A redirect is not followed: the token is for this address. */
function send({ url, token, timeoutMs }: GitHub, { method, path, body }: Ask): Promise<Response> {
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

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(cause).replace(/\s+/g, ' ') || 'no reason given';
}

/** A comment, as far as it is read; there is more in GitHub's answers. */
export const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});

/** A page of the comments of a thread. */
export const commentsSchema = z.array(commentSchema);

/** The pull requests of a repository, as far as it takes to know one by its head. */
export const pullsSchema = z.array(
  z.object({
    number: z.int().min(1),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullable() }),
  }),
);

/** The event that a workflow was started by; only those two kinds have to do with a pull request. */
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
/** A finished run of a workflow, as the event of another one tells it. */
export type WorkflowRun = NonNullable<GitHubEvent['workflow_run']>;

/** Which run is written into which comment. */
export interface CommentSettings {
  /** The folder of the report. */
  readonly from: string;
  /** `owner/name` */
  readonly repo: string;
  /** Null: that of the event which started the workflow. */
  readonly pull: number | null;
  readonly name: string;
  readonly author: string;
}

/** What became of a comment. */
export type CommentResult =
  | { readonly kind: 'created' | 'updated' | 'unchanged' | 'unneeded' }
  | { readonly kind: 'refused'; readonly why: string };

/** Writes the summary of a run into its pull request. `notes`: what the user should know in addition. */
export type PostComment = (
  settings: CommentSettings,
  env: NodeJS.ProcessEnv,
) => Promise<{ readonly result: CommentResult; readonly notes: readonly string[] }>;
