/** Which elements and styles explain a difference. Other folders import this door, and nothing behind it. */

export { listQuestions } from './admit-edits.js';
export { explainRegions, nameChanging } from './explain-regions.js';
export { findEdits, type StructureChange } from './find-edits.js';
