/** All shots of a run to one published report. Other folders import this door, and nothing behind it. */

export * from './ask-playwright.js';
export * from './find-obsolete.js';
export type { Ending, ObservedTest, RunFacts, Shard } from './observed-run.js';
export * from './project.js';
export { amendRun, publishRun } from './publish-run.js';
export { storeRejections } from './rejections.js';
