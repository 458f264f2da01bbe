/** Folders that a run serves, and shots whose files did not change. Other folders import this door, and nothing behind it. */

export { createFolderServers, type FolderServer, type FolderServers } from './folder-servers.js';
export { hashOf } from './key.js';
export type { PageInputs } from './page-inputs.js';
export { type ProjectOptions, resolveReuse, toReusableShot } from './project-reuse.js';
export { type ExecutableOptions, identifyMachine, openReuseRun } from './reuse-run.js';
export { listen } from './servers.js';
export { createShotReuse, type ReuseDecision, type ReuseRun, type ShotReuse } from './shot-reuse.js';
