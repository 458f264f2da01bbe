import type { z } from 'zod';
import { ProofsheetError } from '../model/errors.js';

/**
 * Reads a request by its schema.
 *
 * @throws AggregateError of one ProofsheetError `request-invalid` for every field that is wrong; `where` names the field.
 */
export function readRequest<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  // The first thing that is wrong with a field is enough.
  const fields = new Map(error.issues.toReversed().map(({ path, message }) => [nameOf(path), message]));
  throw new AggregateError(Array.from(fields, wrongField).reverse());
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'the request';
}

function wrongField([where, message]: readonly [string, string]): ProofsheetError {
  return new ProofsheetError({
    code: 'request-invalid',
    where,
    found: message.replace(/^Invalid input: /, ''),
    advice: 'Correct it; /openapi.json says what it can be.',
  });
}
