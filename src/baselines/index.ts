/** Baselines and run records on disk. Other folders import this door, and nothing behind it. */

export { replaceFile, sweep, writeNew } from './atomic-write.js';
export {
  type Baseline,
  embedRecord,
  packStructure,
  readBaseline,
  removeBaseline,
  unpackStructure,
  writeBaseline,
} from './baseline.js';
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
export {
  DECISIONS_FOLDER,
  environmentFolder,
  fileNamesOf,
  foldName,
  INDEX_FILE,
  LOCKS_FOLDER,
  OWN_FOLDER,
  pageNameOf,
  REPORT_FOLDER,
  RESULTS_FILE,
  SUMMARY_FILE,
  safePart,
  safePathParts,
  sha256,
  shotNameOf,
} from './names.js';
export {
  type BaselineFolders,
  baselineFolder,
  baselinePathOf,
  createFolderCheck,
  findImage,
  isBelow,
  readRun,
} from './read-run.js';
export { lockReport, makeFolder, mapLinks, rewriteRun, writeRun } from './write-run.js';
