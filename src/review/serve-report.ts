import type { ProjectFolders } from '../run/index.js';
import type { ReportServer } from './server.js';

/** Serves the report of a run, with buttons to approve and reject. Imported on demand: other commands do not need the server. */
export async function serveReport(places: ProjectFolders, host: string, port: number): Promise<ReportServer> {
  const server = await import('./server.js');
  return server.serveReport(places, host, port);
}
