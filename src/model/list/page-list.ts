import { z } from 'zod';
import { ENVIRONMENT_RULES } from '../environment.js';
import { SHOT_FORMATS } from '../image.js';
import {
  ANTIALIASING_RULES,
  actionSchema,
  credentialsSchema,
  heightSchema,
  selectorSchema,
  waitsSchema,
  widthSchema,
} from './fields.js';
import { settleSchema } from './settle.js';

/** The value of `ignore`, as a user writes it. */
export type IgnoreInput = z.infer<typeof ignoreSchema>;

const area = z
  .strictObject({
    x: z.int().min(0).describe('From the left edge of the image, in CSS pixels.'),
    y: z.int().min(0).describe('From the top edge of the image, in CSS pixels.'),
    width: z.int().min(1).describe('In CSS pixels.'),
    height: z.int().min(1).describe('In CSS pixels.'),
  })
  .describe('A rectangle of the image, in CSS pixels: { x, y, width, height }.');

/** Schema of `ignore`: selectors as in `mask`, rectangles of the image, or a list of both. */
export const ignoreSchema = z.union([selectorSchema, area, z.array(z.union([selectorSchema, area]))]);

/** The page list as a user writes it. Unknown keys are errors. `page-list/` fills in missing values. */
export type PageListInput = z.infer<typeof pageListSchema>;
/** A page as a user writes it, in its long form. */
export type PageInput = z.infer<typeof pageSchema>;
/** The fields of a page that `defaults:` can also set. */
export type PageFieldsInput = z.infer<typeof pageFieldsSchema>;
/** The fields of a page that a state can also set. They define one shot. */
export type ShotFieldsInput = z.infer<typeof shotFieldsSchema>;
/** The options of `toMatchBaseline`: the fields of a page for the image and the comparison. */
export type MatcherOptionsInput = z.infer<typeof matcherOptionsSchema>;
/** A named viewport as a user writes it. */
export type ViewportInput = z.infer<typeof viewportSchema>;

const width = widthSchema;
const height = heightSchema.nullable();
const selectors = z
  .union([selectorSchema, z.array(selectorSchema)])
  .describe('CSS selectors: a list, or one string with commas.');
const tag = z.string().regex(/^@?[^\s@]+$/, 'a word without spaces, such as smoke or @smoke');
const site = z.url({ protocol: /^https?$/ });

const clock = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?( ?(Z|[+-]\d\d:\d\d))?)?$/,
    'a date such as 2024-05-01, or a date and time such as 2024-05-01T09:30:00Z',
  );

/** Schema of the fields of a page that a state can also set. */
export const shotFieldsSchema = z.strictObject({
  format: z.enum(SHOT_FORMATS).optional().describe('Image format, or pdf. Default png.'),
  quality: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Quality of jpeg (default 80) and webp (default 100: lossless).'),
  width: width.optional().describe("Viewport width in pixels. Default: the project's, else 1280."),
  height: height
    .optional()
    .describe("Viewport height in pixels; null: as tall as the content. Default: the project's, else 720."),
  fullSize: z.boolean().optional().describe('Capture all that scrolls, at the same viewport. Default false.'),
  scale: z
    .enum(['css', 'device'])
    .optional()
    .describe('One image pixel per CSS pixel (css, default) or per device pixel.'),
  element: selectorSchema.optional().describe('Captures this element alone, whole: a CSS selector.'),
  waitFor: waitsSchema
    .optional()
    .describe('What is waited for: a CSS selector, { text: ... }, { response: ... }, or a list of these.'),
  actions: z
    .array(actionSchema)
    .optional()
    .describe('What is done before the capture, in this order: a list such as [{ click: "#menu" }].'),
  delay: z.number().min(0).max(10).optional().describe('Seconds to wait before the capture. Default 0.'),
  hide: selectors.optional().describe('Made invisible before the capture (visibility: hidden; the layout stays).'),
  hideCookie: z.boolean().optional().describe('Hide cookie banners. Default false.'),
  remove: selectors.optional().describe('Taken out of the layout before the capture (display: none).'),
  mask: selectors.optional().describe('Painted over; the comparison ignores the place, before and after.'),
  ignore: ignoreSchema
    .optional()
    .describe('Not compared, before and after, and not painted over: CSS selectors, rectangles, or a list of both.'),
  strictMasks: z
    .boolean()
    .optional()
    .describe('A mask, or something ignored, that matches nothing is an error. Default false.'),
  javascriptCode: z.string().optional().describe('JavaScript that runs in the page before the capture.'),
  language: z
    .string()
    .min(2)
    .optional()
    .describe('Locale of the page, such as de-DE: Accept-Language and navigator.language.'),
  colorScheme: z
    .enum(['light', 'dark', 'no-preference'])
    .optional()
    .describe("What prefers-color-scheme says. Default: the project's."),
  timezone: z.string().min(1).optional().describe("Time zone, such as Europe/Berlin. Default: the project's."),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'one line of ASCII letters')
    .optional()
    .describe("User-Agent and navigator.userAgent. Default: the project's."),
  clock: clock.optional().describe('The time that the page is told, standing still; UTC where no zone is written.'),
  ...credentialsSchema.shape,
  settle: settleSchema
    .optional()
    .describe('Switches off single causes of flake: { motion: false }; waits for late changes: { late: 3 }.'),
  httpStatus: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('The status that the page is expected to answer. Default 200..299.'),
  finalUrl: z.string().min(1).optional().describe('Where an expected redirect ends.'),
  timeout: z.number().positive().max(600).optional().describe('Seconds for the whole shot. Default 30.'),
  strict: z
    .boolean()
    .optional()
    .describe('Warnings become errors. Default false; a written false also allows titles that name an error.'),
  tags: z.array(tag).optional().describe('Tags for --grep; bare words are accepted.'),
  skip: z.string().min(1).optional().describe('Why this page is skipped.'),
  viewports: z.array(z.string().min(1)).min(1).optional().describe('Which of the named viewports. Default: all.'),
  threshold: z.number().min(0).max(1).optional().describe("How far one pixel's color may move, 0..1. Default 0.005."),
  maxDiffPixels: z.int().min(0).optional().describe('How many pixels may differ. Default 0.'),
  maxDiffPixelRatio: z.number().min(0).max(1).optional().describe('Which share of the image may differ, 0..1.'),
  minCompared: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The least share of pixels that is neither masked nor ignored, 0..1; less is an error. Default 0.05.'),
  maxSizeDiff: z
    .int()
    .min(0)
    .optional()
    .describe('By how many pixels width and height may differ where the content aligns. Default 0.'),
  allowShift: z
    .int()
    .min(0)
    .optional()
    .describe('By how many pixels content may move, up, down or sideways. Default 0.'),
  antialiasing: z
    .enum(ANTIALIASING_RULES)
    .optional()
    .describe(
      'Pixels that differ only by anti-aliasing: count, ignore, or auto (default): they count when the baseline was made in the same environment.',
    ),
  engine: z.enum(['odiff', 'pixelmatch']).optional().describe('What compares the pixels. Default pixelmatch.'),
  environment: z
    .enum(ENVIRONMENT_RULES)
    .optional()
    .describe('A baseline of another browser, system or fonts: warn (default), fail, or separate baselines for each.'),
});

