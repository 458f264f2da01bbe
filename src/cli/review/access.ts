import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { RunRecord } from '../../model/run-record.js';

/** Controls access to a report: only clients that know the printed URL can view it and decide. */
export interface Access {
  /** Secret first segment of every path. */
  readonly token: string;
  /** Checks the `Host` header, against DNS rebinding: another host name means that a web page sends the request. */
  isOurHost(request: IncomingMessage): boolean;
  /** Checks whether a page of this server sends the request. */
  isOurOrigin(request: IncomingMessage): boolean;
  /** Returns the token that the report sends with its decisions. It is different for each run. */
  sessionOf(run: RunRecord): string;
}

/** Creates the access control of a server. @param host - the host that it listens on */
export function createAccess(host: string): Access {
  const token = randomBytes(24).toString('base64url');
  return {
    token,
    isOurHost: ({ headers, socket }) => {
      const { hostname, port } = urlOf(headers.host);
      // DNS cannot rebind an IP address.
      const isOwnHost = hostname === 'localhost' || hostname === host || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
      return isOwnHost && Number(port || 80) === socket.localPort;
    },
    isOurOrigin: ({ headers }) => {
      const site = headers['sec-fetch-site'] ?? 'same-origin';
      return headers.origin === `http://${headers.host}` && site === 'same-origin';
    },
    sessionOf: ({ startedAt }) => createHmac('sha256', token).update(startedAt).digest('base64url'),
  };
}

/** Compares two secrets in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', '').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function urlOf(host = ''): { hostname: string; port: string } {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '', port: '' };
}

/** An HTTP response. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** Creates a JSON response for the viewer. */
export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Creates a plain text response. */
export function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
