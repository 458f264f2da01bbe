import { messageOf } from '../../model/errors.js';

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
