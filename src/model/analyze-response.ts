import { z } from 'zod';
import { pageContentSchema, timingsSchema, violationSchema } from './analysis.js';

const count = z.int().min(0);
const { headings, metadata } = z.object(pageContentSchema.shape).shape;

/** Checks what was measured of a page: the parts of its quality that the interface has no field for. */
export const measuredSchema = z.strictObject({
  readability: z.strictObject({
    formula: z.literal('Flesch reading ease'),
    sentences: count,
    words: count,
    syllables: count,
  }),
  captchas: z.array(z.string()).describe('whose widgets the page has'),
  consoleErrors: z.strictObject({ total: count, first: z.array(z.string()) }),
  brokenImages: z.array(z.string()).nullable().describe('null: not looked for'),
  links: z
    .strictObject({
      found: count,
      checked: count,
      broken: z.array(z.strictObject({ url: z.string(), why: z.string() })),
    })
    .nullable()
    .describe('null: not looked for'),
  accessibility: z.array(violationSchema).nullable().describe('by axe-core; null: not looked for'),
  weight: z.strictObject({ requests: count, bytes: count }),
  timings: timingsSchema.nullable(),
});

const qualitySchema = z.strictObject({
  isBlank: z.boolean().describe('one colour and nothing else is to be seen'),
  hasCaptcha: z.boolean(),
  httpStatus: count,
  readabilityScore: z
    .number()
    .describe('Flesch reading ease, 0 (hard) to 100 (easy); 0 where there is too little text'),
  notes: z.array(z.string()),
  measured: measuredSchema,
});

/** Checks what `POST /api/v3/analyze` answers. Texts of the page are data: they may say anything. */
export const analyzeResponseSchema = z.strictObject({
  status: z.literal('success'),
  error: z.literal(false),
  fetchTime: z.iso.datetime({ precision: 3 }),
  message: z.string(),
  url: z.string(),
  screenshot: z.strictObject({
    link: z.string(),
    width: count,
    height: count,
    html: z.string().nullable().describe('format html: the document as it was captured; else null'),
  }),
  summary: z.string().nullable().describe('written by a language model; null: `message` says why'),
  topics: z.array(z.string()).describe('phrases of the page, the weightiest first'),
  quality: qualitySchema.nullable().describe('null: not asked for'),
  headings: headings.describe('empty: there are none, or the page did not let itself be read'),
  metadata: metadata.partial().describe('empty: the page did not let itself be read'),
  fromCache: z.boolean(),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
});

/** See {@link measuredSchema}. */
export type Measured = z.output<typeof measuredSchema>;
/** What is to be said of a page's quality. */
export type Quality = z.output<typeof qualitySchema>;
/** See {@link analyzeResponseSchema}. */
export type AnalyzeResponse = z.output<typeof analyzeResponseSchema>;
