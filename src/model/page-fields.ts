import { z } from 'zod';
import { SHOT_FORMATS } from './image.js';
import {
  clockFault,
  cookieFault,
  cookieNameFault,
  cssFault,
  headerFault,
  languageFault,
  mockFault,
  nameFault,
  oneKey,
  optional,
  patternFault,
  rule,
  scriptFault,
  selectorFault,
  urlFault,
  zoneFault,
} from './rules.js';

/**
 * A field of a page is declared once, in the group of what it decides. The group also says where the field belongs:
 *
 * | group | `toMatchBaseline` takes it | part of the key of `reuse` | the browser context depends on it |
 * |---|---|---|---|
 * | `imageOptions`, `verdictOptions`, `compareOptions` | yes | yes, without `timeout` | no |
 * | `pageImageFields` | no | yes | no |
 * | `ruleFields` | no | yes, with the content of their files | no |
 * | `browserFields`, and `width`, `height` | no | yes | yes |
 * | `responseFields` | no | yes; a shot with credentials is not reused | on credentials |
 * | `selectionFields` | no | no | no |
 */
interface Field<Schema extends z.ZodType = z.ZodType, Default = unknown> {
  readonly schema: Schema;
  readonly fallback: Default;
}

type Fields = Readonly<Record<string, Field>>;

/**
 * @param fallback - the default
 * @param words - the default, if the value does not say it
 */
function field<Schema extends z.ZodType, const Default>(
  schema: Schema,
  fallback: Default,
  description: string,
  words = fallback === null ? 'none' : String(fallback),
): Field<z.ZodOptional<Schema>, Default> {
  return { schema: optional(schema, `${description} Default: ${words}.`), fallback };
}

function projectField<Schema extends z.ZodType>(schema: Schema, description: string, option = 'value') {
  return field(schema, null, description, `the ${option} of the Playwright project`);
}

type Filled<Group extends Fields> = {
  readonly [Name in keyof Group]: Exclude<z.output<Group[Name]['schema']>, undefined> | Group[Name]['fallback'];
};

/** Fills in the defaults of the fields that are not set. */
export function fill<Group extends Fields>(group: Group, values: Readonly<Record<string, unknown>>): Filled<Group> {
  return mapFields(group, ({ fallback }, name) => (values[name] === undefined ? fallback : values[name]));
}

function shapeOf<Group extends Fields>(group: Group): { [Name in keyof Group]: Group[Name]['schema'] } {
  return mapFields(group, ({ schema }) => schema);
}

function defaultsOf<Group extends Fields>(group: Group): { readonly [Name in keyof Group]: Group[Name]['fallback'] } {
  return mapFields(group, ({ fallback }) => fallback);
}

/** The compiler does not know the type of each value of the result: the callers say it. */
function mapFields(group: Fields, map: (field: Field, name: string) => unknown) {
  return Object.fromEntries(Object.entries(group).map(([name, each]): unknown[] => [name, map(each, name)]));
}

const flag = z.boolean();
const count = z.int().min(0);
const share = z.number().min(0).max(1);

const text = z.string().min(1);

const cssSelector = rule(text, cssFault);
const selectors = z
  .union([cssSelector, z.array(cssSelector)])
  .describe('CSS selectors: a list, or one string with commas.');
const area = z
  .strictObject({
    x: count.describe('Distance from the left edge of the image.'),
    y: count.describe('Distance from the top edge of the image.'),
    ...{ width: z.int().min(1), height: z.int().min(1) },
  })
  .describe('A rectangle of the image in CSS pixels: { x, y, width, height }.');

const ignoreSchema = z.union([cssSelector, area, z.array(z.union([cssSelector, area]))]);

const step = (description: string) => flag.exactOptional().describe(`${description} Default: true.`);

/** The steps that stabilize a page, in the order of the documentation. Each can be switched off under `settle` in a list. */
const steps = {
  load: step('Waits for the responses of the page while it loads.'),
  fonts: step('Waits for web fonts.'),
  images: step('Waits for images, including lazy and background images.'),
  layout: step('Lets the page live for 5 s of its own time, so that late content arrives.'),
  busy: step('Waits while an element is aria-busy.'),
  animations: step('Ends animations where the frames of a page are not controlled; stops marquees.'),
  motion: step('Asks for reduced motion.'),
  videos: step('Stops videos at their first frame.'),
  gifs: step('Stops animated images at their first frame.'),
  caret: step('Hides the caret.'),
  scrollbars: step('Hides scrollbars.'),
  spelling: step('Hides the marks of the spell checker.'),
  scroll: step('Scrolls through the page to show content that appears on scroll.'),
  random: step('Seeds Math.random.'),
};

