/** Approving, rejecting, undoing and pruning. Other folders import this door, and nothing behind it. */

import type { ProjectFolders } from '../run/index.js';
import type { ReportServer } from './server.js';

export { assembleReport, type PublicFile, type PublicReport } from './assemble-report.js';
export { chooseShots } from './choose-shots.js';
export { applyDecision, type ShotDecision, undoNewest } from './decide.js';
export { prune, pruneLeftovers } from './prune.js';
export { readRunSummary, readShot, readSummary, readVerdict } from './read-report.js';

/** Serves the report of a run, with buttons to approve and reject. Only this loads the server. */
export async function serveReport(places: ProjectFolders, host: string, port: number): Promise<ReportServer> {
  const server = await import('./server.js');
  return server.serveReport(places, host, port);
}
