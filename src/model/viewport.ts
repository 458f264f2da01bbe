import { z } from 'zod';

/** The bounds of a viewport in CSS pixels, for the page list, the service and the commands. */
export const VIEWPORT_BOUNDS = { width: { min: 100, max: 8000 }, height: { min: 100, max: 20_000 } } as const;

/** Checks the width of a viewport. */
export const widthSchema = z.int().min(VIEWPORT_BOUNDS.width.min).max(VIEWPORT_BOUNDS.width.max);
/** Checks the height of a viewport. */
export const heightSchema = z.int().min(VIEWPORT_BOUNDS.height.min).max(VIEWPORT_BOUNDS.height.max);

/** Renders the bounds of a side: `100..8000`. */
export function renderBounds(side: keyof typeof VIEWPORT_BOUNDS): string {
  const { min, max } = VIEWPORT_BOUNDS[side];
  return `${min}..${max}`;
}
