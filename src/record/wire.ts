import type { z } from 'zod';
import { ProofsheetError } from '../model/errors.js';
import { type DeclaredShot, declaredShotSchema, type ShotMessage, shotMessageSchema } from '../model/message.js';

/** Name of the hidden attachment that carries a {@link ShotMessage}; names with `_` are not shown by Playwright. */
export const MESSAGE_ATTACHMENT = '_proofsheet';

/** Type of the hidden annotation that carries a {@link DeclaredShot}. */
export const DECLARED_ANNOTATION = '_proofsheet';

/** Renders a message as the body of its attachment. */
export function encodeMessage(message: ShotMessage): string {
  return JSON.stringify(message);
}

/** Reads the body of an attachment. @throws ProofsheetError `record-invalid` when another version of proofsheet wrote it. */
export function decodeMessage(body: string): ShotMessage {
  return decode(shotMessageSchema, body, 'attachment');
}

/** Renders what a shot says of itself as the description of its annotation. */
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
