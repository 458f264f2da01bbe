import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { extname, join } from 'node:path';
import { INDEX_FILE, RESULTS_FILE, SUMMARY_FILE } from '../../baselines/paths.js';
import { findImage, readRun } from '../../baselines/read-run.js';
import type { ProjectFolders } from '../../core/run/amend-run.js';
import { listen } from '../../core/setup/listen.js';
import { messageOf } from '../../model/errors.js';
import { mediaTypeOf } from '../../model/image.js';
import type { RunRecord } from '../../model/run-record.js';
import { renderHtml } from '../../report/html/render-html.js';
import { type Access, type Answer, createAccess, isSame, json, text } from './access.js';
import { type ApprovalContext, createApprovalContext } from './approval-context.js';

/** A report that is served. */
export interface ReportServer {
  /** Opens the report; whoever knows it may approve. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a report, and takes decisions on its shots. Nothing but the report is served, to nobody who does not know the
 * token, under no other name than the server's own; decisions are taken from its own page only.
 *
 * @param port 0: any that is free.
 * @throws ProofsheetError `command-invalid` when it cannot listen there.
 */
export async function serveReport(places: ProjectFolders, host: string, port: number): Promise<ReportServer> {
  const access = createAccess(host);
  const desk = createApprovalContext(places, access);
  const server = createServer((request, response) => {
    void respond(request, { places, access, desk }).then(({ status, type, body }) => {
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

/** The token is in the address: nobody that a link leads to is told it. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** What comes out of a report may be anything: only the page that is rendered here may run. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'" };

interface Served {
  readonly places: ProjectFolders;
  readonly access: Access;
  readonly desk: ApprovalContext;
}

async function respond(request: IncomingMessage, served: Served): Promise<Answer> {
  try {
    return await route(request, served);
  } catch (error) {
    return json(500, { message: messageOf(error) });
  }
}

async function route(request: IncomingMessage, { places, access, desk }: Served): Promise<Answer> {
  const [, token = '', ...rest] = pathOf(request.url).split('/');
  if (!access.isOurHost(request) || !isSame(token, access.token)) {
    return text(403, 'Open the address that `proofsheet report` printed.');
  }
  const name = rest.join('/');
  if (name === 'api/decisions') return desk(request);
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

/** A path that cannot be decoded is that of no file. */
function pathOf(url = ''): string {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '');
  } catch {
    return '';
  }
}
