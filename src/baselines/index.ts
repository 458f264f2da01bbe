/** Baselines and run records on disk. Other folders import this door, and nothing behind it. */

export { isTemporary, removeAbandoned, replaceFile, sweep, temporaryName, writeNew } from './atomic-write.js';
export { type Baseline, embedRecord, readBaseline, removeBaseline, sha256, writeBaseline } from './baseline.js';
export { baselineFolder, createFolderCheck, type FolderCheck } from './baseline-folders.js';
export { type FoundBaseline, findAbandoned, findBaselines, findLeftovers } from './find-baselines.js';
export { comparedNames, fileLink, type ImageFile, openImage, readImageFile, writeCompared } from './image-file.js';
export { acquireLock, isFirstNotice, isLocked } from './locks.js';
export { foldName, pageNameOf, safePart, safePathParts, shotNameOf, trackedPart } from './names.js';
export {
  environmentFolder,
  INDEX_FILE,
  LOCKS_FOLDER,
  OWN_FOLDER,
  REPORT_FOLDER,
  RESULTS_FILE,
  SUMMARY_FILE,
} from './paths.js';
export { findImage, readRun } from './read-run.js';
export { type BaselineFolders, type BaselinePlace, findBaseline, isBelow } from './recorded-path.js';
export { openRunNotes } from './run-notes.js';
export { packStructure, unpackStructure } from './structure-part.js';
export { lockReport, rewriteRun, writeRun } from './write-run.js';
