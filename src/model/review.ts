import { z } from 'zod';
import { type RunRecord, shotRecordSchema } from './run-record.js';

const DECISIONS = ['approved', 'rejected'] as const;

/** The decision of a reviewer about a shot. */
export type Decision = (typeof DECISIONS)[number];

const keySchema = shotRecordSchema.pick({ project: true, id: true });
type Key = z.infer<typeof keySchema>;

/** Schema of a decision request from the report page. */
export const decisionRequestSchema = z.strictObject({
  decision: z.enum(DECISIONS),
  shots: z.array(keySchema).min(1),
});

/** See {@link decisionRequestSchema}. */
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** Schema of a request from the report page to undo the last decision. */
export const undoRequestSchema = z.strictObject({ undo: z.string() });

/** See {@link undoRequestSchema}. */
export type UndoRequest = z.infer<typeof undoRequestSchema>;

/** A baseline that was written. */
export interface WrittenBaseline extends Key {
  readonly path: string;
  /** Share of its pixels that are neither masked nor ignored, 0..1. */
  readonly compared: number;
}

/** The result of a decision. */
export interface Decided {
  /** Baselines that were written. */
  readonly written: readonly WrittenBaseline[];
  /** Shots that needed no write, with the reason. */
  readonly kept: readonly (Key & { readonly reason: string })[];
  readonly refused: readonly (Key & { readonly reason: string })[];
  readonly warnings: readonly string[];
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
