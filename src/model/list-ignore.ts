import { z } from 'zod';
import { selectorSchema } from './list-steps.js';

/** What `ignore` takes, as a user writes it. */
export type IgnoreInput = z.infer<typeof ignoreSchema>;

const area = z
  .strictObject({
    x: z.int().min(0).describe('From the left edge of the image, in CSS pixels.'),
    y: z.int().min(0).describe('From the top edge of the image, in CSS pixels.'),
    width: z.int().min(1).describe('In CSS pixels.'),
    height: z.int().min(1).describe('In CSS pixels.'),
  })
  .describe('A rectangle of the image, in CSS pixels: { x, y, width, height }.');

/** Checks what `ignore` takes: selectors as `mask` does, rectangles of the image, or a list of both. */
export const ignoreSchema = z.union([selectorSchema, area, z.array(z.union([selectorSchema, area]))]);
