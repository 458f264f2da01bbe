import { text } from 'node:stream/consumers';
import { serveBy } from '../../../fixtures/serve.mjs';

interface StoredComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

interface StoredPull {
  readonly number: number;
  readonly label: string;
  readonly head: { readonly sha: string; readonly repo: { readonly id: number } | null };
}

/** The account that the server takes every token for. */
export const BOT = 'github-actions[bot]';

/** GitHub refuses a body that is longer. */
const MAX_BODY = 65_536;

interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Record<string, string>;
}

export type FakeGitHub = Awaited<ReturnType<typeof serveGitHub>>;

export async function serveGitHub() {
  const state = {
    comments: [] as StoredComment[],
    pulls: [] as StoredPull[],
    statuses: [] as { readonly sha: string; readonly description: string; readonly target_url: string | null }[],
    /** `METHOD path` of every request, in order. */
    requests: [] as string[],
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
    const refusal = { json: { message: 'no' }, headers: { location: '/elsewhere' } };
    const accept = async () => answer(state, method, new URL(url, 'http://x'), await text(request));
    const { status, json, headers }: Reply = trouble === undefined ? await accept() : { status: trouble, ...refusal };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  });
  return { ...state, ...server };
}

function answer(
  { comments, pulls, statuses }: Pick<FakeGitHub, 'comments' | 'pulls' | 'statuses'>,
  method: string,
  { pathname, searchParams, href }: URL,
  sent: string,
): Reply {
  const [, , , , kind, id] = pathname.split('/');
  if (method === 'GET' && kind === 'pulls')
    return { status: 200, json: pulls.filter(({ label }) => label === searchParams.get('head')) };
  if (method === 'GET' && pathname === '/repos/octo/site/issues/12/comments') {
    const [size, page] = ['per_page', 'page'].map((name) => Number(searchParams.get(name)));
    const end = (size ?? 0) * (page ?? 0);
    const headers = { link: `<${href}>; rel="next", <${href}>; rel="last"` };
    const json = comments.slice(end - (size ?? 0), end);
    return { status: 200, json, ...(end < comments.length && { headers }) };
  }
  if (method === 'GET') return { status: 404, json: { message: 'Not Found' } };
  const { body = '', ...status } = JSON.parse(sent);
  if (body.length > MAX_BODY || status.description?.length > 140) return { status: 422, json: { message: 'too long' } };
  if (method === 'POST' && kind === 'statuses' && id) {
    statuses.push({ sha: id, ...status });
    return { status: 201, json: { id: statuses.length } };
  }
  if (method === 'POST' && pathname === '/repos/octo/site/issues/12/comments') {
    comments.push({ id: comments.length + 1, body, user: { login: BOT } });
    return { status: 201, json: comments.at(-1) };
  }
  const found = comments.find((comment) => pathname === `/repos/octo/site/issues/comments/${comment.id}`);
  if (method !== 'PATCH' || !found) return { status: 404, json: { message: 'Not Found' } };
  found.body = body;
  return { status: 200, json: found };
}
