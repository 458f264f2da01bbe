/** Two images to a comparison. Other folders import this door, and nothing behind it. */

export { clipAreas, cutAreas, isIntersecting, shareWithin, widenArea } from './areas.js';
export { measureBlurred, type SamePlace } from './blurred.js';
export { compareImages, compareInWorker, renderUnchanged } from './compare.js';
export { engineVersion } from './engines/overlap.js';
