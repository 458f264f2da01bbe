import { z } from 'zod';
import { type RunRecord, shotRecordSchema } from './run-record.js';

const DECISIONS = ['approved', 'rejected'] as const;

/** What people decide of a shot. */
export type Decision = (typeof DECISIONS)[number];

const keySchema = shotRecordSchema.pick({ project: true, id: true });
type Key = z.infer<typeof keySchema>;

/** What the report's page asks for. */
export const decisionRequestSchema = z.strictObject({
  decision: z.enum(DECISIONS),
  shots: z.array(keySchema).min(1),
});

/** See {@link decisionRequestSchema}. */
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** What the report's page asks for to take back the last decision. */
export const undoRequestSchema = z.strictObject({ undo: z.string() });

/** See {@link undoRequestSchema}. */
export type UndoRequest = z.infer<typeof undoRequestSchema>;

/** A baseline that was written. */
export interface WrittenBaseline extends Key {
  readonly path: string;
  /** Share of its pixels that are neither masked nor ignored, 0..1. */
  readonly compared: number;
}

/** What became of shots that somebody decided on. */
export interface Decided {
  /** Baselines that were written. */
  readonly written: readonly WrittenBaseline[];
  /** Shots of which nothing had to be written, and why. */
  readonly kept: readonly (Key & { readonly reason: string })[];
  readonly refused: readonly (Key & { readonly reason: string })[];
  readonly warnings: readonly string[];
  /** The run as it is now. */
  readonly record: RunRecord;
}

/** What became of a decision that was taken back: `written` are the files that are as before. */
export interface Undone extends Omit<Decided, 'written'> {
  readonly written: readonly Omit<WrittenBaseline, 'compared'>[];
}

/** What became of baselines that no shot claims. Paths are relative to the config's folder. */
export interface Pruned {
  /** Those that are still there, and could be deleted. */
  readonly obsolete: readonly string[];
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}
