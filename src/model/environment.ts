import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from './text.js';

export const rectangleSchema = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().min(0),
  height: z.int().min(0),
});

const rectanglesSchema = z.array(rectangleSchema);

/** The areas that one entry of `mask` or `ignore` excludes from the comparison. */
export const exclusionSchema = z.strictObject({
  selector: z.string().nullable().describe('the entry as written in the list; null: unknown'),
  rectangles: rectanglesSchema.describe('in image pixels; empty: the entry matched nothing'),
});

export type Exclusion = z.infer<typeof exclusionSchema>;

export const hiddenElementSchema = z.strictObject({
  element: z.string().describe('its kind, and the element as a selector'),
  text: z.string().describe('the first 80 characters of its visible text'),
});

export type HiddenElement = z.infer<typeof hiddenElementSchema>;

/** Schema of the texts that an image shows of the elements of one entry of `texts`. */
export const shownTextsSchema = z.strictObject({
  selector: z.string().describe('the entry as written in the list'),
  elements: z.array(z.array(z.string())).describe('the texts between the tags of each element that matches'),
});

export type ShownTexts = z.infer<typeof shownTextsSchema>;

/** Schema of what a baseline keeps of the texts of its page: hashes, because a text may be secret. */
export const renderedHashesSchema = z.strictObject({
  scope: z.string().describe('hash of the fields that exclude texts: other fields leave other texts'),
  hashes: z.base64().describe('the hash of each text, 3 bytes, sorted'),
  beyond: z.base64().describe('as `hashes`: those of texts that a visitor scrolls to in an area or a frame'),
});

export type RenderedHashes = z.infer<typeof renderedHashesSchema>;

/** Everything except the page that affects an image. */
export const environmentSchema = z.strictObject({
  os: z.string().describe('process.platform of the machine on which the browser runs'),
  arch: z.string().describe('process.arch of that machine'),
  browser: z.string().describe('chromium, firefox or webkit'),
  browserVersion: z.string(),
  headless: z.enum(['shell', 'new', 'headed', 'unknown']).describe('mode of Chromium; unknown for other browsers'),
  scale: z.number().describe('device pixels per CSS pixel'),
  driver: z.literal('frames').exactOptional().describe('frames: clock and frames are controlled; absent: plain'),
  fonts: z.string().nullable().describe('fingerprint of the installed fonts; null: unknown'),
  drawing: z.string().exactOptional().describe('fingerprint of how glyphs are drawn; absent: unknown'),
  engine: z.string().describe('comparison engine with its version, such as pixelmatch 7.2.0'),
});

export type Environment = z.infer<typeof environmentSchema>;

/** Returns the parts in which two environments differ. Parts that are unknown in one of them are skipped. */
export function differingParts(a: Environment, b: Environment): (keyof Environment)[] {
  return environmentSchema.keyof().options.filter((part) => {
    const [one, other] = [a, b].map((environment) =>
      part === 'driver' ? (environment.driver ?? 'plain') : (environment[part] ?? 'unknown'),
    );
    return one !== other && one !== 'unknown' && other !== 'unknown';
  });
}

/** The record in a baseline file. It has no timestamp and no run number, so the same capture gives the same bytes. */
export const baselineRecordSchema = z.strictObject({
  schemaVersion: z.literal(2),
  id: z.string().describe('page[/viewport][/mode][/state]'),
  project: z.string(),
  masks: z.array(exclusionSchema).describe('masked areas'),
  ignored: z.array(exclusionSchema).describe('ignored areas'),
  environment: environmentSchema,
  time: z.enum(['real', 'controlled']).exactOptional().describe('earlier versions wrote how time passed in the page'),
  hidden: z.array(hiddenElementSchema).exactOptional().describe('what `hideCookie` removed; absent: it was off'),
  missing: z.array(z.string()).exactOptional().describe('origin and path of responses that did not come'),
  texts: z.array(shownTextsSchema).exactOptional().describe('what the image shows of `texts`'),
  rendered: renderedHashesSchema
    .exactOptional()
    .describe('the texts of the page, in the image or not; absent: unknown'),
  structure: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .exactOptional()
    .describe('earlier versions wrote the SHA-256 of the structure, which was in a file beside the baseline'),
});

export type BaselineRecord = z.infer<typeof baselineRecordSchema>;

/** Adds a checksum, because JPEG, WebP and PDF have none for the part of the file that holds the record. */
const storedSchema = baselineRecordSchema.extend({ crc: z.int().describe('CRC-32 of the JSON without this field') });

/** Version 1 has no selectors and no checksum. */
const version1Schema = baselineRecordSchema.extend({
  schemaVersion: z.literal(1),
  masks: rectanglesSchema,
  ignored: rectanglesSchema.default([]),
});

/** Encodes a record as one line of JSON, with keys in schema order. @throws Error when it does not match the schema */
export function encodeBaselineRecord(record: BaselineRecord): string {
  const plain = baselineRecordSchema.parse(record);
  return JSON.stringify({ ...plain, crc: checksumOf(plain) });
}

/** Returns null for a text that is not a record, is damaged, or has a later version. For version 1, the selectors are null. */
export function decodeBaselineRecord(text: string): BaselineRecord | null {
  const json = parseJson(text);
  const first = version1Schema.safeParse(json);
  if (first.success) return upgrade(first.data);
  const stored = storedSchema.safeParse(json);
  if (!stored.success) return null;
  const { crc, ...record } = stored.data;
  return crc === checksumOf(record) ? record : null;
}

function checksumOf(record: BaselineRecord): number {
  return crc32(JSON.stringify(record));
}

function upgrade({ masks, ignored, ...record }: z.infer<typeof version1Schema>): BaselineRecord {
  const unnamed = (rectangles: typeof masks) => (rectangles.length > 0 ? [{ selector: null, rectangles }] : []);
  return { ...record, schemaVersion: 2, masks: unnamed(masks), ignored: unnamed(ignored) };
}
