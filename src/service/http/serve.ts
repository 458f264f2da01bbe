import { isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { openEgress } from '../../browser/egress/egress.js';
import { listen } from '../../core/setup/listen.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { AnswerMcp, RunningServer, ServeSettings } from '../../model/service/settings.js';
import { isLoopback } from '../../model/words.js';
import { createService, type Service } from '../service.js';
import { openStorage } from '../storage/open-storage.js';
import { createApp } from './app.js';

type Server = ReturnType<typeof createAdaptorServer>;

/** Returns what speaks MCP for a service: faces do not know each other. */
type OfferMcp = (service: Service, tell: (line: string) => void) => AnswerMcp;

/** How long a request may take to arrive. */
const ARRIVAL_MS = 30_000;

/** How often what is too old is removed. */
const PRUNE_MS = 10 * 60_000;

/** How long a connection may take to end once there is nothing to be answered on it. */
const FAREWELL_MS = 1_000;

/**
 * Offers the capture service over HTTP.
 *
 * @throws ProofsheetError `command-invalid` where it would be open to anybody, or cannot listen; `browser-missing`;
 *   `storage-failed`
 */
export async function serve(settings: ServeSettings, offerMcp: OfferMcp): Promise<RunningServer> {
  const { host, port, keyHashes, retention } = settings;
  if (keyHashes.length === 0 && !isLoopback(host)) throw tooOpen(host);
  const storage = await openStorage(settings.storage);
  const outside = await openEgress(settings);
  const service = createService({ ...settings, outside, storage });
  const tell = (line: string) => void process.stderr.write(line);
  const app = createApp(service, { ...settings, tell }, offerMcp(service, tell));
  const server = createAdaptorServer({ fetch: app.fetch });
  if ('requestTimeout' in server) server.requestTimeout = ARRIVAL_MS;
  const close = async () => {
    await service.close();
    await outside.close();
  };
  try {
    // Who starts a service learns at once that no browser starts, not by its first request.
    await service.start();
    await listen(server, host, port, 'the service');
  } catch (error) {
    await close();
    throw error;
  }
  const prune = () => storage.prune(Date.now() - retention * 3_600_000).catch(messageOf);
  const pruning = setInterval(() => void prune(), PRUNE_MS);
  void prune();
  return {
    url: urlOf(server, host),
    async close() {
      clearInterval(pruning);
      await close();
      await end(server);
    },
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
    }, FAREWELL_MS).unref();
  });
}

function tooOpen(host: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: `--host ${host}`,
    found: 'without keys the service would be open to whoever reaches this machine',
    advice: 'Give --keys FILE, or set PROOFSHEET_KEYS; without keys it listens on 127.0.0.1 only.',
  });
}
