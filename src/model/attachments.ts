import { z } from 'zod';
import { describeWrongData, ProofsheetError } from './errors.js';
import { shotRecordSchema } from './run-record.js';

/** The origin of a shot. When shards are merged, it shows whether a shard is missing or belongs to another run. */
export const originSchema = z.strictObject({
  list: z.string().nullable().describe('path of the page list as written in the spec; null for toMatchBaseline'),
  listHash: z.string().nullable(),
  shard: z.strictObject({ current: z.int().min(1), total: z.int().min(1) }).nullable(),
  listIds: z.array(z.string()).nullable().describe('all shot IDs of the list, before filters; null without shards'),
  commit: z.string().nullable().describe('commit; null if it is unknown, or without shards'),
  run: z.string().nullable().describe('ID that all shards of a run share; null if it is unknown, or without shards'),
});

/** The data of a listed shot when it is declared. The reporter uses it for shots whose worker crashed. */
export const declaredShotSchema = shotRecordSchema
  .pick({ id: true, page: true, viewport: true, state: true, url: true })
  .extend({
    list: z.string(),
    listHash: z.string(),
    listShots: z.int().min(1).describe('number of shots of the whole list, before filters'),
    line: z.int().min(1),
  });

/** The result of one comparison, sent from a worker to the reporter. */
export const shotMessageSchema = z.strictObject({
  shot: shotRecordSchema.describe('final record, except flaky and attempts, which the reporter sets'),
  images: z
    .array(z.strictObject({ link: z.string(), attachment: z.string() }))
    .describe('the attachment of the same test result for each link of the report'),
  fingerprint: z.string().nullable().describe('hash of the change; equal changes have equal hashes'),
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
  if (error === undefined) return data;
  throw new ProofsheetError({
    code: 'record-invalid',
    where: `${what} of a shot`,
    found: `this version of proofsheet cannot read the data (${describeWrongData(error)})`,
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
