import { isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { isLoopback, messageOf, ProofsheetError, print } from '../../model/index.js';
import { listen } from '../../reuse/index.js';
import { openCaptureBrowser } from '../captures/capture-browser.js';
import { createMcpHandler } from '../mcp/server.js';
import type { RunningServer, ServeSettings } from '../protocol/settings.js';
import { createService } from '../service.js';
import { openFolderStorage, type Storage } from '../storage/storage.js';
import { createApp } from './app.js';

type Server = ReturnType<typeof createAdaptorServer>;

/** Time limit for receiving a request, in milliseconds. */
const RECEIVE_MS = 30_000;

/** Interval between removals of expired captures, in milliseconds. */
const PRUNE_MS = 10 * 60_000;

/** Time until open connections are closed at shutdown, in milliseconds. */
const CLOSE_CONNECTIONS_MS = 1_000;

/**
 * Serves the capture service over HTTP.
 *
 * @throws ProofsheetError `command-invalid` if it has no keys on a public address, or cannot listen; `browser-missing`;
 *   `storage-failed`
 */
export async function serve(settings: ServeSettings): Promise<RunningServer> {
  const { host, port, keyHashes, retention } = settings;
  if (keyHashes.length === 0 && !isLoopback(host)) throw keysMissing(host);
  const storage = await openStorage(settings.storage);
  const captures = await openCaptureBrowser(settings);
  const service = createService({ ...settings, captures, storage });
  const writeLog = (line: string) => print(line, process.stderr);
  const app = createApp(service, { ...settings, writeLog }, createMcpHandler(service, writeLog));
  const server = createAdaptorServer({ fetch: app.fetch });
  if ('requestTimeout' in server) server.requestTimeout = RECEIVE_MS;
  try {
    // Launch the browser now, so that a missing browser is an error at startup.
    await service.start();
    await listen(server, host, port, 'the service');
  } catch (error) {
    await service.close();
    throw error;
  }
  const prune = () => storage.prune(Date.now() - retention * 3_600_000).catch(messageOf);
  const pruning = setInterval(() => void prune(), PRUNE_MS);
  void prune();
  return {
    url: urlOf(server, host),
    async close() {
      clearInterval(pruning);
      await service.close();
      await closeServer(server);
    },
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
    }, CLOSE_CONNECTIONS_MS).unref();
  });
}

function keysMissing(host: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: `--host ${host}`,
    found: 'without keys, everyone who can reach this machine could use the service',
    advice: 'Use --keys FILE, or set PROOFSHEET_KEYS. Without keys, only 127.0.0.1 is allowed.',
  });
}

/**
 * Opens a storage.
 *
 * @param place a folder, or `s3://bucket/prefix`.
 * @throws ProofsheetError `command-invalid`, `storage-failed`
 */
export async function openStorage(place: string): Promise<Storage> {
  if (!place.startsWith('s3://')) return openFolderStorage(place);
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/+(.*?))?\/*$/i.exec(place) ?? [];
  if (bucket === undefined) throw invalidBucket(place);
  const { openBucketStorage } = await import('../storage/bucket-storage.js');
  return openBucketStorage({ bucket, prefix: prefix === '' ? '' : `${prefix}/` });
}

function invalidBucket(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where,
    found: 'the bucket name is missing',
    advice: 'Use s3://bucket or s3://bucket/prefix.',
  });
}
