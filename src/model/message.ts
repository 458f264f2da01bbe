import { z } from 'zod';
import { shotRecordSchema } from './record.js';

/** Where a shot comes from: what tells, when the shards of a run are put together, whether one is missing or foreign. */
export const originSchema = z.strictObject({
  list: z.string().nullable().describe('path of the page list, as the spec has it; null: a matcher'),
  listHash: z.string().nullable(),
  shard: z.strictObject({ current: z.int().min(1), total: z.int().min(1) }).nullable(),
  listIds: z.array(z.string()).nullable().describe('all ids of the list, filtered out or not; null when not sharded'),
  commit: z.string().nullable().describe('null when it is not known, or not sharded'),
  run: z.string().nullable().describe('what all shards of a run share; null when it is not known, or not sharded'),
});

/** What every listed shot says of itself when it is declared, so that one whose worker dies is still known. */
export const declaredShotSchema = shotRecordSchema
  .pick({ id: true, page: true, viewport: true, state: true, url: true })
  .extend({ list: z.string(), listHash: z.string(), line: z.int().min(1) });

/** One comparison on its way from a worker to the reporter. */
export const shotMessageSchema = z.strictObject({
  shot: shotRecordSchema.describe('final, but for flaky and attempts, which only the reporter can know'),
  images: z
    .array(z.strictObject({ link: z.string(), attachment: z.string() }))
    .describe("which attachment of the same test result belongs at which link of the report's folder"),
  fingerprint: z.string().nullable().describe('what changed, as a hash: equal where the changes are the same'),
  origin: originSchema,
});

/** See {@link originSchema}. */
export type Origin = z.infer<typeof originSchema>;
/** See {@link declaredShotSchema}. */
export type DeclaredShot = z.infer<typeof declaredShotSchema>;
/** See {@link shotMessageSchema}. */
export type ShotMessage = z.infer<typeof shotMessageSchema>;
