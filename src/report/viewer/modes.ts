import type { ShotView } from '../view.js';
import type { Mode } from './stage-state.js';

/** Gives the ways in which the images of a shot can be shown: over one another only where there are two pictures. */
export function modesOf({ before, after, diff }: ShotView): Mode[] {
  const over = isThere(before) && isThere(after) ? (['slider', 'flip', 'onion'] as const) : [];
  const beside = before || after || !diff ? (['side'] as const) : [];
  return [...beside, ...over, ...(isThere(diff) ? (['diff'] as const) : [])];
}

/** Tells whether there is something that can be laid over another. */
export function isThere(image: ShotView['diff']): boolean {
  return image?.isPicture === true && image.href !== null;
}
