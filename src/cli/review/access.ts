import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { RunRecord } from '../../model/run-record.js';
import { parseUrl } from '../../model/url.js';

/** The context of a request to the review server. */
export type ReviewContext = Context<{ Bindings: HttpBindings }>;

/** Controls access to a report: only clients that know the printed URL can view it and decide. */
export interface Access {
  /** Secret first segment of every path. */
  readonly token: string;
  /** Checks the token of a path and the `Host` header. Another host name means that a web page sends the request (DNS rebinding). */
  isOurAddress(context: ReviewContext): boolean;
  /** Checks whether a page of this server sends the request. */
  isOurOrigin(context: ReviewContext): boolean;
  /** Returns the token that the report sends with its decisions. It is different for each run. */
  sessionOf(run: RunRecord): string;
  /** Checks whether the page that sends a decision shows this run. */
  isShown(context: ReviewContext, run: RunRecord): boolean;
}

/** Creates the access control of a server. @param host - the host that it listens on */
export function createAccess(host: string): Access {
  const token = randomBytes(24).toString('base64url');
  const sessionOf = ({ startedAt }: RunRecord) => createHmac('sha256', token).update(startedAt).digest('base64url');
  return {
    token,
    isOurAddress: ({ req, env }) => {
      const { hostname, port } = urlOf(req.header('host'));
      // DNS cannot rebind an IP address.
      const isOwnHost = hostname === 'localhost' || hostname === host || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
      const isOwnPort = Number(port || 80) === env.incoming.socket.localPort;
      // The adaptor resolves dot segments. A path that it changed is no link of the report.
      const isUnchanged = req.url.endsWith(env.incoming.url ?? '');
      return isOwnHost && isOwnPort && isUnchanged && isSame(req.param('token') ?? '', token);
    },
    isOurOrigin: ({ req }) => {
      const site = req.header('sec-fetch-site') ?? 'same-origin';
      return req.header('origin') === `http://${req.header('host')}` && site === 'same-origin';
    },
    sessionOf,
    isShown: ({ req }, run) => isSame(req.header('x-proofsheet-token') ?? '', sessionOf(run)),
  };
}

/** Compares two secrets in constant time. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', '').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function urlOf(host = ''): { hostname: string; port: string } {
  return parseUrl(`http://${host}`) ?? { hostname: '', port: '' };
}
