/** Baselines and run records on disk. Other folders import this door, and nothing behind it. */

export { replaceFile, sweep, writeNew } from './atomic-write.js';
export * from './baseline.js';
export type { StagedImage } from './inline-images.js';
export {
  acquireLock,
  isAbandoned,
  isFirstNotice,
  isTemporary,
  ownerOf,
  removeAbandoned,
  temporaryName,
} from './locks.js';
export * from './names.js';
export * from './read-run.js';
export { lockReport, makeFolder, mapLinks, rewriteRun, writeRun } from './write-run.js';
