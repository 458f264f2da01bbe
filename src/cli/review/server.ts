import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { extname, join } from 'node:path';
import { INDEX_FILE, RESULTS_FILE, SUMMARY_FILE } from '../../baselines/paths.js';
import { findImage, readRun } from '../../baselines/read-run.js';
import type { ProjectFolders } from '../../core/run/folders.js';
import { listen } from '../../core/setup/listen.js';
import { messageOf } from '../../model/errors.js';
import { mediaTypeOf } from '../../model/image.js';
import type { RunRecord } from '../../model/run-record.js';
import { renderHtml } from '../../report/html/render-html.js';
import { type Access, type Answer, createAccess, isSame, json, text } from './access.js';
import { type ApprovalContext, createApprovalContext } from './approval-context.js';

/** A running report server. */
export interface ReportServer {
  /** URL of the report, with the secret token. Anyone who knows it can approve. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a report and handles decisions on its shots. Serves only files of the report, and only if the path has the token and the
 * `Host` header is the server's own. Accepts decisions only from its own page.
 *
 * @param port 0 selects any free port.
 * @throws ProofsheetError `command-invalid` if it cannot listen on the port.
 */
export async function serveReport(places: ProjectFolders, host: string, port: number): Promise<ReportServer> {
  const access = createAccess(host);
  const approvals = createApprovalContext(places, access);
  const server = createServer((request, response) => {
    void respond(request, { places, access, approvals }).then(({ status, type, body }) => {
      response.writeHead(status, { ...HEADERS, 'content-type': type, ...(type === HTML ? {} : SANDBOX) });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  await listen(server, host, port, 'the report');
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  const name = isIPv6(host) ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}/${access.token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const HTML = 'text/html; charset=utf-8';

/** `no-referrer` keeps the token in the URL secret from linked sites. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Policy of all other responses. Files of a report are untrusted: only the page rendered here may run scripts. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'" };

interface Served {
  readonly places: ProjectFolders;
  readonly access: Access;
  readonly approvals: ApprovalContext;
}

async function respond(request: IncomingMessage, served: Served): Promise<Answer> {
  try {
    return await route(request, served);
  } catch (error) {
    return json(500, { message: messageOf(error) });
  }
}

async function route(request: IncomingMessage, { places, access, approvals }: Served): Promise<Answer> {
  const [, token = '', ...rest] = pathOf(request.url).split('/');
  if (!access.isOurHost(request) || !isSame(token, access.token)) {
    return text(403, 'Open the address that `proofsheet report` printed.');
  }
  const name = rest.join('/');
  if (name === 'api/decisions') return approvals(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'This is only to be read.');
  if (name === '' || name === INDEX_FILE) return page(await readRun(places.folder), access);
  if (name === RESULTS_FILE || name === SUMMARY_FILE) {
    return text(200, await readFile(join(places.folder, name), 'utf8'));
  }
  return image(places.folder, name);
}

function page(run: RunRecord, access: Access): Answer {
  return { status: 200, type: HTML, body: renderHtml(run, { session: { token: access.sessionOf(run) } }) };
}

async function image(folder: string, link: string): Promise<Answer> {
  const path = await findImage(folder, link);
  const type = path === null ? null : mediaTypeOf(extname(path).slice(1));
  return path === null || type === null
    ? text(404, 'The report has no such file.')
    : { status: 200, type, body: await readFile(path) };
}

/** Decodes the path of a URL; empty if it cannot be decoded. */
function pathOf(url = ''): string {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '');
  } catch {
    return '';
  }
}
