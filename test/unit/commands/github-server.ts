import { text } from 'node:stream/consumers';
import { serveBy } from '../../../fixtures/serve.mjs';

/** A comment as GitHub keeps it. */
export interface StoredComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

/** A pull request as GitHub lists it. */
export interface StoredPull {
  readonly number: number;
  readonly label: string;
  readonly head: { readonly sha: string; readonly repo: { readonly id: number } | null };
}

/** A commit status as a test reads it. */
export interface StoredStatus {
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
  readonly target_url: string | null;
}

/** The account that the server takes every token for. */
export const BOT = 'github-actions[bot]';

/** GitHub refuses a body that is longer. */
const MAX_BODY = 65_536;

/** A small server that answers as GitHub's API does, for one pull request of one repository. */
export type FakeGitHub = Awaited<ReturnType<typeof serveGitHub>>;

/** Starts it on a free port of loopback. */
export async function serveGitHub() {
  const state = {
    comments: [] as StoredComment[],
    pulls: [] as StoredPull[],
    statuses: [] as StoredStatus[],
    /** `METHOD path` of every request, in order. */
    requests: [] as string[],
    /** The `authorization` headers that came. */
    tokens: new Set<string | undefined>(),
    /** Answers every request of a method, or of a method and a word of the path, with a status, never ('silence'), or by a 'reset'. */
    trouble: new Map<string, number | 'silence' | 'reset'>(),
  };
  const server = await serveBy(async (request, response) => {
    const { method = '', url = '' } = request;
    state.requests.push(`${method} ${url}`);
    state.tokens.add(request.headers.authorization);
    const trouble = state.trouble.get(method) ?? state.trouble.get(`${method} ${url.split('/')[4]}`);
    if (trouble === 'silence') return;
    if (trouble === 'reset') return void request.socket.destroy();
    const refuse = (status: number) => ({ status, json: { message: 'no' }, headers: { location: '/elsewhere' } });
    const accept = async () => answer(state, method, new URL(url, 'http://x'), await text(request));
    const { status, json, headers }: Reply = trouble === undefined ? await accept() : refuse(trouble);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  });
  return { ...state, ...server };
}

interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Record<string, string>;
}

function answer(
  { comments, pulls, statuses }: Pick<FakeGitHub, 'comments' | 'pulls' | 'statuses'>,
  method: string,
  url: URL,
  body: string,
): Reply {
  if (method === 'GET' && url.pathname === '/repos/octo/site/pulls') {
    return { status: 200, json: pulls.filter(({ label }) => label === url.searchParams.get('head')) };
  }
  if (method === 'GET' && url.pathname === '/repos/octo/site/issues/12/comments') return page(comments, url);
  const [, sha] = /^\/repos\/octo\/site\/statuses\/([\da-f]+)$/.exec(url.pathname) ?? [];
  if (method === 'POST' && sha) {
    const status = JSON.parse(body);
    if (status.description.length > 140) return { status: 422, json: { message: 'description is too long' } };
    statuses.push({ sha, ...status });
    return { status: 201, json: { id: statuses.length } };
  }
  if (body.length > MAX_BODY * 2 || (method !== 'GET' && textOf(body).length > MAX_BODY)) {
    return { status: 422, json: { message: 'body is too long' } };
  }
  if (method === 'POST' && url.pathname === '/repos/octo/site/issues/12/comments') {
    const created = { id: comments.length + 1, body: textOf(body), user: { login: BOT } };
    comments.push(created);
    return { status: 201, json: created };
  }
  const [, id] = /^\/repos\/octo\/site\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
  const found = comments.find((comment) => String(comment.id) === id);
  if (method === 'PATCH' && found) {
    found.body = textOf(body);
    return { status: 200, json: found };
  }
  return { status: 404, json: { message: 'Not Found' } };
}

function page(comments: readonly StoredComment[], url: URL): Reply {
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const number = Number(url.searchParams.get('page') ?? 1);
  const json = comments.slice((number - 1) * size, number * size);
  const isLast = number * size >= comments.length;
  return { status: 200, json, ...(!isLast && { headers: { link: `<${url}>; rel="next", <${url}>; rel="last"` } }) };
}

function textOf(body: string): string {
  return JSON.parse(body).body;
}
