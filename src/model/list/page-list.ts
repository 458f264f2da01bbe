import { z } from 'zod';
import { ENVIRONMENT_RULES } from '../environment.js';
import { SHOT_FORMATS } from '../image.js';
import {
  ANTIALIASING_RULES,
  actionSchema,
  credentialsSchema,
  ENGINES,
  heightSchema,
  reuseSchema,
  selectorSchema,
  waitsSchema,
  widthSchema,
} from './fields.js';
import { clockFault, cssFault, languageFault, nameFault, rule, scriptFault, urlFault, zoneFault } from './rules.js';
import { settleSchema } from './settle.js';

/** The value of `ignore`, as a user writes it. */
export type IgnoreInput = z.infer<typeof ignoreSchema>;

const cssSelector = rule(z.string().min(1), cssFault);
const area = z
  .strictObject({
    x: z.int().min(0).describe('Distance from the left edge of the image, in CSS pixels.'),
    y: z.int().min(0).describe('Distance from the top edge of the image, in CSS pixels.'),
    width: z.int().min(1).describe('Width in CSS pixels.'),
    height: z.int().min(1).describe('Height in CSS pixels.'),
  })
  .describe('A rectangle of the image in CSS pixels: { x, y, width, height }.');

/** Schema of `ignore`: selectors as in `mask`, rectangles of the image, or a list of both. */
export const ignoreSchema = z.union([cssSelector, area, z.array(z.union([cssSelector, area]))]);

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
/** The long form of an entry of `stories`, as a user writes it. */
export type StoriesInput = z.infer<typeof storiesSchema>;
/** Which stories `include` or `exclude` names, as a user writes it. */
export type StoryFilterInput = z.infer<typeof storyFilterSchema>;
/** A named viewport as a user writes it. */
export type ViewportInput = z.infer<typeof viewportSchema>;

const width = widthSchema;
const height = heightSchema.nullable();
const selectors = z
  .union([cssSelector, z.array(cssSelector)])
  .describe('CSS selectors: a list, or one string with commas.');
const tag = z.string().regex(/^@?[^\s@]+$/, 'a word without spaces, such as smoke or @smoke');
const site = z.url({ protocol: /^https?$/ });

const clock = rule(
  z
    .string()
    .regex(
      /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?( ?(Z|[+-]\d\d:\d\d))?)?$/,
      'a date such as 2024-05-01, or a date and time such as 2024-05-01T09:30:00Z',
    ),
  clockFault,
);
const urlOrPath = rule(z.string().min(1), urlFault);

/** Schema of the options of `toMatchBaseline`. The test has already opened the page and set its viewport. */
export const matcherOptionsSchema = z.strictObject({
  format: z.enum(SHOT_FORMATS).optional().describe('Format of the screenshot, or pdf. Default: png.'),
  quality: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Quality of a jpeg or webp image, 0 to 100. Default: 80 for jpeg, 100 (lossless) for webp.'),
  fullSize: z
    .boolean()
    .optional()
    .describe('Captures the full scrollable page instead of the viewport. Default: false.'),
  scale: z
    .enum(['css', 'device'])
    .optional()
    .describe('One image pixel per CSS pixel (css) or per device pixel (device). Default: css.'),
  delay: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe('Seconds to wait before the screenshot, such as 0.5 for 500 ms. Default: 0.'),
  hide: selectors
    .optional()
    .describe('CSS selectors of elements to hide with visibility: hidden, which keeps the layout. Default: none.'),
  hideCookie: z.boolean().optional().describe('Hides cookie banners. Default: false.'),
  remove: selectors
    .optional()
    .describe('CSS selectors of elements to remove from the layout with display: none. Default: none.'),
  mask: selectors
    .optional()
    .describe('CSS selectors of elements to cover with a solid color and exclude from the comparison. Default: none.'),
  ignore: ignoreSchema
    .optional()
    .describe(
      'CSS selectors, or rectangles such as { x: 0, y: 0, width: 300, height: 50 }, to exclude from the comparison without a visible mask. Default: none.',
    ),
  strictMasks: z
    .boolean()
    .optional()
    .describe('Reports an error if a selector of mask or ignore matches no element. Default: false.'),
  explain: z
    .boolean()
    .optional()
    .describe('Stores the structure of the page with its baseline, and names the causes of a change. Default: true.'),
  javascriptCode: rule(z.string(), scriptFault)
    .optional()
    .describe('JavaScript to run in the page before the screenshot. Default: none.'),
  settle: settleSchema
    .optional()
    .describe(
      'Disables stabilization steps, such as { motion: false }, or waits for late changes, such as { late: 3 }. Default: all steps.',
    ),
  timeout: z
    .number()
    .positive()
    .max(600)
    .optional()
    .describe('Timeout of each load of the page in seconds, not milliseconds. Default: 30.'),
  strict: z
    .boolean()
    .optional()
    .describe('Reports warnings as errors; an explicit false also allows pages with an error title. Default: false.'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Allowed color difference of one pixel, 0 to 1; maxDiffPixelRatio limits how many pixels differ. Default: 0.005.',
    ),
  maxDiffPixels: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Allowed number of mismatched pixels; maxDiffPixelRatio is their share. Default: 0, unless maxDiffPixelRatio is set.',
    ),
  maxDiffPixelRatio: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Allowed share of mismatched pixels, 0 to 1, such as 0.05 for 5 %. Default: none.'),
  minCompared: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Minimum share of pixels that are neither masked nor ignored, 0 to 1; a smaller share is an error. Default: 0.05.',
    ),
  maxSizeDiff: z
    .int()
    .min(0)
    .optional()
    .describe('Allowed difference of the image width and height in pixels, if the content aligns. Default: 0.'),
  allowShift: z
    .int()
    .min(0)
    .optional()
    .describe('Allowed vertical or horizontal shift of content in pixels. Default: 0.'),
  antialiasing: z
    .enum(ANTIALIASING_RULES)
    .optional()
    .describe(
      'Whether pixels that differ only by anti-aliasing count as mismatched; auto counts them if both images have the same environment. Default: auto.',
    ),
  engine: z.enum(ENGINES).optional().describe('Engine that compares the pixels. Default: pixelmatch.'),
  environment: z
    .enum(ENVIRONMENT_RULES)
    .optional()
    .describe(
      'How to treat a baseline from another browser, operating system or set of fonts: warn, fail or use separate baselines. Default: warn.',
    ),
});

