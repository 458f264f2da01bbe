/** Which elements and styles explain a difference. Other folders import this door, and nothing behind it. */

export { type Explanation, explain, nameChanging } from './explain.js';
export type { Redraw } from './redrawn.js';
