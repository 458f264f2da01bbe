/** One shot: from its page to its record. Other folders import this door, and nothing behind it. */

export { claimBaseline } from './claim-baseline.js';
export type { UpdateMode } from './decide.js';
export { clampExclusions, ownShare } from './excluded-areas.js';
export {
  failureDetailsFor,
  hasOwnReporter,
  isPlainRun,
  type RunnerConfig,
  reportCommand,
  shortPath,
} from './failure-details.js';
export { changeFieldsOf, summaryOf, warningsOf } from './findings.js';
export type { ShotResult } from './format-result.js';
export { toPageRequest } from './load-page.js';
export { MAX_LOADS } from './observe.js';
export { createOpenedShot } from './opened-shot.js';
export {
  type AcquiredPage,
  browserGone,
  captureAcquired,
  createPages,
  interrupted,
  openedPage,
  type Page,
  type Pages,
  type Recording,
  type ShotPages,
} from './page-session.js';
export { describeAffected } from './reused-shot.js';
export { exchangeStructures } from './structure-requests.js';
export { type RunnerContext, testShot } from './test-shot.js';
