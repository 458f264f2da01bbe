import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { environmentSchema } from './environment.js';
import { exclusionSchema, rectanglesSchema } from './exclusion.js';

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

/** Gives a record as one line of JSON, its keys in the order of the schema. @throws Error when it is not of the schema */
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
