import { z } from 'zod';
import { describeValue, flattenIssues, renderAllowed, schemasAt, valueAt } from '../../list/index.js';
import {
  DEFAULTS,
  heightSchema,
  IMAGE_FORMATS,
  ProofsheetError,
  renderBounds,
  SHOT_FORMATS,
  type ShotFieldsInput,
  type Warning,
  widthSchema,
} from '../../model/index.js';

const url = z
  .url({ protocol: /^https?$/ })
  .max(8192)
  .refine(hasReadableUser, 'a user name and password in percent-encoding');
const flag = z.boolean().default(false);
const delay = z.number().min(0).max(10);
const height = heightSchema.default(DEFAULTS.height);
const heightWords = `Viewport height in pixels, ${renderBounds('height')}`;

const page = {
  width: widthSchema.default(DEFAULTS.width).describe(`Viewport width in pixels, ${renderBounds('width')}.`),
  fullSize: flag.describe('Capture the full scrollable page; the viewport stays the same.'),
  hideCookie: flag.describe('Hide cookie banners.'),
};

const controls = {
  delay: delay.default(DEFAULTS.delay).describe('Delay before the capture in seconds, 0..10.'),
  javascriptCode: z.string().optional().describe('JavaScript to run in the page before the capture.'),
  hide: z
    .union([z.string(), z.array(z.string().min(1))])
    .optional()
    .describe('CSS selectors of elements to make invisible: a comma-separated string, or a list.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z\d]{2,8})*$/, 'a locale such as de-DE')
    .optional()
    .describe('Locale of the page, such as de-DE.'),
};

const target = {
  url: url.describe('The page.'),
  ...page,
  height: heightSchema.nullable().default(DEFAULTS.height).describe(`${heightWords}; null: the height of the content.`),
};

export const screenshotV1Schema = z.object({
  ...target,
  delay: delay.int().default(DEFAULTS.delay).describe('Delay before the capture in whole seconds, 0..10.'),
  format: z.enum(SHOT_FORMATS).default(DEFAULTS.format).describe('Image format, or pdf.'),
});

export const screenshotV2Schema = z.object({
  ...target,
  ...controls,
  format: z
    .enum([...SHOT_FORMATS, 'base64', 'html'])
    .default(DEFAULTS.format)
    .describe('Image format, pdf, base64 (a PNG in `image`), or html (the captured document in `html`).'),
});

/** Makes null a missing field: clients of v3 compare send it. */
function orNull<T extends z.ZodType>(field: T) {
  return field.nullable().transform((given): z.output<T> => given ?? field.parse(undefined));
}

const sourceSchema = z
  .object({
    url: orNull(url.optional().describe('URL of a page to capture.')),
    imageUrl: orNull(url.optional().describe('URL of an image (png, jpeg, webp, pdf) to fetch.')),
    width: orNull(page.width),
    height: orNull(height.describe(`${heightWords}.`)),
    delay: orNull(controls.delay),
    fullSize: orNull(page.fullSize),
    hideCookie: orNull(page.hideCookie),
    javascriptCode: orNull(controls.javascriptCode),
    hide: orNull(controls.hide),
    language: orNull(controls.language),
  })
  .refine((side) => side.url !== undefined || side.imageUrl !== undefined, 'an object with url or imageUrl');

/** If a side has an image and a URL, the image is used. */
export const compareV3Schema = z.object({
  before: sourceSchema,
  after: sourceSchema,
  // The default of the interface. It is larger than that of a page list.
  threshold: orNull(z.number().min(0).max(1).default(0.1).describe('Maximum color difference of a pixel, 0..1.')),
});

export const analyzeV3Schema = z.object({
  ...target,
  ...controls,
  format: z
    .enum([...IMAGE_FORMATS.filter((name) => name !== 'jpg'), 'pdf', 'html'])
    .default(DEFAULTS.format)
    .describe('png, jpeg, webp, pdf, or html (includes the document).'),
  enableSummary: flag.describe('Summarize the page: by a language model, if one is configured.'),
  enableQuality: flag.describe('Measure the quality of the page.'),
  forceRefresh: flag.describe('Do not use a cached analysis.'),
});

/** The request of `POST /api/v1/screenshot`. */
export type ScreenshotV1Input = z.input<typeof screenshotV1Schema>;
/** The request of `POST /api/v2/screenshot`. */
export type ScreenshotV2Input = z.input<typeof screenshotV2Schema>;
/** The request of `POST /api/v3/compare`. */
export type CompareV3Input = z.input<typeof compareV3Schema>;
/** The request of `POST /api/v3/analyze`. */
export type AnalyzeV3Input = z.input<typeof analyzeV3Schema>;

export type ScreenshotV1 = z.output<typeof screenshotV1Schema>;
export type ScreenshotV2 = z.output<typeof screenshotV2Schema>;
export type CompareV3 = z.output<typeof compareV3Schema>;
export type CompareSource = CompareV3['before'];
export type AnalyzeV3 = z.output<typeof analyzeV3Schema>;

type PageFields = Pick<ScreenshotV1, 'width' | 'height' | 'delay' | 'fullSize' | 'hideCookie'> &
  Partial<Pick<ScreenshotV2, 'format' | 'javascriptCode' | 'hide' | 'language'>>;

/** Converts a request to fields of a page list. */
export function fieldsOf(request: PageFields): ShotFieldsInput {
  const { format = 'png', width, height, delay, fullSize, hideCookie, javascriptCode, hide, language } = request;
  return {
    ...{ width, height, delay, fullSize, hideCookie, javascriptCode, hide, language },
    format: format === 'base64' || format === 'html' ? 'png' : format,
  };
}

function hasReadableUser(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    return [username, password].map(decodeURIComponent).length === 2;
  } catch {
    return false;
  }
}

