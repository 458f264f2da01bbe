import { parseUrl, type SeenLoad } from '../model/index.js';
import { answerFor, type FolderServer } from './folder-servers.js';
import type { Dependency } from './reuse-cache.js';

/** The inputs of a page, or why a later run cannot know them. */
export type PageInputs =
  | { readonly kind: 'known'; readonly inputs: readonly Dependency[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Returns the inputs of a page: every path that its loads asked the server for, with the answer that the server gave. They are unknown
 * if anything else brought data.
 *
 * @param loads - all loads of the page
 * @param server - has answered only this page since `takeAnswers` was called last
 */
export function readPageInputs(loads: readonly SeenLoad[], server: FolderServer): PageInputs {
  const { origin } = new URL(server.url);
  const answers = server.takeAnswers();
  const paths = loads.map((load) => pathsOf(load, origin));
  const reason =
    (loads.length === 0 ? 'no load of the page was recorded' : null) ??
    loads.map((load) => notReusableReason(load, origin)).find((found) => found !== null) ??
    differenceOf(paths);
  if (reason !== null) return { kind: 'unknown', reason };
  const inputs: Dependency[] = [];
  // The server knows requests that the browser does not report, and the browser those that its cache answered.
  for (const path of [...new Set([...answers.keys(), ...paths.flatMap((some) => [...some])])].sort()) {
    const [digest = answerFor(server, path).digest, ...others] = answers.get(path) ?? [];
    if (others.length > 0) return { kind: 'unknown', reason: `${path} changed while the page was captured` };
    inputs.push({ path, digest });
  }
  return { kind: 'known', inputs };
}

/** Returns the requests for data from outside: the content of the others comes from the page itself. */
function requestsOf({ requests }: SeenLoad): SeenLoad['requests'] {
  return requests.filter(({ url }) => !/^(data|blob|about):/i.test(url));
}

function notReusableReason(load: SeenLoad, origin: string): string | null {
  const [channel] = load.channels;
  if (channel !== undefined) return `it uses ${channel}`;
  for (const { method, url } of requestsOf(load)) {
    const target = parseUrl(url);
    if (target?.origin !== origin) return `it requests ${url}, which the run does not serve`;
    if (method !== 'GET' && method !== 'HEAD') return `it sends a ${method} request to ${target.pathname}`;
  }
  return null;
}

function pathsOf(load: SeenLoad, origin: string): ReadonlySet<string> {
  const urls = requestsOf(load).map(({ url }) => parseUrl(url));
  return new Set(urls.flatMap((url) => (url?.origin === origin ? [url.pathname] : [])));
}

function differenceOf([first, ...others]: readonly ReadonlySet<string>[]): string | null {
  for (const other of others) {
    const path = [...(first ?? []), ...other].find((one) => !first?.has(one) || !other.has(one));
    if (path !== undefined) return `its loads have different requests: not each loads ${path}`;
  }
  return null;
}
