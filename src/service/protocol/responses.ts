import { z } from 'zod';
import { captureResponseSchema, problemSchema, shotRecordSchema, warningSchema } from '../../model/index.js';

const { summary, limits, regions, shifts, columnShifts, causes, before, after, diff } = shotRecordSchema.shape;
const warnings = z.array(warningSchema).describe('problems that are not errors; may be empty');
const success = {
  status: z.literal('success'),
  error: z.literal(false),
  fetchTime: z.iso.datetime({ precision: 3 }).describe('time of the capture, UTC'),
  message: z.string(),
};

/** The link is absolute. */
export const screenshotV1ResponseSchema = captureResponseSchema.extend({ error: z.literal(false), warnings });

export const screenshotV2ResponseSchema = screenshotV1ResponseSchema.extend({
  image: z.string().nullable().describe('format base64: the PNG in base64; otherwise null'),
  html: z.string().nullable().describe('format html: the captured document; otherwise null'),
});

/** Also of the command `compare`. Links are absolute URIs. */
export const compareResponseSchema = z.strictObject({
  ...success,
  status: success.status.describe('the comparison was possible; `passed` is its result'),
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

/** Limits of what is read from a page. `text` and `line` are in characters. */
export const MAX_READ = { text: 200_000, line: 2_000, headings: 100, links: 100, images: 100, names: 50 } as const;

const count = z.int().min(0);
const line = z.string().max(MAX_READ.line);
const text = line.nullable();
const headingList = z.array(line).max(MAX_READ.headings);
const named = z.record(z.string(), line).refine((names) => Object.keys(names).length <= MAX_READ.names);

/** What is read from a page. It is not trusted and may return any values. */
export const pageContentSchema = z.object({
  text: z.string().max(MAX_READ.text),
  headings: z.object({ h1: headingList, h2: headingList, h3: headingList }),
  metadata: z.object({
    title: text,
    description: text,
    canonical: text,
    language: text.describe('the `lang` of the document'),
    charset: text,
    viewport: text,
    robots: text,
    author: text,
    keywords: text,
    generator: text,
    themeColor: text,
    icon: text,
    openGraph: named.describe('by name, without `og:`'),
    twitter: named.describe('by name, without `twitter:`'),
    alternates: named.describe('URLs of the page in other languages, by language'),
  }),
  images: z.object({ total: count, broken: z.array(line).max(MAX_READ.images) }),
  links: z.object({ total: count, first: z.array(line).max(MAX_READ.links) }),
});

/** The accessibility violations of a page, as axe-core reports them. */
export const violationsSchema = z.array(
  z.object({
    rule: line,
    impact: text.describe('minor, moderate, serious or critical'),
    help: line,
    helpUrl: line,
    elements: count.describe('number of elements that violate the rule'),
    example: text.describe('CSS selector of the first such element'),
  }),
);

const qualitySchema = z.strictObject({
  isBlank: z.boolean().describe('the screenshot has a single color'),
  hasCaptcha: z.boolean(),
  httpStatus: count.describe('0: no response'),
  readabilityScore: z.number().describe('Flesch reading ease, 0 (hard) to 100 (easy); 0 if there is too little text'),
  notes: z.array(z.string()),
  measured: z.strictObject({
    readability: z.strictObject({
      formula: z.literal('Flesch reading ease'),
      sentences: count,
      words: count,
      syllables: count,
    }),
    captchas: z.array(z.string()).describe('names of the captchas whose frames the page has'),
    consoleErrors: z.strictObject({ total: count, first: z.array(z.string()) }),
    brokenImages: z.array(z.string()).nullable().describe('null: not checked'),
    links: z
      .strictObject({
        found: count,
        checked: count,
        broken: z.array(z.strictObject({ url: z.string(), why: z.string() })),
      })
      .describe('the first links of the page'),
    accessibility: violationsSchema.nullable().describe('checked by axe-core; null: not checked'),
    weight: z.strictObject({
      requests: count,
      bytes: count.describe('transfer size of all responses, including headers'),
    }),
  }),
});

export const analyzeResponseSchema = z.strictObject({
  ...success,
  url: z.string(),
  screenshot: z.strictObject({
    link: z.string(),
    width: count,
    height: count,
    html: z.string().nullable().describe('format html: the captured document; otherwise null'),
  }),
  summary: z
    .string()
    .nullable()
    .describe('by a language model, otherwise the description of the page; `message` says which, or why it is null'),
  topics: z
    .array(z.string())
    .describe('by a language model that wrote the summary; otherwise keywords of the page, or its headings'),
  quality: qualitySchema.nullable().describe('null: not requested'),
  headings: pageContentSchema.shape.headings.describe('empty: the page has none, or its content could not be read'),
  metadata: pageContentSchema.shape.metadata.partial().describe('empty: the content could not be read'),
  fromCache: z.boolean(),
  warnings,
});

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
/** The response of `POST /api/v3/compare`, and of the command `compare`. */
export type CompareResponse = z.infer<typeof compareResponseSchema>;
/** The response of `POST /api/v3/analyze`. Texts of the page are not trusted. */
export type AnalyzeResponse = z.infer<typeof analyzeResponseSchema>;
/** An error response of the service. */
export type ServiceError = z.infer<typeof serviceErrorSchema>;

export type PageContent = z.infer<typeof pageContentSchema>;
export type Violation = z.infer<typeof violationsSchema>[number];
export type Quality = z.infer<typeof qualitySchema>;
export type Measured = Quality['measured'];