/** Schema of the fields of a page that `defaults:` can also set. */
export const pageFieldsSchema = shotFieldsSchema.extend({
  states: z
    .record(z.string().min(1), shotFieldsSchema)
    .optional()
    .describe('Named situations of the page, each a shot of its own: a mapping of name to fields of a page.'),
  base: z.boolean().optional().describe('false: only the states are captured. Default true.'),
});

/** Schema of the options of `toMatchBaseline`. The test has already opened the page and set its viewport. */
export const matcherOptionsSchema = shotFieldsSchema.pick({
  allowShift: true,
  antialiasing: true,
  delay: true,
  engine: true,
  environment: true,
  format: true,
  fullSize: true,
  hide: true,
  hideCookie: true,
  ignore: true,
  javascriptCode: true,
  mask: true,
  maxDiffPixelRatio: true,
  maxDiffPixels: true,
  maxSizeDiff: true,
  minCompared: true,
  quality: true,
  remove: true,
  scale: true,
  settle: true,
  strict: true,
  strictMasks: true,
  threshold: true,
  timeout: true,
});

/** Schema of the long form of `before` of a page. */
const beforePageSchema = credentialsSchema.extend({
  url: z.string().min(1).describe('A URL, or a path below the site that is before.'),
});

/** Schema of the long form of a page. */
export const pageSchema = pageFieldsSchema.extend({
  name: z.string().trim().min(1).max(200).optional().describe("Default: the URL's path; / is index."),
  url: z.string().min(1).describe('A URL, or a path below baseURL.'),
  before: z
    .union([z.string().min(1), beforePageSchema])
    .optional()
    .describe("Where this page is before: a URL, or a path below the list's before (else baseURL)."),
});

/** Schema of a named viewport. */
export const viewportSchema = z.union([
  z.strictObject({ width, height }),
  z.strictObject({ device: z.string().min(1).describe('A Playwright device name, such as iPhone 15.') }),
]);

/** Schema of a page list in YAML, after `${ENV}` is replaced. */
export const pageListSchema = z.strictObject({
  baseURL: site.optional().describe("The site. Default: Playwright's use.baseURL."),
  before: z
    .union([site, credentialsSchema.extend({ url: site.describe('The site that is before.') })])
    .optional()
    .describe('Two-state run: this site is before, baseURL is after.'),
  viewports: z
    .record(z.string().min(1), viewportSchema)
    .optional()
    .describe('Named sizes; every page is captured in each.'),
  defaults: pageFieldsSchema.optional().describe('Any field of a page but name and url.'),
  pages: z
    .array(z.union([z.string().min(1), pageSchema]))
    .min(1)
    .describe('The pages; a string is a URL only.'),
});
