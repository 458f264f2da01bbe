import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf, ProofsheetError, parseUrl, type ServedFolder } from '../model/index.js';
import { answerFor } from './served-files.js';

/** The server of a folder. */
export interface FolderServer extends ServedFolder {
  /** Base URL of its files. */
  readonly url: string;
  /** Returns the digests of the answers since the last call, by path. More than one: a file changed in the meantime. */
  takeAnswers(): ReadonlyMap<string, ReadonlySet<string>>;
}

/** The folders that one worker serves. */
export type FolderServers = ReturnType<typeof createFolderServers>;

/** Creates the servers of one worker. A server starts with the first page of its folder, on a free port of 127.0.0.1. */
export function createFolderServers() {
  const started = new Map<string, Promise<StartedServer>>();
  return {
    /** Serves a folder, unless it is served already. */
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

interface StartedServer extends FolderServer {
  close(): void;
}

const HOST = '127.0.0.1';

async function serveFolder(served: ServedFolder): Promise<StartedServer> {
  let answers = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const path = parseUrl(`http://${HOST}${request.url}`)?.pathname ?? '';
    const digest = respond(served, path, request, response);
    if (digest !== null) answers.set(path, (answers.get(path) ?? new Set()).add(digest));
  });
  await listen(server, HOST, 0, `the folder ${served.folder}`);
  return {
    ...served,
    url: `http://${HOST}:${portOf(server)}${served.base}`,
    takeAnswers() {
      const taken = answers;
      answers = new Map();
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server has no port');
  return address.port;
}

/**
 * Answers a request. The headers are the same in every run: no date, and no version of a file.
 *
 * @returns the digest of the answer; null if the answer does not depend on the folder
 */
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
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const all = { ...headers, ...(location !== undefined && { location: location + query }), 'accept-ranges': 'bytes' };
  const part = status === 200 ? partOf(range, body.length) : null;
  if (part === null) response.writeHead(status, { ...all, 'content-length': body.length }).end(body);
  else {
    const { first, last } = part;
    const sent = { 'content-range': `bytes ${first}-${last}/${body.length}`, 'content-length': last - first + 1 };
    response.writeHead(206, { ...all, ...sent }).end(body.subarray(first, last + 1));
  }
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

/**
 * Starts a server and waits until it listens.
 *
 * @param what - subject of the error message, such as "the report".
 * @throws ProofsheetError `command-invalid` if it cannot listen on this host and port.
 */
export async function listen(
  server: { listen(options: { readonly host: string; readonly port: number }): NodeJS.EventEmitter },
  host: string,
  port: number,
  what: string,
): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: `${host}:${port}`,
      found: `cannot serve ${what} on this address (${messageOf(cause)})`,
      advice: 'Use another --port, or 0 for any free port.',
    });
  }
}
