import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { join, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { invalidCommand, messageOf, parseUrl, type ServedFolder } from '../model/index.js';

/** The server of a folder. */
export type FolderServer = Omit<Awaited<ReturnType<typeof serveFolder>>, 'close'>;

export type FolderServers = ReturnType<typeof createFolderServers>;

/** Creates the servers of one worker. A server starts with the first page of its folder, on a free port of 127.0.0.1. */
export function createFolderServers() {
  const started = new Map<string, ReturnType<typeof serveFolder>>();
  return {
    open(served: ServedFolder): Promise<FolderServer> {
      const key = JSON.stringify([served.folder, served.base, served.fallback]);
      const opened = started.get(key) ?? serveFolder(served);
      started.set(key, opened);
      return opened;
    },
    async close(): Promise<void> {
      const servers = await Promise.allSettled(started.values());
      for (const server of servers) if (server.status === 'fulfilled') server.value.close();
    },
  };
}

const HOST = '127.0.0.1';

async function serveFolder(served: ServedFolder) {
  let answers = new Map<string, Set<string>>();
  const digests = new Map<string, string>();
  const server = createServer((request, response) => {
    const path = parseUrl(`http://${HOST}${request.url}`)?.pathname ?? '';
    const digest = respond(served, path, request, response);
    if (digest !== null) answers.set(path, (answers.get(path) ?? new Set()).add(digest));
  });
  const origin = await listen(server, HOST, 0, `the folder ${served.folder}`);
  return {
    ...served,
    /** Base URL of its files. */
    url: `${origin}${served.base}`,
    /** Returns the digests of the answers since the last call, by path. More than one: a file changed in the meantime. */
    takeAnswers(): ReadonlyMap<string, ReadonlySet<string>> {
      const taken = answers;
      answers = new Map();
      return taken;
    },
    /** Returns the digest of the answer for a path. Each file is read once: a site must not change while a run captures it. */
    digestOf(path: string): string {
      const digest = digests.get(path) ?? answerFor(served, path).digest;
      digests.set(path, digest);
      return digest;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The headers are the same in every run. Returns the digest of the answer; null if it does not depend on the folder. */
function respond(
  served: ServedFolder,
  path: string,
  { method = '', url = '', headers: { range } }: IncomingMessage,
  response: ServerResponse,
): string | null {
  response.sendDate = false;
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return null;
  }
  const { status, headers, body, digest } = answerFor(served, path);
  const { location } = headers;
  const [, query = ''] = /(\?.*)/.exec(url) ?? [];
  const all = { ...headers, ...(location !== undefined && { location: location + query }), 'accept-ranges': 'bytes' };
  const part = status === 200 ? partOf(range, body.length) : null;
  const sent = part ? body.subarray(part.first, part.last + 1) : body;
  response
    .writeHead(part ? 206 : status, {
      ...all,
      ...(part && { 'content-range': `bytes ${part.first}-${part.last}/${body.length}` }),
      'content-length': sent.length,
    })
    .end(sent);
  return digest;
}

function partOf(range: string | undefined, length: number): { first: number; last: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  // Servers may ignore a range; one beyond the end has no bytes to send.
  return first <= last ? { first, last } : null;
}

/** The part of a server that is used. The published types name no module of Node. */
interface Listening {
  listen(options: { readonly host: string; readonly port: number }): NodeJS.EventEmitter;
  address(): string | { readonly port: number } | null;
}

/**
 * Starts a server. Returns its origin, such as `http://127.0.0.1:8787`.
 * @param what - subject of the error message, such as "the report"
 * @throws ProofsheetError `command-invalid` if it cannot listen on this host and port
 */
export async function listen(server: Listening, host: string, port: number, what: string): Promise<string> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    const found = `cannot serve ${what} on this address (${messageOf(cause)})`;
    throw invalidCommand(`${host}:${port}`, found, 'Use another --port, or 0 for any free port.');
  }
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`;
}

/** What a served folder answers for a path. It depends on nothing but the folder and the path. */
export interface Answer {
  readonly status: 200 | 301 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** SHA-256 of all of it, in hexadecimal. */
  readonly digest: string;
}

/**
 * Returns the answer for the path of a URL. As on usual hosts of static sites:
 *
 * - `/about` is `about`, else `about.html`, else it leads to `/about/`, which is `about/index.html`;
 * - a path without a file is `fallback` if its last part has no extension, else `404.html` with status 404.
 *
 * @param path - absolute, percent-encoded, without a query
 */
export function answerFor({ folder, base, fallback }: ServedFolder, path: string): Answer {
  if (`${path}/` === base) return redirectTo(base);
  const name = path.startsWith(base) ? decodeName(path.slice(base.length)) : null;
  if (name !== null) {
    const isFolder = name === '' || name.endsWith('/');
    for (const file of isFolder ? [`${name}index.html`] : [name, `${name}.html`]) {
      const body = readWithin(folder, file);
      if (body !== null) return fileAnswer(200, file, body);
    }
    if (!isFolder && readWithin(folder, `${name}/index.html`) !== null) return redirectTo(`${path}/`);
    const page = fallback !== null && !/\.[^/]*$/.test(name) ? readWithin(folder, fallback) : null;
    if (fallback !== null && page !== null) return fileAnswer(200, fallback, page);
  }
  return fileAnswer(404, '404.html', readWithin(folder, '404.html') ?? Buffer.from('Not found'));
}

function decodeName(path: string): string | null {
  try {
    const name = decodeURIComponent(path);
    return /^\/|\/\/|\\|\0|(^|\/)\.\.?(\/|$)/.test(name) ? null : name;
  } catch {
    return null;
  }
}

/** Reads a file; null if there is none of exactly this name, or if a symbolic link leads out of the folder. */
function readWithin(folder: string, name: string): Buffer | null {
  try {
    const [root, path] = [realpathSync.native(folder), realpathSync.native(join(folder, name))];
    if (!path.startsWith(root + sep)) return null;
    if (FINDS_OTHER_NAMES && !isListed(name, (inner) => readdirSync(join(root, inner)))) return null;
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** On Linux, which has no such rules, a file that was found is listed. */
const FINDS_OTHER_NAMES = ['darwin', 'win32'].includes(process.platform);

/**
 * macOS and Windows find a file under a name in another case, too, and Windows under its short name, with dots at its end, and with a stream. On
 * the host of the site, there is no such file.
 * @param list - returns the names in a folder below the served one
 */
export function isListed(name: string, list: (inner: string) => readonly string[]): boolean {
  const parts = name.split('/');
  return parts.every((part, index) => {
    const names = list(parts.slice(0, index).join('/'));
    return names.some((one) => one.normalize('NFC') === part.normalize('NFC'));
  });
}

function redirectTo(location: string): Answer {
  return withDigest(301, { location }, Buffer.alloc(0));
}

function fileAnswer(status: 200 | 404, file: string, body: Buffer): Answer {
  return withDigest(status, { 'content-type': getMimeType(file) ?? 'application/octet-stream' }, body);
}

function withDigest(status: Answer['status'], headers: Answer['headers'], body: Buffer): Answer {
  const digest = createHash('sha256')
    .update(JSON.stringify([status, headers]))
    .update(body)
    .digest('hex');
  return { status, headers, body, digest };
}
