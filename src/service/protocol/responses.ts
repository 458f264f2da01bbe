import { z } from 'zod';
import { captureResponseSchema, problemSchema, shotRecordSchema } from '../../model/index.js';

const { summary, limits, regions, shifts, columnShifts, causes, before, after, diff, warnings } =
  shotRecordSchema.shape;

/**
 * Schema of the response to a comparison of two pages or images: the v3 response of the capture service, with the result and
 * its explanation. Links are absolute URIs.
 */
export const compareResponseSchema = z.strictObject({
  status: z.literal('success').describe('the comparison was possible; `passed` is its result'),
  error: z.literal(false),
  fetchTime: z.iso.datetime({ precision: 3 }),
  message: z.string().describe('the result in one sentence'),
  passed: z.boolean().describe('within the limits'),
  before: before.unwrap(),
  after: after.unwrap(),
  diff: diff.describe('if no pixel differs: a faint copy of the image from the service, null from the command'),
  summary: summary.unwrap(),
  limits: limits.unwrap(),
  regions,
  shifts,
  columnShifts,
  causes,
  warnings,
});

/** The response of `POST /api/v3/compare`, and of the command `compare`. */
export type CompareResponse = z.infer<typeof compareResponseSchema>;

/** Schema of the response of `POST /api/v1/screenshot`. The link is absolute. */
export const screenshotV1ResponseSchema = captureResponseSchema.extend({
  error: z.literal(false),
  warnings: warnings.describe('problems of the capture that are not errors; may be empty'),
});

/** Schema of the response of `POST /api/v2/screenshot`. */
export const screenshotV2ResponseSchema = screenshotV1ResponseSchema.extend({
  image: z.string().nullable().describe('format base64: the PNG in base64; otherwise null'),
  html: z.string().nullable().describe('format html: the captured document; otherwise null'),
});

/** Schema of an error response. */
export const serviceErrorSchema = z.strictObject({
  status: z.literal('error'),
  error: z.literal(true),
  message: z.string(),
  code: z.string().describe('error code'),
  details: z.array(problemSchema).describe('one entry per problem; `where` is the field of the request'),
});

/** The response of `POST /api/v1/screenshot`. */
export type ScreenshotV1Response = z.infer<typeof screenshotV1ResponseSchema>;
/** The response of `POST /api/v2/screenshot`. */
export type ScreenshotV2Response = z.infer<typeof screenshotV2ResponseSchema>;
/** An error response of the service. */
export type ServiceError = z.infer<typeof serviceErrorSchema>;
