import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { invalidCommand, isLoopback, messageOf, print } from '../../model/index.js';
import { listen } from '../../reuse/index.js';
import { openCaptureBrowser } from '../captures/capture-browser.js';
import type { EgressSettings } from '../egress/egress.js';
import { createMcpHandler } from '../mcp/server.js';
import { createService, type ServiceSettings } from '../service.js';
import { openStorage } from '../storage.js';
import { type AppSettings, createApp } from './app.js';

/** Settings of the capture service over HTTP. */
export interface ServeSettings extends ServiceSettings, EgressSettings, AppSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where captures are stored: a folder, or `s3://bucket/prefix`. */
  readonly storage: string;
  /** Hours until a stored capture is deleted. */
  readonly retention: number;
}

const RECEIVE_MS = 30_000;
const PRUNE_MS = 10 * 60_000;
const CLOSE_CONNECTIONS_MS = 1_000;

/** @throws ProofsheetError `command-invalid` without keys on a public address or if it cannot listen, `browser-missing`, `storage-failed` */
export async function serve(settings: ServeSettings) {
  const { host, port, keyHashes, retention } = settings;
  if (keyHashes.length === 0 && !isLoopback(host))
    throw invalidCommand(
      `--host ${host}`,
      'without keys, everyone who can reach this machine could use the service',
      'Use --keys FILE, or set PROOFSHEET_KEYS. Without keys, only 127.0.0.1 is allowed.',
    );
  const storage = await openStorage(settings.storage);
  const captures = await openCaptureBrowser(settings);
  const service = createService({ ...settings, captures, storage });
  const writeLog = (line: string) => print(line, process.stderr);
  const app = createApp(service, settings, createMcpHandler(service, writeLog), writeLog);
  const server = createServer({ requestTimeout: RECEIVE_MS }, getRequestListener(app.fetch));
  let url: string;
  try {
    // Launch the browser now, so that a missing browser is an error at startup.
    await captures.start();
    url = await listen(server, host, port, 'the service');
  } catch (error) {
    await service.close();
    throw error;
  }
  const prune = () => void storage.prune(Date.now() - retention * 3_600_000).catch(messageOf);
  const pruning = setInterval(prune, PRUNE_MS);
  prune();
  return {
    url,
    /** Refuses new requests, finishes running ones, and stops. */
    async close() {
      clearInterval(pruning);
      await service.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        setTimeout(() => server.closeAllConnections(), CLOSE_CONNECTIONS_MS).unref();
      });
    },
  };
}
