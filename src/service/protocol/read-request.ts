import { z } from 'zod';
import { describeValue, flattenIssues, renderAllowed, schemasAt, valueAt } from '../../list/index.js';
import { ProofsheetError, type Warning } from '../../model/index.js';

/**
 * Validates a request, and warns about each unknown field. Blank strings are ignored, because HTML forms send them for empty fields.
 *
 * @param advice where the caller finds the allowed values
 * @throws AggregateError with one ProofsheetError `request-invalid` per invalid field; `where` names the field.
 */
export function readRequest<T extends z.ZodObject>(
  schema: T,
  body: unknown,
  advice: string,
): { request: z.output<T>; warnings: Warning[] } {
  const given = withoutBlank(body);
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return { request: data, warnings: listUnknownFields(schema, body) };
  const expected = z.toJSONSchema(schema, { io: 'input' });
  // A field may have several issues. Only the first is reported.
  const found = new Map<string, string>();
  for (const issue of flattenIssues(given, error.issues)) {
    const path = 'key' in issue ? [...issue.path, issue.key] : issue.path;
    const where = path.join('.') || 'the request';
    const words = ('words' in issue ? issue.words : null) ?? renderAllowed(schemasAt(expected, path));
    const value = valueAt(given, path);
    const shown = value === undefined ? 'missing' : describeValue(value);
    if (!found.has(where)) found.set(where, `it is ${shown}, expected ${words}`);
  }
  throw new AggregateError(
    Array.from(found, ([where, text]) => new ProofsheetError({ code: 'request-invalid', where, found: text, advice })),
  );
}

function withoutBlank(body: unknown, depth = 1): unknown {
  if (!isRecord(body) || depth < 0) return body;
  const entries = Object.entries(body).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutBlank(value, depth - 1)]));
}

const MAX_NAMED = 20;

function listUnknownFields(schema: z.ZodObject, body: unknown): Warning[] {
  return unknownIn(schema, body, '')
    .slice(0, MAX_NAMED)
    .map((name) => ({ code: 'field-unknown', message: `unknown field ${describeValue(name)} has no effect` }));
}

function unknownIn(schema: unknown, body: unknown, prefix: string): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    Object.hasOwn(schema.shape, name) ? unknownIn(schema.shape[name], value, `${prefix}${name}.`) : [prefix + name],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
