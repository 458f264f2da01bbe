import { z } from 'zod';
import { ProofsheetError } from './errors.js';
import { shotRecordSchema } from './run-record.js';

/** The origin of a shot. When shards are merged, it shows whether a shard is missing or belongs to another run. */
export const originSchema = z.strictObject({
  list: z.string().nullable().describe('path of the page list, as the spec has it; null: a matcher'),
  listHash: z.string().nullable(),
  shard: z.strictObject({ current: z.int().min(1), total: z.int().min(1) }).nullable(),
  listIds: z.array(z.string()).nullable().describe('all ids of the list, filtered out or not; null when not sharded'),
  commit: z.string().nullable().describe('null when it is not known, or not sharded'),
  run: z.string().nullable().describe('what all shards of a run share; null when it is not known, or not sharded'),
});

/** The data of a listed shot when it is declared. The reporter uses it for shots whose worker crashed. */
export const declaredShotSchema = shotRecordSchema
  .pick({ id: true, page: true, viewport: true, state: true, url: true })
  .extend({
    list: z.string(),
    listHash: z.string(),
    listShots: z.int().min(1).describe('number of shots of the whole list, filtered out or not'),
    line: z.int().min(1),
  });

/** The result of one comparison, sent from a worker to the reporter. */
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

/** Name of the hidden attachment for a {@link ShotMessage}. Playwright does not show names that start with `_`. */
export const MESSAGE_ATTACHMENT = '_proofsheet';

/** Type of the hidden annotation for a {@link DeclaredShot}. */
export const DECLARED_ANNOTATION = '_proofsheet';

/** Encodes a message as the body of its attachment. */
export function encodeMessage(message: ShotMessage): string {
  return JSON.stringify(message);
}

/** Reads the body of an attachment. @throws ProofsheetError `record-invalid` when another version of proofsheet wrote it. */
export function decodeMessage(body: string): ShotMessage {
  return decode(shotMessageSchema, body, 'attachment');
}

/** Encodes a declared shot as the description of its annotation. */
export function encodeDeclared(shot: DeclaredShot): string {
  return JSON.stringify(shot);
}

/** Reads the description of an annotation. @throws ProofsheetError `record-invalid`, as {@link decodeMessage}. */
export function decodeDeclared(description: string): DeclaredShot {
  return decode(declaredShotSchema, description, 'annotation');
}

function decode<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const { data, error } = schema.safeParse(parseJson(text));
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new ProofsheetError({
    code: 'record-invalid',
    where: `the ${what} of a shot`,
    found: `this version of proofsheet cannot read it (${issue?.path.join('.') || 'it'}: ${issue?.message})`,
    advice: 'Run and merge with the same version of proofsheet.',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
