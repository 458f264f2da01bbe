import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  decisionRequestSchema,
  messageOf,
  ProofsheetError,
  parseUrl,
  type RunRecord,
  renderJson,
  undoRequestSchema,
} from '../model/index.js';
import { listen } from '../reuse/index.js';
import type { ProjectFolders } from '../run/index.js';
import { applyRequest } from './decide.js';
import { readReportFile } from './read-report.js';

export type ReportServer = Awaited<ReturnType<typeof serveReport>>;

/**
 * Serves a report and handles decisions on its shots. Serves only files of the report, and only if the path has the token and the
 * `Host` header is the server's own. Accepts decisions only from its own page.
 *
 * @param port 0 selects any free port.
 * @throws ProofsheetError `command-invalid` if it cannot listen on the port.
 */
export async function serveReport(places: ProjectFolders, host: string, port: number) {
  // The secret first segment of every path.
  const token = randomBytes(24).toString('base64url');
  const app = createApp(places, host, token);
  // The adaptor has no URL for some requests, such as one with the host "a b".
  const server = createServer(getRequestListener(app.fetch, { errorHandler: refuseAddress }));
  await listen(server, host, port, 'the report');
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  const name = isIPv6(host) ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}/${token}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `no-referrer` keeps the token in the URL secret from linked sites. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Policy of everything but the page. Files of a report are untrusted: only the page rendered here may run scripts. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'" };

/** Maximum size of a request body, in bytes. Larger than the decisions of any report. */
const MAX_BYTES = 16 * 1024 * 1024;

const requestSchema = decisionRequestSchema.or(undoRequestSchema);

function createApp(places: ProjectFolders, host: string, token: string): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use('/:token/*', async (context, next) => {
    const isOurs = isOurAddress(context, host) && isSame(context.req.param('token'), token);
    return isOurs ? next() : refuseAddress();
  });
  // The token that the page of a run sends with its decisions.
  const sessionOf = ({ startedAt }: RunRecord) => createHmac('sha256', token).update(startedAt).digest('base64url');

  const decisions = '/:token/api/decisions';
  app.post(decisions, bodyLimit({ maxSize: MAX_BYTES, onError: refuseBody }), async (context) => {
    if (!isOurOrigin(context)) return json(403, { message: 'Decisions are accepted only from the report page.' });
    const { data } = requestSchema.safeParse(await context.req.json().catch(() => null));
    if (!data) return refuseBody();
    try {
      const shown = context.req.header('x-proofsheet-token') ?? '';
      return json(200, await applyRequest(places, data, (run) => isSame(shown, sessionOf(run))));
    } catch (error) {
      if (error instanceof ProofsheetError) return json(409, { message: error.message });
      throw error;
    }
  });
  app.all(decisions, () => json(405, { message: 'Send decisions with POST.' }));

  const answerFile = async (context: ReviewContext) => {
    const file = await readReportFile(places.folder, context.req.param('link') ?? '', sessionOf);
    if (!file) return text(404, 'The report does not contain this file.');
    const body = typeof file.body === 'string' ? file.body : new Uint8Array(file.body);
    return answer(200, file.mediaType, body, file.isPage ? {} : SANDBOX);
  };
  app.on('GET', ['/:token', '/:token/', '/:token/:link{.+}'], answerFile);
  app.all('/:token/*', () => text(405, 'Only GET requests are allowed.'));

  app.notFound(refuseAddress);
  app.onError((error) => json(500, { message: messageOf(error) }));
  return app;
}

function refuseAddress(): Response {
  return text(403, 'Open the URL that `proofsheet report` printed.');
}

function refuseBody(): Response {
  return json(400, { message: 'Expected { "decision", "shots": [{ "project", "id" }] } or { "undo" }.' });
}

function json(status: number, value: unknown): Response {
  return answer(status, 'application/json; charset=utf-8', renderJson(value));
}

function text(status: number, body: string): Response {
  return answer(status, 'text/plain; charset=utf-8', body);
}

function answer(
  status: number,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  policy: Record<string, string> = SANDBOX,
): Response {
  return new Response(body, { status, headers: { ...HEADERS, ...policy, 'content-type': type } });
}

type ReviewContext = Context<{ Bindings: HttpBindings }>;

/** Checks the `Host` header. Another host name means that a web page sends the request (DNS rebinding). @param host - where the server listens */
function isOurAddress({ req, env }: ReviewContext, host: string): boolean {
  const { hostname, port } = parseUrl(`http://${req.header('host')}`) ?? { hostname: '', port: '' };
  // DNS cannot rebind an IP address.
  const isOwnHost = hostname === 'localhost' || hostname === host || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const isOwnPort = Number(port || 80) === env.incoming.socket.localPort;
  // The adaptor resolves dot segments. A path that it changed is no link of the report.
  return isOwnHost && isOwnPort && req.url.endsWith(env.incoming.url ?? '');
}

function isOurOrigin({ req }: ReviewContext): boolean {
  const site = req.header('sec-fetch-site') ?? 'same-origin';
  return req.header('origin') === `http://${req.header('host')}` && site === 'same-origin';
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', '').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
