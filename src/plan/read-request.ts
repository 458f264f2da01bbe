import { z } from 'zod';
import type { Warning } from '../model/capture.js';
import { ProofsheetError } from '../model/errors.js';
import { nearest } from './nearest.js';

/** What a request is checked by. */
export type RequestSchema = z.ZodType;

/** What a schema makes of a request. */
export type RequestOf<Schema extends RequestSchema> = z.output<Schema>;

/**
 * Reads a request by its schema. Fields with an empty text are ignored, as forms send those that nobody filled in.
 *
 * @throws AggregateError of one ProofsheetError `request-invalid` for every field that is wrong; `where` names the field.
 */
export function readRequest<T extends RequestSchema>(schema: T, body: unknown): RequestOf<T> {
  const { data, error } = schema.safeParse(withoutEmpty(body));
  if (error === undefined) return data;
  // The first thing that is wrong with a field is enough.
  const fields = new Map(error.issues.toReversed().map(({ path, message }) => [nameOf(path), message]));
  throw new AggregateError(Array.from(fields, wrongField).reverse());
}

/** At most so many unknown fields of a request are named. */
const MOST_NAMED = 20;

/** At most so many characters of an unknown name are shown. */
const MOST_CHARACTERS = 60;

/** Lists the fields of a request that its schema does not know, those of nested objects included. */
export function listUnknownFields(schema: RequestSchema, body: unknown): Warning[] {
  const unknown = unknownIn(schema, body, '');
  const rest = unknown.length - MOST_NAMED;
  const more = rest > 0 ? [warn(`${rest} more fields are unknown and have no effect`)] : [];
  return [...unknown.slice(0, MOST_NAMED).map(tellUnknown), ...more];
}

interface UnknownField {
  readonly prefix: string;
  readonly name: string;
  readonly shape: z.ZodRawShape;
}

function unknownIn(schema: z.ZodType, body: unknown, prefix: string): UnknownField[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return [];
  const { shape } = schema;
  return Object.entries(body).flatMap(([name, value]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) return [{ prefix, name, shape }];
    return known instanceof z.ZodType ? unknownIn(known, value, `${prefix}${name}.`) : [];
  });
}

function tellUnknown({ prefix, name, shape }: UnknownField): Warning {
  const shown = JSON.stringify(prefix + name.slice(0, MOST_CHARACTERS));
  return warn(`${shown}: the field is unknown and has no effect${meantBy(name, shape)}`);
}

function meantBy(name: string, shape: z.ZodRawShape): string {
  const field = Object.keys(shape).find((key) => choicesOf(shape[key]).includes(name));
  if (field !== undefined) return `. "${name}" is a value of "${field}"`;
  const near = name.length > MOST_CHARACTERS ? undefined : nearest(name, Object.keys(shape));
  return near === undefined ? '' : `. Did you mean "${near}"?`;
}

function choicesOf(schema: unknown): readonly unknown[] {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options : [];
}

function warn(message: string): Warning {
  return { code: 'field-unknown', message };
}

/** Leaves out empty texts of a request and of its sides. */
function withoutEmpty(body: unknown, depth = 1): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).filter(([, value]) => value !== '');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, depth === 0 ? value : withoutEmpty(value, depth - 1)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