/**
 * Validates a request, and warns about each unknown field. Blank strings are ignored, because HTML forms send them for empty fields.
 * `advice` says where the caller finds the allowed values.
 *
 * @throws AggregateError with one ProofsheetError `request-invalid` per invalid field; `where` names the field.
 */
export function readRequest<T extends z.ZodObject>(
  schema: T,
  body: unknown,
  advice: string,
): { request: z.output<T>; warnings: Warning[] } {
  const given = withoutBlank(body);
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return { request: data, warnings: listUnknownFields(schema, body) };
  const expected = z.toJSONSchema(schema, { io: 'input' });
  // A field may have several issues. Only the first is reported.
  const found = new Map<string, string>();
  for (const issue of flattenIssues(given, error.issues)) {
    const { path } = issue;
    const where = path.join('.') || 'the request';
    const words = ('words' in issue ? issue.words : null) ?? renderAllowed(schemasAt(expected, path));
    const value = valueAt(given, path);
    const shown = value === undefined ? 'missing' : describeValue(value);
    if (!found.has(where)) found.set(where, `it is ${shown}, expected ${words}`);
  }
  throw new AggregateError(
    Array.from(found, ([where, text]) => new ProofsheetError({ code: 'request-invalid', where, found: text, advice })),
  );
}

function withoutBlank(body: unknown, depth = 1): unknown {
  if (!isRecord(body) || depth < 0) return body;
  const entries = Object.entries(body).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutBlank(value, depth - 1)]));
}

const MAX_NAMED = 20;

function listUnknownFields(schema: z.ZodObject, body: unknown): Warning[] {
  return unknownIn(schema, body, '')
    .slice(0, MAX_NAMED)
    .map((name) => ({ code: 'field-unknown', message: `unknown field ${describeValue(name)} has no effect` }));
}

function unknownIn(schema: unknown, body: unknown, prefix: string): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    Object.hasOwn(schema.shape, name) ? unknownIn(schema.shape[name], value, `${prefix}${name}.`) : [prefix + name],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