const settleNameSchema = z.strictObject(steps).keyof();
const settleSwitchesSchema = z.record(settleNameSchema, flag.default(true));

export type SettleName = z.infer<typeof settleNameSchema>;
export type SettleSwitches = Readonly<z.infer<typeof settleSwitchesSchema>>;

export const SETTLE_DEFAULTS: SettleSwitches = settleSwitchesSchema.parse({});

const settleSchema = z.strictObject({
  ...steps,
  late: z
    .number()
    .positive()
    .max(60)
    .exactOptional()
    .describe('Seconds of its own time that the page lives, if more than 5. Default: 0.'),
});

/** Decide what an image shows. */
export const imageOptions = {
  format: field(z.enum(SHOT_FORMATS), 'png', 'Format of the screenshot, or pdf.'),
  quality: field(
    z.int().min(0).max(100),
    { png: 100, jpeg: 80, jpg: 80, webp: 100, pdf: 100 },
    'Quality of a jpeg or webp image, 0 to 100.',
    '80 for jpeg, 100 (lossless) for webp',
  ),
  fullSize: field(flag, false, 'Captures the full scrollable page instead of the viewport.'),
  scale: field(z.enum(['css', 'device']), 'css', 'One image pixel per CSS pixel (css) or per device pixel (device).'),
  delay: field(z.number().min(0).max(10), 0, 'Seconds to wait before the screenshot, such as 0.5 for 500 ms.'),
  hide: field(selectors, null, 'CSS selectors of elements to hide with visibility: hidden, which keeps the layout.'),
  hideCookie: field(flag, false, 'Hides cookie banners.'),
  remove: field(selectors, null, 'CSS selectors of elements to remove from the layout with display: none.'),
  mask: field(selectors, null, 'CSS selectors of elements to cover with a color and exclude from the comparison.'),
  ignore: field(ignoreSchema, null, 'CSS selectors or rectangles { x, y, width, height } that are not compared.'),
  texts: field(
    z.record(cssSelector, rule(text, patternFault)),
    null,
    'Texts that may change, while their style may not: a mapping of CSS selector to date, time, number, money, any, or a regular expression for the whole text.',
  ),
  strictMasks: field(flag, false, 'Reports an error if a selector of mask or ignore matches no element.'),
  explain: field(flag, true, 'Stores the structure of the page with its baseline, and names the causes of a change.'),
  javascriptCode: field(rule(z.string(), scriptFault), null, 'JavaScript to run in the page before the screenshot.'),
  settle: field(settleSchema, SETTLE_DEFAULTS, 'Disables steps of stabilization: { motion: false }.', 'all steps'),
};

/** Decide how a test judges what it captured. */
export const verdictOptions = {
  timeout: field(z.number().positive().max(600), 30, 'Timeout of each load of the page in seconds, not milliseconds.'),
  strict: field(flag, false, 'Reports warnings as errors; an explicit false also allows pages with an error title.'),
  minCompared: field(share, 0.05, 'Least share of pixels, 0 to 1, that are neither masked nor ignored.'),
  environment: field(
    z.enum(['auto', 'warn', 'fail', 'separate']),
    'auto',
    'How to treat a baseline from another browser, operating system or set of fonts: compare the pages instead of the pixels (auto), compare the pixels (warn), fail, or use separate baselines.',
  ),
};

export const ANTIALIASING_RULES = ['count', 'ignore', 'auto'] as const;

export const ENGINES = ['odiff', 'pixelmatch'] as const;

/** Decide which differences of two images count. */
export const compareOptions = {
  // The smallest of the values with the same accuracy (docs/benchmarks.md) that ignores a difference of 1 of 255 in each channel.
  threshold: field(share, 0.005, 'Allowed color difference of one pixel, 0 to 1; not how many pixels may differ.'),
  maxDiffPixels: field(count, 0, 'Allowed number of mismatched pixels.', '0, unless maxDiffPixelRatio is set'),
  maxDiffPixelRatio: field(share, null, 'Allowed share of mismatched pixels, 0 to 1, such as 0.05 for 5 %.'),
  maxSizeDiff: field(count, 0, 'Allowed difference of the image width and height in pixels, if the content aligns.'),
  allowShift: field(count, 0, 'Allowed vertical or horizontal shift of content in pixels.'),
  antialiasing: field(
    z.enum(ANTIALIASING_RULES),
    'auto',
    'Whether pixels that differ only by anti-aliasing count as mismatched; auto counts them if both images have the same environment.',
  ),
  engine: field(z.enum(ENGINES), 'pixelmatch', 'Engine that compares the pixels.'),
};

