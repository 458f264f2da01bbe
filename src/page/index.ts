/** A page to a screenshot. Other folders import this door, and nothing behind it. */

export { openContext } from './browser/context.js';
export { identifyMachine } from './browser/find-browser.js';
export {
  chooseBrowser,
  createLongLivedBrowser,
  isAlive,
  type OpenBrowser,
  openBrowser,
  readMissingFlags,
  renderMissingFlags,
  repeatableFlags,
  repeatablePreferences,
} from './browser/launch.js';
export {
  type ControlledPage,
  captureFailure,
  controlOf,
  type LaunchedBrowser,
  launchControlled,
  liveDuring,
  openControlledPage,
} from './browser/page-control.js';
export { createStopwatch, type Stopwatch, withTimeLimit } from './browser/timing.js';
export { type CaptureOptions, captureOpenPage, capturePage } from './capture-page.js';
export { readBrowserEnvironment, readEnvironment, shareMachine } from './environment.js';
export { findMatches, type Match } from './find-matches.js';
export { isAt, watchNavigations } from './navigation.js';
export { decodeHashes } from './rendered-texts.js';
export { allowsText } from './texts.js';
