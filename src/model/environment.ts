import { crc32 } from 'node:zlib';
import { z } from 'zod';

const rectangleSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(0), height: z.int().min(0) });

/** Checks the rectangles of an image, in its pixels. */
export const rectanglesSchema = z.array(rectangleSchema);

/** What one entry of `mask` or `ignore` leaves out of the comparison. */
export const exclusionSchema = z.strictObject({
  selector: z.string().nullable().describe('the entry as the list has it; null: not known'),
  rectangles: rectanglesSchema.describe('in pixels of the image; empty: it matched nothing'),
});

/** See {@link exclusionSchema}. */
export type Exclusion = z.infer<typeof exclusionSchema>;

/** What an image depends on besides the page. */
export const environmentSchema = z.strictObject({
  os: z.string().describe('as process.platform names it, of the machine that the browser runs on'),
  arch: z.string().describe('as process.arch names it'),
  browser: z.string().describe('chromium, firefox or webkit'),
  browserVersion: z.string(),
  headless: z
    .enum(['shell', 'new', 'headed', 'unknown'])
    .describe('which kind of headless; shell is chromium-headless-shell'),
  scale: z.number().describe('device pixels per CSS pixel'),
  fonts: z.string().nullable().describe('fingerprint of the installed fonts; null when it was not taken'),
  engine: z.string().describe('what compared, with its version: pixelmatch 7.2.0'),
});

/** See {@link environmentSchema}. */
export type Environment = z.infer<typeof environmentSchema>;

/** What can become of a shot whose baseline was made in another environment than the run's. */
export const ENVIRONMENT_RULES = ['warn', 'fail', 'separate'] as const;

/** `warn`: the run says it once; `fail`: the shot is an error; `separate`: every environment has baselines of its own. */
export type EnvironmentRule = (typeof ENVIRONMENT_RULES)[number];

/** Returns the parts in which two environments differ. What one of them does not know is not held against the other. */
export function differingParts(a: Environment, b: Environment): (keyof Environment)[] {
  return environmentSchema
    .keyof()
    .options.filter((part) => isKnown(a[part]) && isKnown(b[part]) && a[part] !== b[part]);
}

function isKnown(value: Environment[keyof Environment]): boolean {
  return value !== null && value !== 'unknown';
}

/** What a baseline carries inside its file. No time and no number of a run: the same capture gives the same bytes. */
export const baselineRecordSchema = z.strictObject({
  schemaVersion: z.literal(2),
  id: z.string().describe('page[/viewport][/state]'),
  project: z.string(),
  masks: z.array(exclusionSchema).describe('what was masked'),
  ignored: z.array(exclusionSchema).describe('what was ignored'),
  environment: environmentSchema,
});

/** See {@link baselineRecordSchema}. */
export type BaselineRecord = z.infer<typeof baselineRecordSchema>;

/** JPEG, WebP and PDF have no checksum for the part of the file that holds the record. */
const storedSchema = baselineRecordSchema.extend({ crc: z.int().describe('CRC-32 of the JSON without this field') });

/** Version 1 names no selectors and has no checksum. */
const firstSchema = baselineRecordSchema.extend({
  schemaVersion: z.literal(1),
  masks: rectanglesSchema,
  ignored: rectanglesSchema.default([]),
});

/** Returns a record as one line of JSON, its keys in the order of the schema. @throws Error when it is not of the schema */
export function encodeBaselineRecord(record: BaselineRecord): string {
  const plain = baselineRecordSchema.parse(record);
  return JSON.stringify({ ...plain, crc: checksumOf(plain) });
}

/**
 * Reads a record. In one of version 1, no selector of a rectangle is known.
 *
 * @returns null when the text is no record, is damaged, or is of a later version.
 */
export function decodeBaselineRecord(text: string): BaselineRecord | null {
  try {
    const json: unknown = JSON.parse(text);
    const first = firstSchema.safeParse(json);
    if (first.success) return upgrade(first.data);
    const { crc, ...record } = storedSchema.parse(json);
    return crc === checksumOf(record) ? record : null;
  } catch {
    return null;
  }
}

function checksumOf(record: BaselineRecord): number {
  return crc32(JSON.stringify(record));
}

function upgrade({ masks, ignored, ...record }: z.infer<typeof firstSchema>): BaselineRecord {
  const unnamed = (rectangles: typeof masks) => (rectangles.length > 0 ? [{ selector: null, rectangles }] : []);
  return { ...record, schemaVersion: 2, masks: unnamed(masks), ignored: unnamed(ignored) };
}