/** The bounds of a viewport in CSS pixels, for the page list, the service and the commands. */
export const VIEWPORT_BOUNDS = { width: { min: 100, max: 8000 }, height: { min: 100, max: 20_000 } } as const;

export const widthSchema = z.int().min(VIEWPORT_BOUNDS.width.min).max(VIEWPORT_BOUNDS.width.max);
export const heightSchema = z.int().min(VIEWPORT_BOUNDS.height.min).max(VIEWPORT_BOUNDS.height.max);

/** Formats the bounds of a side: `100..8000`. */
export function renderBounds(side: keyof typeof VIEWPORT_BOUNDS): string {
  const { min, max } = VIEWPORT_BOUNDS[side];
  return `${min}..${max}`;
}

const sizeFields = {
  width: field(widthSchema, 1280, 'Width of the viewport in CSS pixels.', 'that of the project, or 1280'),
  height: field(
    heightSchema.nullable(),
    720,
    'Height of the viewport in CSS pixels; null uses the height of the content.',
    'that of the project, or 720',
  ),
};

const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line of Latin-1 characters');

const selectorSchema = rule(text, selectorFault);

const waitFieldsSchema = oneKey(
  z.strictObject({
    selector: optional(selectorSchema, 'Waits until an element that matches this selector is visible.'),
    text: optional(text, 'Waits until an element with this text is visible; case is ignored.'),
    response: optional(text, 'Waits for a response whose URL matches this pattern, such as **/api/items*.'),
  }),
  'Write each condition as a separate list item. The test waits for all of them.',
);
const waitSchema = z.union([selectorSchema, waitFieldsSchema]);

export const actionSchema = oneKey(
  z.strictObject({
    click: optional(selectorSchema, 'Clicks the element that matches this selector.'),
    hover: optional(selectorSchema, 'Moves the mouse over the element that matches this selector.'),
    fill: optional(
      z.strictObject({ selector: selectorSchema, value: z.string().describe('Text to fill in.') }),
      'Fills a form field with a value.',
    ),
    press: optional(
      z.union([
        text,
        z
          .strictObject({ key: text, selector: selectorSchema.optional() })
          .describe('Focuses an element and presses a key.'),
      ]),
      'Presses a key or a key combination, such as Enter or Control+A.',
    ),
    scrollTo: optional(
      z.union([selectorSchema, z.number().min(0).max(1_000_000)]),
      'Scrolls to this element, or to a distance from the top in CSS pixels.',
    ),
    wait: optional(
      z.union([z.number().min(0).max(10), selectorSchema, waitFieldsSchema]),
      'Waits for seconds, such as 0.5, or for a condition as in waitFor.',
    ),
  }),
  'Write each action as a separate list item, in the order in which they run.',
);

const clock = rule(
  z
    .string()
    .regex(
      /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?( ?(Z|[+-]\d\d:\d\d))?)?$/,
      'a date such as 2024-05-01, or a date and time such as 2024-05-01T09:30:00Z',
    ),
  clockFault,
);

/** Decide what an image shows, of a page that proofsheet opens itself. */
export const pageImageFields = {
  expand: field(
    z.union([flag, selectors]),
    true,
    'Areas that scroll within the page and are shown with all of their content: CSS selectors; true for all that scroll up and down, with fullSize; false for none.',
  ),
  element: field(selectorSchema, null, 'Selector of the only element to capture.', 'the page'),
  waitFor: field(
    z.union([selectorSchema, waitFieldsSchema, z.array(waitSchema)]),
    null,
    'Conditions to wait for: a selector, { text: ... }, { response: ... } or a list of them; delay waits for a time.',
  ),
  actions: field(z.array(actionSchema), null, 'Actions to run before the screenshot, such as [{ click: "#menu" }].'),
  pseudo: field(
    z.strictObject({
      hover: selectors.optional(),
      active: selectors.optional(),
      focus: selectors.optional(),
      'focus-visible': selectors.optional(),
      'focus-within': selectors.optional(),
    }),
    null,
    'States of elements that need a mouse or a keyboard, such as { hover: .button, focus-visible: input }: a mapping of state to CSS selectors.',
  ),
  media: field(z.enum(['screen', 'print']), null, 'CSS media type: print applies @media print.', 'screen'),
  offline: field(flag, false, 'Disconnects the network once the page has loaded, before waitFor and the actions.'),
  clock: field(
    clock,
    null,
    'Fixed date and time of the page, such as 2024-05-01T09:30:00Z; in UTC if it has no time zone.',
    'the current time',
  ),
};

