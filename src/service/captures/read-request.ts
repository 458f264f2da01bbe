import { z } from 'zod';
import {
  describeValue,
  flattenIssues,
  nearest,
  type Path,
  readFields,
  readOptions,
  renderAllowed,
  resolveSettings,
  schemasAt,
  valueAt,
} from '../../list/index.js';
import {
  type CompareSettings,
  ProofsheetError,
  type Rectangle,
  type ShotFieldsInput,
  type Warning,
} from '../../model/index.js';

/** The schema of a request. */
export type RequestSchema = z.ZodType;

/** The parsed request of a schema. */
export type RequestOf<Schema extends RequestSchema> = z.output<Schema>;

/**
 * Validates a request. Empty strings are ignored, because HTML forms send them for empty fields.
 *
 * @param advice where the caller finds the allowed values
 * @throws AggregateError with one ProofsheetError `request-invalid` per invalid field; `where` names the field.
 */
export function readRequest<T extends RequestSchema>(
  schema: T,
  body: unknown,
  advice = 'See /openapi.json for the allowed values.',
): RequestOf<T> {
  const given = withoutEmpty(body);
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return data;
  const expected = z.toJSONSchema(schema, { io: 'input' });
  const found = flattenIssues(given, error.issues).map((issue): [where: string, found: string] => {
    const path = 'key' in issue ? [...issue.path, issue.key] : issue.path;
    const words = ('words' in issue ? issue.words : null) ?? renderAllowed(schemasAt(expected, path));
    return [path.join('.') || 'the request', `it is ${describeGiven(given, path)}, expected ${words}`];
  });
  // Report only the first issue of each field.
  const fields = new Map(found.toReversed());
  throw new AggregateError(
    Array.from(
      fields,
      ([where, found]) => new ProofsheetError({ code: 'request-invalid', where, found, advice }),
    ).reverse(),
  );
}

function describeGiven(body: unknown, path: Path): string {
  const value = valueAt(body, path);
  return value === undefined ? 'missing' : describeValue(value);
}

/** Maximum number of unknown fields that warnings name. */
const MAX_NAMED = 20;

/** Maximum number of characters of an unknown name that a warning shows. */
const MAX_NAME_CHARACTERS = 60;

/** Returns a warning for each request field that the schema does not contain, including fields of nested objects. */
export function listUnknownFields(schema: RequestSchema, body: unknown): Warning[] {
  const unknown = unknownIn(schema, body, '');
  const rest = unknown.length - MAX_NAMED;
  const more = rest > 0 ? [warn(`${rest} more unknown fields have no effect`)] : [];
  return [...unknown.slice(0, MAX_NAMED).map(warnUnknown), ...more];
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

function warnUnknown({ prefix, name, shape }: UnknownField): Warning {
  const shown = JSON.stringify(prefix + name.slice(0, MAX_NAME_CHARACTERS));
  return warn(`unknown field ${shown} has no effect${suggestField(name, shape)}`);
}

function suggestField(name: string, shape: z.ZodRawShape): string {
  const field = Object.keys(shape).find((key) => choicesOf(shape[key]).includes(name));
  if (field !== undefined) return `; "${name}" is a value of "${field}"`;
  const near = name.length > MAX_NAME_CHARACTERS ? undefined : nearest(name, Object.keys(shape));
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function choicesOf(schema: unknown): readonly unknown[] {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options : [];
}

function warn(message: string): Warning {
  return { code: 'field-unknown', message };
}

/** Removes empty strings from a request and from its nested objects, one level deep. */
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

/**
 * Reads the fields of a page that is not in a list, by the rules for lists.
 *
 * @param where - the caller, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readCaptureOptions(fields: object, where: string): ShotFieldsInput {
  return readFields(fields, where);
}

/** The limits of a comparison. */
export interface CompareOptions {
  readonly settings: CompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
}

/**
 * Reads the options of a comparison by the rules for lists, and fills in the defaults.
 *
 * @param where - the caller, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readCompareOptions(options: object, where: string): CompareOptions {
  const { compare, capture } = resolveSettings(readOptions(options, where));
  return { settings: compare, ignore: capture.ignore.areas };
}
