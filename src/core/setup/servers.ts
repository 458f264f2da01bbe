import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** A network server. */
interface Listener {
  listen(options: { readonly host: string; readonly port: number }): NodeJS.EventEmitter;
}

/**
 * Starts a server and waits until it listens.
 *
 * @param what subject of the error message, such as "the report".
 * @throws ProofsheetError `command-invalid` if it cannot listen on this host and port.
 */
export async function listen(server: Listener, host: string, port: number, what: string): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw new ProofsheetError({
      code: 'command-invalid',
      where: `${host}:${port}`,
      found: `cannot serve ${what} on this address (${messageOf(cause)})`,
      advice: 'Use another --port, or 0 for any free port.',
    });
  }
}

/** The folders of Storybooks that one worker serves. */
export interface StorybookServers {
  /** Serves a folder, unless it is served already, and returns its base URL. */
  baseURLOf(folder: string): Promise<string>;
  close(): Promise<void>;
}

/** Creates the servers of one worker. A server starts with the first story of its folder, on a free port of 127.0.0.1. */
export function createStorybookServers(): StorybookServers {
  const servers = new Map<string, Promise<Server>>();
  return {
    async baseURLOf(folder) {
      const started = servers.get(folder) ?? serveFolder(folder);
      servers.set(folder, started);
      const address = (await started).address();
      if (typeof address !== 'object' || address === null) throw new Error(`no port for ${folder}`);
      return `http://${HOST}:${address.port}/`;
    },
    async close() {
      for (const started of servers.values()) {
        const server = await started.catch(messageOf);
        if (typeof server === 'string') continue;
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const HOST = '127.0.0.1';

/** Loaded with the first story: most lists have none. */
async function serveFolder(folder: string): Promise<Server> {
  const [{ Hono }, { getRequestListener }, { serveStatic }] = await Promise.all([
    import('hono'),
    import('@hono/node-server'),
    import('@hono/node-server/serve-static'),
  ]);
  const app = new Hono().get('*', serveStatic({ root: folder, allowPercentInPath: true }));
  const server = createServer(getRequestListener(app.fetch));
  await listen(server, HOST, 0, `the Storybook ${folder}`);
  return server;
}
