import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { RunRecord } from '../../model/run-record.js';

/** Who may see a report, and decide on its shots: who knows the address that the command printed. */
export interface Access {
  /** First part of every path. */
  readonly token: string;
  /** Is it asked for by its own name? A foreign name that leads here is a page that wants to read along. */
  isOurHost(request: IncomingMessage): boolean;
  /** Does it come from a page of our own? */
  isOurOrigin(request: IncomingMessage): boolean;
  /** Returns what a page sends with its decisions: of another run it is another. */
  sessionOf(run: RunRecord): string;
}

/** Creates the access to one server. @param host - the one that it listens on */
export function createAccess(host: string): Access {
  const token = randomBytes(24).toString('base64url');
  return {
    token,
    isOurHost: ({ headers, socket }) => {
      const { hostname, port } = urlOf(headers.host);
      // No name server can make an address into another.
      const isOurs = hostname === 'localhost' || hostname === host || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
      return isOurs && Number(port || 80) === socket.localPort;
    },
    isOurOrigin: ({ headers }) => {
      const site = headers['sec-fetch-site'] ?? 'same-origin';
      return headers.origin === `http://${headers.host}` && site === 'same-origin';
    },
    sessionOf: ({ startedAt }) => createHmac('sha256', token).update(startedAt).digest('base64url'),
  };
}

/** Checks whether two secrets are one, in a time that says nothing of where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', '').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function urlOf(host = ''): { hostname: string; port: string } {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '', port: '' };
}

/** What is answered to a request. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** Makes an answer for the page's script. */
export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Makes an answer for a person. */
export function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
