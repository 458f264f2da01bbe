/** All shots of a run to one published report. Other folders import this door, and nothing behind it. */

export {
  askReporter,
  checkPlaywright,
  INSTALL_PLAYWRIGHT,
  isAtLeast,
  LIST_VARIABLE,
  LOWEST_PLAYWRIGHT,
  listTests,
  resolveFrom,
  runPlaywright,
  type TestList,
} from './ask-playwright.js';
export {
  findLeftovers,
  findObsolete,
  listBaselines,
  obsoleteUnknownReason,
  recordObsolete,
  sweepLeftovers,
} from './find-obsolete.js';
export type { Ending, ObservedTest, RunFacts, Shard } from './observed-run.js';
export {
  findProject,
  isOwnReport,
  isReported,
  locksFolderIn,
  type Project,
  type ProjectFolders,
  packageVersion,
  readCommit,
  readRunId,
  readTestedCommit,
  readUserName,
  runNameOf,
  stagingFolderIn,
} from './project.js';
export { amendRun, publishRun } from './publish-run.js';
export { storeRejections } from './rejections.js';
