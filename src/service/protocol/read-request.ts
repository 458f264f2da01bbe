import { z } from 'zod';
import { describeValue, flattenIssues, nearest, renderAllowed, schemasAt, valueAt } from '../../list/index.js';
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

/** Removes blank strings from a request, and from the objects in it. */
function withoutBlank(body: unknown, depth = 1): unknown {
  if (!isRecord(body) || depth < 0) return body;
  const entries = Object.entries(body).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutBlank(value, depth - 1)]));
}

/** Maximum number of unknown fields that warnings name, and of the characters of their names. */
const MAX_NAMED = { fields: 20, characters: 60 };

function listUnknownFields(schema: z.ZodObject, body: unknown): Warning[] {
  const unknown = unknownIn(schema, body, '');
  const named = unknown.slice(0, MAX_NAMED.fields).map(({ prefix, name, shape }) => {
    const shown = JSON.stringify(prefix + name.slice(0, MAX_NAMED.characters));
    return `unknown field ${shown} has no effect${suggestField(name, shape)}`;
  });
  const more = unknown.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more unknown fields have no effect`] : [])].map((message) => ({
    code: 'field-unknown',
    message,
  }));
}

interface UnknownField {
  readonly prefix: string;
  readonly name: string;
  readonly shape: z.ZodRawShape;
}

function unknownIn(schema: unknown, body: unknown, prefix: string): UnknownField[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return [];
  const { shape } = schema;
  return Object.entries(body).flatMap(([name, value]) =>
    Object.hasOwn(shape, name) ? unknownIn(shape[name], value, `${prefix}${name}.`) : [{ prefix, name, shape }],
  );
}

function suggestField(name: string, shape: z.ZodRawShape): string {
  const field = Object.keys(shape).find((key) => {
    const schema = shape[key];
    const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
    return inner instanceof z.ZodEnum && inner.options.includes(name);
  });
  if (field !== undefined) return `; "${name}" is a value of "${field}"`;
  const near = name.length > MAX_NAMED.characters ? undefined : nearest(name, Object.keys(shape));
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
