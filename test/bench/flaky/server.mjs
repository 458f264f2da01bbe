import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { serveBy } from '../../../fixtures/serve.mjs';

export const MAX_DELAY_MS = 3000;
export const DROPPED = 0.02;

/**
 * Puts a bad network in front of a site: late responses, in another order, and reset connections.
 *
 * The seed, the name of the run, the URL and the number of the request for this URL decide what happens to a response.
 * Two loads of a page in one run thus have independent troubles, as on a real network.
 *
 * @param {string} site Address of the site, without trailing slash.
 * @param {number} seed
 * @returns {Promise<{ url: string, start(run: string | null): void, stop(): { responses: number, dropped: number }, close(): Promise<void> }>}
 *   `start(null)` passes everything at once.
 */
export async function serveFlaky(site, seed) {
  let run = null;
  let requests = new Map();
  let counts = { responses: 0, dropped: 0 };
  const server = await serveBy((incoming, outgoing) => {
    const nth = (requests.get(incoming.url) ?? 0) + 1;
    requests.set(incoming.url, nth);
    const fate = run === null ? { delayMs: 0, drop: null } : decideFate(`${seed} ${run} ${incoming.url} ${nth}`);
    counts.responses++;
    if (fate.drop) counts.dropped++;
    setTimeout(() => forward(site, incoming, outgoing, fate), fate.delayMs);
  });
  return {
    ...server,
    start(name) {
      run = name;
      requests = new Map();
      counts = { responses: 0, dropped: 0 };
    },
    stop: () => counts,
  };
}

/** Short delays are more frequent than long ones: the mean is a third of the longest. */
function decideFate(key) {
  const hash = createHash('sha256').update(key).digest();
  const [late, lost, where] = [0, 4, 8].map((offset) => hash.readUInt32BE(offset) / 2 ** 32);
  return { delayMs: late ** 2 * MAX_DELAY_MS, drop: lost >= DROPPED ? null : where < 0.5 ? 'head' : 'body' };
}

function forward(site, incoming, outgoing, { drop }) {
  const reset = () => outgoing.socket?.resetAndDestroy();
  if (drop === 'head') return reset();
  const inner = request(`${site}${incoming.url}`, { method: incoming.method }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => {
      const body = Buffer.concat(chunks);
      const { 'content-type': type, location } = response.headers;
      const headers = {
        'cache-control': 'no-store',
        'content-length': body.length,
        ...(type && { 'content-type': type }),
      };
      outgoing.writeHead(response.statusCode, { ...headers, ...(location && { location }) });
      if (drop === 'body') outgoing.write(body.subarray(0, body.length >> 1), reset);
      else outgoing.end(body);
    });
  });
  inner.on('error', reset);
  inner.end();
}
