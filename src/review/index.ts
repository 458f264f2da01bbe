/** Approving and pruning what a run found. Other folders import this door, and nothing behind it. */

export { applyDecision, formatDecided, type ShotDecision } from './approve.js';
export { type Choice, chooseShots } from './choose-shots.js';
export { formatLeftovers, formatPruned, prune, pruneLeftovers } from './prune.js';
export { readRunSummary, readShot, readSummary, readVerdict } from './read-report.js';
export { serveReport } from './serve-report.js';
