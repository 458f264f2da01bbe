/** All shots of a run to one published report. Other folders import this door, and nothing behind it. */

export { askReporter, LIST_VARIABLE, listTests, resolveFrom, runPlaywright, type TestList } from './ask-playwright.js';
export { findObsolete, obsoleteUnknownReason, recordObsolete, sweepLeftovers } from './find-obsolete.js';
export {
  findProject,
  isOwnReport,
  isReported,
  locksFolderIn,
  type Project,
  type ProjectFolders,
  stagingFolderIn,
} from './folders.js';
export type { Ending, ObservedTest, RunFacts, Shard } from './observed.js';
export { amendRun, publishRun } from './publish-run.js';
export { storeRejections } from './rejections.js';
export {
  checkPlaywright,
  INSTALL_PLAYWRIGHT,
  isAtLeast,
  LOWEST_PLAYWRIGHT,
  packageVersion,
  readCommit,
  readRunId,
  readTestedCommit,
  readUserName,
  runNameOf,
} from './run-identity.js';
