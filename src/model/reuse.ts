import { z } from 'zod';
import { shotRecordSchema } from './run-record.js';

/** The requests of one load of a page, from its navigation to its last screenshot. */
export interface SeenLoad {
  readonly requests: readonly { readonly method: string; readonly url: string }[];
  /** Other ways in which data can reach the page, such as `a WebSocket`. */
  readonly channels: readonly string[];
}

/** Schema of what a run would do with a shot. */
export const affectedShotSchema = shotRecordSchema.pick({ id: true, project: true, url: true }).extend({
  captured: z.boolean().describe('the page would be captured; false: an earlier capture would be reused'),
  why: z.string().nullable().describe('why it would be captured; null: it would not'),
});

/** See {@link affectedShotSchema}. */
export type AffectedShot = z.infer<typeof affectedShotSchema>;

/** Schema of what the tests found out for `proofsheet affected`. */
export const affectedSchema = z.strictObject({
  shots: z.array(affectedShotSchema),
  errors: z.array(z.string()).describe('why tests gave no answer'),
});

/** See {@link affectedSchema}. */
export type Affected = z.infer<typeof affectedSchema>;

/** The environment variable with the path of the file for the answer. If it is set, tests decide, and capture nothing. */
export const AFFECTED_VARIABLE = 'PROOFSHEET_AFFECTED_FILE';

/** Name of the hidden attachment for an {@link AffectedShot}. */
export const AFFECTED_ATTACHMENT = '_proofsheet-affected';
