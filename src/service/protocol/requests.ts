import { z } from 'zod';
import { heightSchema, IMAGE_FORMATS, renderBounds, SHOT_FORMATS, widthSchema } from '../../model/index.js';
import { analyzeResponseSchema } from './analyze.js';
import { compareResponseSchema, screenshotV1ResponseSchema, screenshotV2ResponseSchema } from './responses.js';

/** Defaults for missing request fields. */
export const SERVICE_DEFAULTS = { format: 'png', width: 1280, height: 720, delay: 0, threshold: 0.1 } as const;

const url = z
  .url({ protocol: /^https?$/ })
  .max(8192)
  .refine(hasReadableUser, 'a user name and password in percent-encoding');
const flag = z.boolean();
const delay = z.number().min(0).max(10);

/** Empty strings are ignored, because forms send empty fields as empty strings. */
const textOrNothing = z.string().transform((text) => (text.trim() === '' ? undefined : text));
const selectors = z
  .union([z.string(), z.array(z.string().min(1))])
  .transform((given) => (given.length === 0 || (typeof given === 'string' && given.trim() === '') ? undefined : given));
const language = z
  .string()
  .regex(/^$|^[A-Za-z]{2,3}(-[A-Za-z\d]{2,8})*$/, 'a locale such as de-DE')
  .transform((text) => (text === '' ? undefined : text));

const described = {
  url: url.describe('The page.'),
  width: widthSchema.default(SERVICE_DEFAULTS.width).describe(`Viewport width in pixels, ${renderBounds('width')}.`),
  height: heightSchema
    .nullable()
    .default(SERVICE_DEFAULTS.height)
    .describe(`Viewport height in pixels, ${renderBounds('height')}; null: the height of the content.`),
  fullSize: flag.default(false).describe('Capture the full scrollable page; the viewport stays the same.'),
  hideCookie: flag.default(false).describe('Hide cookie banners.'),
};

/** The fields that v2 and v3 add to v1. */
const controls = {
  delay: delay.default(SERVICE_DEFAULTS.delay).describe('Delay before the capture in seconds, 0..10.'),
  javascriptCode: textOrNothing.optional().describe('JavaScript to run in the page before the capture.'),
  hide: selectors
    .optional()
    .describe('CSS selectors of elements to make invisible: a comma-separated string, or a list.'),
  language: language.optional().describe('Locale of the page, such as de-DE.'),
};

/** Schema of the request of `POST /api/v1/screenshot`. Unknown fields are dropped. */
export const screenshotV1Schema = z.object({
  ...described,
  delay: z
    .int()
    .min(0)
    .max(10)
    .default(SERVICE_DEFAULTS.delay)
    .describe('Delay before the capture in whole seconds, 0..10.'),
  format: z.enum(SHOT_FORMATS).default(SERVICE_DEFAULTS.format).describe('Image format, or pdf.'),
});

/** Schema of the request of `POST /api/v2/screenshot`: v1 with more options. The response can contain the image or document. */
export const screenshotV2Schema = z.object({
  ...described,
  ...controls,
  format: z
    .enum([...SHOT_FORMATS, 'base64', 'html'])
    .default(SERVICE_DEFAULTS.format)
    .describe('Image format, pdf, base64 (a PNG in `image`), or html (the captured document in `html`).'),
  convert: flag.default(false).describe('Accepted without effect: every capture has the requested format.'),
  country: textOrNothing
    .optional()
    .describe('Accepted with a warning: pages are always requested from the location of the service.'),
});

/** In a source, null is treated like a missing field. */
const orDefault = <T>(schema: z.ZodType<T, T>, value: T) =>
  schema
    .nullable()
    .transform((given) => given ?? value)
    .prefault(value);
const orNothing = <T extends z.ZodType>(schema: T) => schema.nullish().transform((given) => given ?? undefined);

