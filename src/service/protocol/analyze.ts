import { z } from 'zod';
import { warningSchema } from '../../model/index.js';

/** Limits for the content that is read from a page. `text` and `line` are in characters. */
export const MAX_READ = { text: 200_000, line: 2_000, headings: 100, links: 100, images: 100, names: 50 } as const;

const line = z.string().overwrite((text) => text.slice(0, MAX_READ.line));
const headingList = z.array(line).overwrite((list) => list.slice(0, MAX_READ.headings));
const count = z.int().min(0);
const named = z
  .record(z.string(), line)
  .overwrite((names) => Object.fromEntries(Object.entries(names).slice(0, MAX_READ.names)));

/** Schema of the content that is read from a page. The page is not trusted and may return any values. */
export const pageContentSchema = z.object({
  text: z.string().overwrite((text) => text.slice(0, MAX_READ.text)),
  headings: z.object({ h1: headingList, h2: headingList, h3: headingList }),
  metadata: z.object({
    title: line.nullable(),
    description: line.nullable(),
    canonical: line.nullable(),
    language: line.nullable().describe('the `lang` of the document'),
    charset: line.nullable(),
    viewport: line.nullable(),
    robots: line.nullable(),
    author: line.nullable(),
    keywords: line.nullable(),
    generator: line.nullable(),
    themeColor: line.nullable(),
    icon: line.nullable(),
    openGraph: named.describe('by name, without `og:`'),
    twitter: named.describe('by name, without `twitter:`'),
    alternates: named.describe('URLs of the page in other languages, by language'),
  }),
  images: z.object({ total: count, broken: z.array(line).overwrite((list) => list.slice(0, MAX_READ.images)) }),
  links: z.object({
    total: count,
    first: z.array(z.string().max(MAX_READ.line)).overwrite((list) => list.slice(0, MAX_READ.links)),
  }),
  media: count.describe('number of visible images, videos, canvases, SVG images and frames'),
});

/** Schema of load and paint times, in milliseconds from the start of navigation; null: not reported by the browser. */
export const timingsSchema = z.strictObject({
  firstByteMs: z.number().min(0).nullable(),
  domContentLoadedMs: z.number().min(0).nullable(),
  loadMs: z.number().min(0).nullable(),
  firstPaintMs: z.number().min(0).nullable(),
  firstContentfulPaintMs: z.number().min(0).nullable(),
  largestContentfulPaintMs: z.number().min(0).nullable(),
});

/** Schema of one accessibility violation of a page, as axe-core reports it. */
export const violationSchema = z.object({
  rule: line,
  impact: line.nullable().describe('minor, moderate, serious or critical'),
  help: line,
  helpUrl: line,
  elements: count.describe('number of elements that violate the rule'),
  example: line.nullable().describe('CSS selector of the first such element'),
});

/** See {@link violationSchema}. */
export const violationsSchema = z.array(violationSchema);

/** See {@link pageContentSchema}. */
export type PageContent = z.output<typeof pageContentSchema>;
/** See {@link timingsSchema}. */
export type Timings = z.infer<typeof timingsSchema>;
/** See {@link violationSchema}. */
export type Violation = z.infer<typeof violationSchema>;

const weightSchema = z.strictObject({
  requests: count,
  bytes: count.describe('transfer size of all responses, including headers'),
});

/** The network cost of loading a page. */
export type Weight = Readonly<z.infer<typeof weightSchema>>;

const consoleErrorsSchema = z.strictObject({ total: count, first: z.array(z.string()) });

/** A part of the analysis that is incomplete or missing, and the reason. */
export interface Unmeasured {
  readonly what: string;
  readonly why: string;
}

/** All data that was collected while a page was open. Missing data is null, and `unmeasured` contains the reason. */
export interface PageFindings {
  /** HTTP status of the document; 0 without a response. */
  readonly httpStatus: number;
  readonly content: PageContent | null;
  readonly captchas: readonly string[];
  readonly consoleErrors: Readonly<z.infer<typeof consoleErrorsSchema>>;
  readonly weight: Weight;
  readonly timings: Timings | null;
  readonly violations: readonly Violation[] | null;
  readonly unmeasured: readonly Unmeasured[];
}

const { headings, metadata } = z.object(pageContentSchema.shape).shape;

/** Schema of the measurements of a page that have no field of their own in the response. */
export const measuredSchema = z.strictObject({
  readability: z.strictObject({
    formula: z.literal('Flesch reading ease'),
    sentences: count,
    words: count,
    syllables: count,
  }),
  captchas: z.array(z.string()).describe('names of the captchas whose frames the page has'),
  consoleErrors: consoleErrorsSchema,
  brokenImages: z.array(z.string()).nullable().describe('null: not checked'),
  links: z
    .strictObject({
      found: count,
      checked: count,
      broken: z.array(z.strictObject({ url: z.string(), why: z.string() })),
    })
    .nullable()
    .describe('null: not checked'),
  accessibility: z.array(violationSchema).nullable().describe('checked by axe-core; null: not checked'),
  weight: weightSchema,
  timings: timingsSchema.nullable(),
});

const qualitySchema = z.strictObject({
  isBlank: z.boolean().describe('the screenshot has a single color'),
  hasCaptcha: z.boolean(),
  httpStatus: count,
  readabilityScore: z.number().describe('Flesch reading ease, 0 (hard) to 100 (easy); 0 if there is too little text'),
  notes: z.array(z.string()),
  measured: measuredSchema,
});

/** Schema of the response of `POST /api/v3/analyze`. Texts of the page are not trusted. */
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
    html: z.string().nullable().describe('format html: the captured document; otherwise null'),
  }),
  summary: z.string().nullable().describe('written by a language model; null: `message` contains the reason'),
  topics: z.array(z.string()).describe('phrases of the page, sorted by weight'),
  quality: qualitySchema.nullable().describe('null: not requested'),
  headings: headings.describe('empty: the page has none, or its content could not be read'),
  metadata: metadata.partial().describe('empty: the content could not be read'),
  fromCache: z.boolean(),
  warnings: z.array(warningSchema),
});

/** See {@link measuredSchema}. */
export type Measured = z.output<typeof measuredSchema>;
/** The quality of a page. */
export type Quality = z.output<typeof qualitySchema>;
/** The response of `POST /api/v3/analyze`. Texts of the page are not trusted. */
export type AnalyzeResponse = z.output<typeof analyzeResponseSchema>;
