import { z } from 'zod';

const rectangleSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(0), height: z.int().min(0) });

/** Checks the rectangles of an image, in its pixels. */
export const rectanglesSchema = z.array(rectangleSchema);

/** What one entry of `mask` or `ignore` leaves out of the comparison. */
export const exclusionSchema = z.strictObject({
  selector: z.string().nullable().describe('the entry as the list has it; null: not known'),
  rectangles: rectanglesSchema.describe('in pixels of the image; empty: it matched nothing'),
});

/** See {@link exclusionSchema}. */
export type Exclusion = z.infer<typeof exclusionSchema>;
