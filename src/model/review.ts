import { z } from 'zod';
import { type RunRecord, type ShotRecord, shotRecordSchema } from './run-record.js';

const { decision, project, id } = shotRecordSchema.shape;
const keySchema = z.strictObject({ project, id });

/** The decision of a reviewer about a shot. */
export type Decision = NonNullable<ShotRecord['decision']>;

/** Schema of a decision request from the report page. */
export const decisionRequestSchema = z.strictObject({
  decision: decision.unwrap(),
  shots: z.array(keySchema).min(1),
});

/** See {@link decisionRequestSchema}. */
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** Schema of a request from the report page to undo the last decision. */
export const undoRequestSchema = z.strictObject({ undo: z.string() });

/** See {@link undoRequestSchema}. */
export type UndoRequest = z.infer<typeof undoRequestSchema>;

const unwritten = z.array(keySchema.extend({ reason: z.string() }));

/** Schema of the baselines that a decision wrote, and of the other shots. */
export const decidedSchema = z.strictObject({
  written: z
    .array(keySchema.extend({ path: z.string(), compared: z.number().describe('share of compared pixels, 0..1') }))
    .describe('written baselines'),
  kept: unwritten.describe('shots without a change to write'),
  refused: unwritten,
  warnings: z.array(z.string()),
});

/** A baseline that was written, and the share of its pixels that are neither masked nor ignored. */
export type WrittenBaseline = Decided['written'][number];

/** The result of a decision. */
export interface Decided extends Readonly<z.infer<typeof decidedSchema>> {
  /** The updated run record. */
  readonly record: RunRecord;
}

/** The result of an undone decision. `written` lists the files that were restored. */
export interface Undone extends Omit<Decided, 'written'> {
  readonly written: readonly Omit<WrittenBaseline, 'compared'>[];
}

/** The result of pruning baselines that belong to no shot. Paths are relative to the folder of the config. */
export interface Pruned {
  /** Baselines that still exist and could be deleted. */
  readonly obsolete: readonly string[];
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}