const mockAnswerSchema = rule(
  z.strictObject({
    status: optional(z.int().min(100).max(599), 'HTTP status of the response. Default: 200.'),
    headers: optional(z.record(z.string(), headerValue), 'Headers of the response: a mapping of name to value.'),
    body: optional(
      z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]),
      'Text of the response; a mapping or a list is sent as JSON.',
    ),
    file: optional(text, 'File with the response, relative to the list, such as orders.json.'),
  }),
  mockFault,
);

/** Decide what happens to the requests of a page. */
export const ruleFields = {
  block: field(z.union([text, z.array(text)]), null, 'Requests to block: glob patterns such as "**/ads/**".'),
  mock: field(
    z.record(text, z.union([text, mockAnswerSchema])),
    null,
    'Answers to requests: a mapping of glob pattern to a file, such as { "**/api/orders": orders.json }, or to { status, headers, body, file }.',
  ),
  har: field(text, null, 'HAR file that answers requests, relative to the list. Other requests go to the network.'),
};

/** Decide what browser a page sees. */
export const browserFields = {
  language: projectField(rule(z.string().min(2), languageFault), 'Language of the page, such as de-DE.', 'locale'),
  colorScheme: projectField(z.enum(['light', 'dark', 'no-preference']), 'Media feature prefers-color-scheme.'),
  reducedMotion: projectField(z.enum(['reduce', 'no-preference']), 'Media feature prefers-reduced-motion.'),
  forcedColors: projectField(z.enum(['active', 'none']), 'Media feature forced-colors.'),
  contrast: projectField(z.enum(['more', 'no-preference']), 'Media feature prefers-contrast.'),
  geolocation: projectField(
    z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).optional(),
    }),
    'Position of the device in degrees, such as { latitude: 52.5, longitude: 13.4 }; accuracy is in meters. It also grants the permission.',
  ),
  permissions: projectField(z.array(text), "Permissions of the page by Playwright's names, such as [notifications]."),
  timezone: projectField(rule(text, zoneFault), 'Time zone, such as Europe/Berlin.', 'time zone'),
  userAgent: projectField(
    z.string().regex(/^[\x20-\x7e]+$/, 'one line of ASCII characters'),
    'Value of the User-Agent header and of navigator.userAgent.',
  ),
};

const cookieName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a name without spaces or separators');
const cookieValue = z.string().regex(/^[\x20-\x3a\x3c-\x7e]*$/, 'one line of ASCII characters without ";"');

export const cookieOptions = {
  path: field(
    z.string().regex(/^\/[\x20-\x3a\x3c-\x7e]*$/, 'a path that starts with /'),
    '/',
    'Path that the cookie applies to.',
  ),
  httpOnly: field(flag, false, 'Hides the cookie from JavaScript.'),
  secure: field(flag, false, 'Sends the cookie over HTTPS only.'),
  sameSite: field(z.enum(['Strict', 'Lax', 'None']), 'Lax', 'Whether cross-site requests send the cookie.'),
};
const cookieSchema = rule(
  z.strictObject({ name: cookieName, value: cookieValue, ...shapeOf(cookieOptions) }),
  cookieFault,
);

const credentialFields = {
  headers: field(
    z.record(rule(z.string(), headerFault), headerValue),
    null,
    'HTTP headers for the origin of the page.',
  ),
  cookies: field(
    z.union([z.array(cookieSchema), z.record(rule(z.string(), cookieNameFault), cookieValue)]),
    null,
    'Cookies for the host of the page: a mapping of name to value, or a list of { name, value, path, ... }.',
  ),
  storageState: field(text, null, 'Path of a Playwright storage state file, relative to the list.'),
  httpCredentials: field(
    z.strictObject({ username: text, password: z.string() }),
    null,
    'User name and password for HTTP authentication at the origin of the page.',
  ),
};

