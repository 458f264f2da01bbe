/** Folders that a run serves, and shots whose files did not change. Other folders import this door, and nothing behind it. */

export { createFolderServers, type FolderServer, type FolderServers, listen } from './folder-servers.js';
export { PROJECT_OPTIONS, type ProjectOptions, resolveReuse, toReusableShot } from './project-reuse.js';
export { cacheFolderOf, hashOf, openReuseCache, type StoredCapture } from './reuse-cache.js';
export { createShotReuse, type ReuseRun, type ShotReuse } from './shot-reuse.js';
