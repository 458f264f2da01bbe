import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { describeWrongData, messageOf } from '../model/index.js';

export const shaSchema = z.object({ sha: z.string() });
export const ownerSchema = z.object({ login: z.string() });
export const pullSchema = z.object({ number: z.int().min(1), head: shaSchema });
const runSchema = z.object({
  ...{ head_sha: z.string(), head_branch: z.string(), html_url: z.url() },
  head_repository: z.object({ id: z.int(), owner: ownerSchema }),
});
/** The event that started a workflow. Only these two kinds refer to a pull request. */
const eventSchema = z.object({ pull_request: pullSchema.optional(), workflow_run: runSchema.optional() });
export type GitHubEvent = z.infer<typeof eventSchema>;

/** Reads the event of a workflow. If it is unreadable, returns an empty one with the reason. */
export async function readEvent(path: string | undefined): Promise<{ event: GitHubEvent; notes: readonly string[] }> {
  try {
    return { event: path ? eventSchema.parse(JSON.parse(await readFile(path, 'utf8'))) : {}, notes: [] };
  } catch (error) {
    const why = error instanceof z.ZodError ? describeWrongData(error) : messageOf(error).replace(/\s+/g, ' ');
    return { event: {}, notes: [`${path}: the workflow event cannot be read: ${why}`] };
  }
}

/** GitHub refused a request. The message is one line, without the token. */
export class Refusal extends Error {}

export type Ask = ReturnType<typeof connect>;

/**
 * Returns a function that sends requests about a repository.
 *
 * @param right - the permission that the requests need, for messages
 * @throws Refusal if there is no token, and for each request that fails
 */
export function connect(
  repo: string,
  right: string,
  { GITHUB_TOKEN: token, GITHUB_API_URL: url }: NodeJS.ProcessEnv,
  timeoutMs: number,
) {
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
    if (!ok) throw new Refusal(`GitHub responded with status ${status} to ${what}${adviseStatus(status, right)}`);
    const { data } = schema.safeParse(await response.json().catch(() => undefined));
    if (data === undefined) throw new Refusal(`GitHub responded to ${what} with unexpected data`);
    return { data, hasNext: /\brel="next"/.test(response.headers.get('link') ?? '') };
  };
}

function adviseStatus(status: number, right: string): string {
  const advice: Readonly<Record<number, string>> = {
    401: ': GITHUB_TOKEN is not valid',
    403: `: the token lacks the permission "${right}", or the rate limit is exceeded`,
    404: ': the repository or the pull request does not exist, or the token has no access to it',
  };
  return advice[status] ?? '';
}
