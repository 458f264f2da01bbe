/** Two images to a comparison. Other folders import this door, and nothing behind it. */

export { compareImages, renderUnchanged } from './compare.js';
export { engineVersion } from './engines/engine.js';
export { clipAreas, cutAreas, isIntersecting, widenArea } from './regions/areas.js';
export { compareInWorker } from './worker/compare-worker.js';