const sourceSchema = z
  .object({
    url: orNothing(url).describe('URL of a page to capture.'),
    imageUrl: orNothing(url).describe('URL of an image (png, jpeg, webp, pdf) to fetch.'),
    width: orDefault(widthSchema, SERVICE_DEFAULTS.width).describe(described.width.description ?? ''),
    height: orDefault(heightSchema, SERVICE_DEFAULTS.height).describe(
      `Viewport height in pixels, ${renderBounds('height')}.`,
    ),
    delay: orDefault(delay, SERVICE_DEFAULTS.delay).describe(controls.delay.description ?? ''),
    fullSize: orDefault(flag, false).describe(described.fullSize.description ?? ''),
    hideCookie: orDefault(flag, false).describe(described.hideCookie.description ?? ''),
    javascriptCode: orNothing(textOrNothing).describe(controls.javascriptCode.description ?? ''),
    hide: orNothing(selectors).describe(controls.hide.description ?? ''),
    language: orNothing(language).describe(controls.language.description ?? ''),
  })
  .refine(({ url, imageUrl }) => url !== undefined || imageUrl !== undefined, 'an object with url or imageUrl');

/** Schema of the request of `POST /api/v3/compare`. If a side has an image and a URL, the image is used. */
export const compareV3Schema = z.object({
  before: sourceSchema,
  after: sourceSchema,
  threshold: orDefault(z.number().min(0).max(1), SERVICE_DEFAULTS.threshold).describe(
    'Maximum color difference of a pixel, 0..1.',
  ),
});

/** Schema of the request of `POST /api/v3/analyze`. */
export const analyzeV3Schema = z.object({
  ...described,
  ...controls,
  format: z
    .enum([...IMAGE_FORMATS.filter((name) => name !== 'jpg'), 'pdf', 'html'])
    .default(SERVICE_DEFAULTS.format)
    .describe('png, jpeg, webp, pdf, or html (includes the document).'),
  waitForDom: flag.default(false).describe('Accepted without effect: a page is always captured once it is stable.'),
  enableSummary: flag.default(false).describe('Let a language model write a summary.'),
  enableQuality: flag.default(false).describe('Measure the quality of the page.'),
  forceRefresh: flag.default(false).describe('Do not use a cached analysis.'),
});

/** The request of `POST /api/v1/screenshot`. */
export type ScreenshotV1Input = z.input<typeof screenshotV1Schema>;
/** The request of `POST /api/v2/screenshot`. */
export type ScreenshotV2Input = z.input<typeof screenshotV2Schema>;
/** The request of `POST /api/v3/compare`. */
export type CompareV3Input = z.input<typeof compareV3Schema>;
/** The request of `POST /api/v3/analyze`. */
export type AnalyzeV3Input = z.input<typeof analyzeV3Schema>;

/** See {@link screenshotV2Schema}. */
export type ScreenshotV2 = z.output<typeof screenshotV2Schema>;
/** One side of a {@link CompareV3}. */
export type CompareSource = z.output<typeof sourceSchema>;
/** See {@link compareV3Schema}. */
export type CompareV3 = z.output<typeof compareV3Schema>;
/** See {@link analyzeV3Schema}. */
export type AnalyzeV3 = z.output<typeof analyzeV3Schema>;

function hasReadableUser(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    return [username, password].map(decodeURIComponent).length === 2;
  } catch {
    return false;
  }
}

/** The POST endpoints of the capture service: path, request schema and response schema. */
export const SERVICE_CALLS = {
  screenshotV1: {
    path: '/api/v1/screenshot',
    summary: 'Capture a page as a file',
    request: screenshotV1Schema,
    response: screenshotV1ResponseSchema,
  },
  screenshotV2: {
    path: '/api/v2/screenshot',
    summary: 'Capture a page as a file, or inline in the response',
    request: screenshotV2Schema,
    response: screenshotV2ResponseSchema,
  },
  compareV3: {
    path: '/api/v3/compare',
    summary: 'Compare two pages, two images, or a page and an image',
    request: compareV3Schema,
    response: compareResponseSchema,
  },
  analyzeV3: {
    path: '/api/v3/analyze',
    summary: 'Capture and analyze a page',
    request: analyzeV3Schema,
    response: analyzeResponseSchema,
  },
} as const;

/** The GET and MCP paths of the capture service. */
export const SERVICE_PATHS = {
  captures: '/screenshots/:host/:uuid/:file',
  health: '/healthz',
  metrics: '/metrics',
  openapi: '/openapi.json',
  mcp: '/mcp',
  page: '/',
} as const;
