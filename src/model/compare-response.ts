import { z } from 'zod';
import { shotRecordSchema } from './record.js';

const { summary, limits, regions, shifts, columnShifts, before, after, diff, warnings } = shotRecordSchema.shape;

/**
 * Checks what a comparison of two pages or images answers: the v3 response of the capture service, with the verdict and
 * what there is to be said of it. Links are absolute URIs.
 */
export const compareResponseSchema = z.strictObject({
  status: z.literal('success').describe('the two could be compared; `passed` tells whether they are alike'),
  error: z.literal(false),
  fetchTime: z.iso.datetime({ precision: 3 }),
  message: z.string().describe('what happened, in one sentence'),
  passed: z.boolean().describe('within the limits'),
  before: before.unwrap(),
  after: after.unwrap(),
  diff: diff.describe('where not one pixel differs: by the service a faint picture of it, by the command null'),
  summary: summary.unwrap(),
  limits: limits.unwrap(),
  regions,
  shifts,
  columnShifts,
  warnings,
});

/** See {@link compareResponseSchema}. */
export type CompareResponse = z.infer<typeof compareResponseSchema>;
