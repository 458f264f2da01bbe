import { createServer, type Server } from 'node:http';
import { messageOf } from '../../model/errors.js';
import { listen } from './listen.js';

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