/** Schema of the fields of a page that a state can also set. */
export const shotFieldsSchema = matcherOptionsSchema.extend({
  width: width
    .optional()
    .describe('Width of the viewport in CSS pixels. Default: the width of the Playwright project, otherwise 1280.'),
  height: height
    .optional()
    .describe(
      'Height of the viewport in CSS pixels; null uses the height of the content. Default: the height of the Playwright project, otherwise 720.',
    ),
  expand: z
    .union([z.boolean(), selectors])
    .optional()
    .describe(
      'Areas that scroll within the page and are shown with all of their content: CSS selectors; true for the one that takes most of the window, with fullSize; false for none. Default: true.',
    ),
  element: selectorSchema.optional().describe('Selector of the only element to capture. Default: the page.'),
  waitFor: waitsSchema
    .optional()
    .describe(
      'Conditions to wait for before the screenshot: a selector, { text: ... }, { response: ... } or a list of them; delay waits for a time. Default: none.',
    ),
  actions: z
    .array(actionSchema)
    .optional()
    .describe('Actions to run in order before the screenshot, such as [{ click: "#menu" }]. Default: none.'),
  language: rule(z.string().min(2), languageFault)
    .optional()
    .describe(
      'Language of the Accept-Language header and of navigator.language, such as de-DE. Default: the locale of the Playwright project.',
    ),
  colorScheme: z
    .enum(['light', 'dark', 'no-preference'])
    .optional()
    .describe('Value of the media feature prefers-color-scheme. Default: the value of the Playwright project.'),
  timezone: rule(z.string().min(1), zoneFault)
    .optional()
    .describe('Time zone, such as Europe/Berlin. Default: the time zone of the Playwright project.'),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'one line of ASCII characters')
    .optional()
    .describe(
      'Value of the User-Agent header and of navigator.userAgent. Default: the value of the Playwright project.',
    ),
  clock: clock
    .optional()
    .describe(
      'Fixed date and time of the page, such as 2024-05-01T09:30:00Z; in UTC if it has no time zone. Default: the current time.',
    ),
  ...credentialsSchema.shape,
  httpStatus: z.int().min(100).max(599).optional().describe('Expected HTTP status of the page. Default: 200 to 299.'),
  finalUrl: urlOrPath.optional().describe('Expected URL or path after a redirect. Default: the URL of the page.'),
  tags: z.array(tag).optional().describe('Tags for --grep, with or without @. Default: none.'),
  skip: z
    .string()
    .min(1)
    .optional()
    .describe('Skips the page for this reason, such as "not yet finished". Default: not skipped.'),
  viewports: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Names of the viewports in which to capture the page. Default: all.'),
});

/** Schema of the fields of a page that `defaults:` can also set. */
export const pageFieldsSchema = shotFieldsSchema.extend({
  states: z
    .record(rule(z.string().min(1), nameFault), shotFieldsSchema)
    .optional()
    .describe('States of the page, each a separate shot: a mapping of name to page fields. Default: none.'),
  base: z.boolean().optional().describe('Captures the page itself, not only its states. Default: true.'),
});

