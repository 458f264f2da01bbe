import { z } from 'zod';
import { environmentSchema } from './environment.js';

const rectangleSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(0), height: z.int().min(0) });

/** What a baseline carries inside its file. No time and no number of a run: the same capture gives the same bytes. */
export const baselineRecordSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string().describe('page[/viewport][/state]'),
  project: z.string(),
  masks: z.array(rectangleSchema).describe('what was masked, in pixels of the image'),
  ignored: z.array(rectangleSchema).default([]).describe('what was ignored, in pixels of the image'),
  environment: environmentSchema,
});

/** See {@link baselineRecordSchema}. */
export type BaselineRecord = z.infer<typeof baselineRecordSchema>;

/** Gives a record as one line of JSON, its keys in the order of the schema. @throws Error when it is not of the schema */
export function encodeBaselineRecord(record: BaselineRecord): string {
  return JSON.stringify(baselineRecordSchema.parse(record));
}

/** Reads a record; null when the text is none, or one of a version to come. */
export function decodeBaselineRecord(text: string): BaselineRecord | null {
  try {
    return baselineRecordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