/** Schema of the credentials of a page. They are among the other fields of a page, and in the mapping of `before`. */
export const credentialsSchema = z.strictObject(shapeOf(credentialFields));

export const urlOrPathSchema = rule(text, urlFault);

export const tagSchema = z.string().regex(/^@?[^\s@]+$/, 'a word without spaces, such as smoke or @smoke');

/** Decide what is sent to the server, and which response is expected. */
const responseFields = {
  ...credentialFields,
  httpStatus: field(z.int().min(100).max(599), null, 'Expected HTTP status of the page.', '200 to 299'),
  finalUrl: field(urlOrPathSchema, null, 'Expected URL or path after a redirect.', 'the URL of the page'),
};

const selectionFields = {
  tags: field(z.array(tagSchema), null, 'Tags for --grep, with or without @.'),
  skip: field(text, null, 'Skips the page for this reason, such as "not yet finished".', 'not skipped'),
  viewports: field(z.array(text).min(1), null, 'Names of the viewports of the page.', 'all'),
  modes: field(z.array(text).min(1), null, 'Names of the modes of the page.', 'all'),
  each: field(
    z.union([flag, z.literal('index')]),
    false,
    'Captures each match of `element` as a shot of its own, named by its text (true) or position (index).',
  ),
};

const matcherOptions = { ...imageOptions, ...verdictOptions, ...compareOptions };
const shotFields = {
  ...sizeFields,
  ...pageImageFields,
  ...ruleFields,
  ...browserFields,
  ...responseFields,
  ...selectionFields,
};

/** Schema of the options of `toMatchBaseline`. The test has already opened the page and set its viewport. */
export const matcherOptionsSchema = z.strictObject(shapeOf(matcherOptions));

export const shotFieldsSchema = matcherOptionsSchema.extend(shapeOf(shotFields));

const pageOnlyFields = {
  states: field(
    z.record(rule(text, nameFault), shotFieldsSchema),
    null,
    'States of the page, each a separate shot: a mapping of name to page fields.',
  ),
  base: field(flag, true, 'Captures the page itself, not only its states.'),
};

export const pageFieldsSchema = shotFieldsSchema.extend(shapeOf(pageOnlyFields));

/** Schema of a mode: any field of a page that changes its image. */
export const modeSchema = shotFieldsSchema.omit({ viewports: true, modes: true }).extend({
  globals: optional(
    z.record(z.string().min(1), z.union([z.string(), z.number(), z.boolean()])),
    'Globals of Storybook, such as { theme: dark }. Other pages do not use them.',
  ),
});

/** Schema of `parameters.proofsheet` of a story: the fields of a page that a story sets for itself. */
export const storyParametersSchema = shotFieldsSchema.pick({
  ...{ skip: true, delay: true, viewports: true, modes: true, threshold: true, element: true, fullSize: true },
});

export type StoryParameters = z.infer<typeof storyParametersSchema>;
export type ModeInput = z.infer<typeof modeSchema>;
/** The options of `toMatchBaseline`: the fields of a page for the image and the comparison. */
export type MatcherOptionsInput = z.infer<typeof matcherOptionsSchema>;
export type ShotFieldsInput = z.infer<typeof shotFieldsSchema>;
export type PageFieldsInput = z.infer<typeof pageFieldsSchema>;
export type IgnoreInput = z.infer<typeof ignoreSchema>;
export type CredentialsInput = z.infer<typeof credentialsSchema>;
export type CookieInput = z.infer<typeof cookieSchema>;
export type WaitInput = z.infer<typeof waitSchema>;
export type ActionInput = z.infer<typeof actionSchema>;

/** What the fields of each group mean for a shot, with the defaults filled in. */
export type ImageFields = Filled<typeof imageOptions & typeof pageImageFields>;
export type VerdictFields = Filled<typeof verdictOptions>;
export type CompareFields = Filled<typeof compareOptions>;
export type RuleFields = Filled<typeof ruleFields>;
export type BrowserFields = Filled<typeof browserFields>;
export type CookieFields = Filled<typeof cookieOptions>;

/** The defaults of all fields that neither the list nor the Playwright project sets. */
export const DEFAULTS = defaultsOf({ ...matcherOptions, ...shotFields, ...pageOnlyFields });