/** Schema of the long form of `before` of a page. */
const beforePageSchema = credentialsSchema.extend({
  url: urlOrPath.describe('URL, or path relative to the before site.'),
});

/** Schema of the long form of a page. */
export const pageSchema = pageFieldsSchema.extend({
  name: rule(z.string().trim().min(1).max(200), nameFault)
    .optional()
    .describe('Name of the page. Default: the path of its URL, or index for /.'),
  url: urlOrPath.describe('URL, or path relative to baseURL.'),
  before: z
    .union([urlOrPath, beforePageSchema])
    .optional()
    .describe(
      'Before page of a two-state run: a URL, or a path relative to the before site (otherwise baseURL). Default: the same path on the before site of the list.',
    ),
});

const storyFilter = z.union([
  z.string().min(1),
  z.strictObject({ tag: tag.describe('A tag of stories in Storybook, such as visual.') }),
]);

/** Schema of `include` and `exclude`: title patterns, tags, or a list of both. */
const storyFilterSchema = z.union([...storyFilter.options, z.array(storyFilter).min(1)]);

/** Schema of the long form of an entry of `stories`. */
export const storiesSchema = pageFieldsSchema.extend({
  folder: z.string().min(1).describe('Folder of a built Storybook, relative to the list, such as ./storybook-static.'),
  baseURL: site
    .optional()
    .describe('URL under which this Storybook is served. Default: it is served from the folder during the run.'),
  include: storyFilterSchema
    .optional()
    .describe('Stories to capture: title patterns such as Forms/**, { tag: ... } or a list of them. Default: all.'),
  exclude: storyFilterSchema
    .optional()
    .describe('Stories to leave out: title patterns such as Forms/**, { tag: ... } or a list of them. Default: none.'),
});

/** Schema of `serve`. */
export const serveSchema = z.union([
  z.string().min(1),
  z.strictObject({
    folder: z.string().min(1).describe('Folder of a built site, relative to the list, such as ./dist.'),
    base: z
      .string()
      .regex(/^\/[^?#\s]*$/, 'a path such as /docs/')
      .optional()
      .describe('Path under which the files are served, such as /docs/. Default: /.'),
    fallback: z
      .string()
      .min(1)
      .optional()
      .describe('File of the folder that answers for every page without a file, such as index.html. Default: none.'),
  }),
]);

/** Schema of a named viewport. */
export const viewportSchema = z.union([
  z.strictObject({ width, height }),
  z.strictObject({ device: z.string().min(1).describe('Playwright device name, such as iPhone 15.') }),
]);

/** Matches the keys at the top of a list that belong to the user, for YAML anchors. They are removed before validation. */
export const OWN_KEY = /^x-/;

const listSchema = z.strictObject({
  baseURL: site.optional().describe('Base URL of the pages. Default: use.baseURL of the Playwright config.'),
  serve: serveSchema
    .optional()
    .describe(
      'Folder of a built site that the run serves itself, such as ./dist, or a mapping with folder, base and fallback. Default: none; the pages have the baseURL.',
    ),
  before: z
    .union([site, credentialsSchema.extend({ url: site.describe('Base URL of the before pages.') })])
    .optional()
    .describe(
      'Compares this site (before) with baseURL (after) in a two-state run. Default: none; baselines are used.',
    ),
  viewports: z
    .record(z.string().min(1), viewportSchema)
    .optional()
    .describe('Named viewports, in each of which every page is captured. Default: one viewport without a name.'),
  defaults: pageFieldsSchema
    .optional()
    .describe('Default fields of all pages: any field of a page except name, url and before.'),
  reuse: reuseSchema
    .optional()
    .describe(
      'Does not capture a page of serve or stories again whose files are those of an earlier capture that passed: true, or { verify: SHARE } to capture a share of these pages all the same. Default: false.',
    ),
  pages: z
    .array(z.union([urlOrPath, pageSchema]))
    .min(1)
    .optional()
    .describe('Pages to capture; a string is the URL of a page. Required, unless the list has stories.'),
  stories: z
    .union([z.string().min(1), storiesSchema, z.array(z.union([z.string().min(1), storiesSchema])).min(1)])
    .optional()
    .describe('Built Storybooks, of which each story is a page: a folder, a mapping with folder, or a list of both.'),
});

/** Schema of a page list in YAML, after `${ENV}` is replaced. */
export const pageListSchema = listSchema.refine((list) => list.pages !== undefined || list.stories !== undefined, {
  path: ['pages'],
  // Reported together with the other problems of the list.
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
});
