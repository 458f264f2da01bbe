import { z } from 'zod';
import { problemSchema } from '../errors.js';
import { captureResponseSchema, shotRecordSchema } from '../run-record.js';

const { summary, limits, regions, shifts, columnShifts, before, after, diff, warnings } = shotRecordSchema.shape;

/**
 * Schema of the response to a comparison of two pages or images: the v3 response of the capture service, with the result and
 * its explanation. Links are absolute URIs.
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

/** The response of `POST /api/v3/compare`, and of the command `compare`. */
export type CompareResponse = z.infer<typeof compareResponseSchema>;

/** Schema of the response of `POST /api/v1/screenshot`. The link is absolute. */
export const screenshotV1ResponseSchema = captureResponseSchema.extend({
  error: z.literal(false),
  warnings: warnings.describe('what should be known of the capture; empty: nothing'),
});

/** Schema of the response of `POST /api/v2/screenshot`. */
export const screenshotV2ResponseSchema = screenshotV1ResponseSchema.extend({
  image: z.string().nullable().describe('format base64: the png in base64; else null'),
  html: z.string().nullable().describe('format html: the document as it was captured; else null'),
});

/** Schema of an error response. */
export const serviceErrorSchema = z.strictObject({
  status: z.literal('error'),
  error: z.literal(true),
  message: z.string(),
  code: z.string().describe('what went wrong, for programs'),
  details: z.array(problemSchema).describe('one for each thing that is wrong; `where` names the field of a request'),
});

/** The response of `POST /api/v1/screenshot`. */
export type ScreenshotV1Response = z.infer<typeof screenshotV1ResponseSchema>;
/** The response of `POST /api/v2/screenshot`. */
export type ScreenshotV2Response = z.infer<typeof screenshotV2ResponseSchema>;
/** An error response of the service. */
export type ServiceError = z.infer<typeof serviceErrorSchema>;
