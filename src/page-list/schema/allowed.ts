import { closestMatch } from 'leven';
import { z } from 'zod';
import { pageListSchema } from '../../model/list/page-list.js';
import { isMapping, type Path } from '../issue.js';

type Schema = z.core.JSONSchema.BaseSchema;

/** The JSON schema of the page list. */
export type ListSchema = Schema;

/** Creates the JSON schema of the list, for {@link schemasAt}. Messages take all bounds from it. */
export function listSchema(): ListSchema {
  return z.toJSONSchema(pageListSchema, { io: 'input', target: 'draft-07' });
}

/** Returns the schemas allowed at a path: several for a union, none if the list allows no value there. */
export function schemasAt(root: ListSchema, path: Path): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (schemas, step) => schemas.flatMap((schema) => stepInto(schema, step)),
    [...branchesOf(root)],
  );
}

/** Returns the keys that a mapping may have, over all schemas. */
export function keysOf(schemas: readonly Schema[]): string[] {
  return [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** Renders what the schemas allow: `a whole number from 100 to 8000`. */
export function renderAllowed(schemas: readonly Schema[]): string {
  return schemas.map(renderSchema).join(' or ');
}

/** Returns the enum values of the schemas, as strings. Empty if no schema is an enum. */
export function choicesAt(schemas: readonly Schema[]): string[] {
  return schemas.flatMap((schema) => schema.enum ?? []).map(String);
}

/** The broad type of a field. Suggestions use it to guess the intended value. */
export type Kind = 'choice' | 'number' | 'switch' | 'text' | 'site' | 'list' | 'mappings' | 'mapping' | 'nothing';

/** Returns the kind of each schema. */
export function kindsOf(schemas: readonly Schema[]): Kind[] {
  return schemas.map(kindOf);
}

function kindOf({ enum: choices, format, type, items }: Schema): Kind {
  if (choices) return 'choice';
  if (format === 'uri') return 'site';
  const isOfMappings = typeof items === 'object' && !Array.isArray(items) && items.type === 'object';
  return isOfMappings ? 'mappings' : (KINDS[String(type)] ?? 'text');
}

const KINDS: Readonly<Record<string, Kind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'switch',
  string: 'text',
  array: 'list',
  object: 'mapping',
  null: 'nothing',
};

function stepInto({ properties, additionalProperties, items }: Schema, step: string | number): readonly Schema[] {
  const property = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
  const next = typeof step === 'number' ? items : (property ?? additionalProperties);
  return typeof next === 'object' && !Array.isArray(next) ? branchesOf(next) : [];
}

/** Returns the branches of a union. Each branch inherits the description of the union. */
function branchesOf({ anyOf, ...schema }: Schema): readonly Schema[] {
  if (!anyOf) return [schema];
  return anyOf.filter((branch) => typeof branch === 'object').map((branch) => ({ ...schema, ...branch }));
}

function renderSchema(schema: Schema): string {
  if (schema.enum) return renderChoice(schema.enum.map(String));
  if (schema.const !== undefined) return String(schema.const);
  switch (schema.type) {
    case 'integer':
      return `a whole number ${renderRange(schema)}`;
    case 'number':
      return `a number ${renderRange(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return `a mapping${renderKeys(schema)}`;
    case 'null':
      return 'null';
    default:
      return renderText(schema);
  }
}

function renderKeys({ required, properties, maxProperties }: Schema): string {
  if (maxProperties === 1) return ` with one of ${renderChoice(Object.keys(properties ?? {}))}`;
  return required ? ` with ${required.join(' and ')}` : '';
}

function renderChoice(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function renderRange({ minimum, maximum, exclusiveMinimum }: Schema): string {
  if (exclusiveMinimum !== undefined) return `above ${exclusiveMinimum}, up to ${maximum}`;
  return maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
}

function renderText({ format, minLength, maxLength }: Schema): string {
  if (format === 'uri') return 'a URL that begins with http:// or https://';
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength !== undefined && minLength > 1 ? `text of ${minLength} characters or more` : 'text';
}

/** Maximum length of a value in a message, in characters. */
const MAX_SHOWN_LENGTH = 60;

/** Renders a value of a list for a message: shortened JSON, or words for empty and secret values. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'symbol') return `${value.description} (not shown here)`;
  if (!isMapping(value)) return cut(renderShort(value, 0));
  const kind = Array.isArray(value) ? 'list' : 'mapping';
  return Object.keys(value).length === 0 ? `an empty ${kind}` : `the ${kind} ${cut(renderShort(value, 3))}`;
}

/** Renders the beginning of a value as JSON. With aliases, a value may be too deep for JSON.stringify. */
function renderShort(value: unknown, depth: number): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * MAX_SHOWN_LENGTH));
  if (typeof value === 'symbol') return '***';
  if (!isMapping(value)) return JSON.stringify(value);
  if (depth === 0) return '…';
  const entries = Object.entries(value).slice(0, MAX_SHOWN_LENGTH);
  const items = entries.map(([key, item]) => {
    return (Array.isArray(value) ? '' : `${JSON.stringify(key)}:`) + renderShort(item, depth - 1);
  });
  return Array.isArray(value) ? `[${items.join()}]` : `{${items.join()}}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_SHOWN_LENGTH ? text : `${characters.slice(0, MAX_SHOWN_LENGTH).join('')}…`;
}

/** Maximum length of a compared name, in characters. The time of a comparison grows with the product of both lengths. */
const MAX_NAME_LENGTH = 100;

/** Returns the candidate that is most similar to a name, ignoring case, or undefined if none is similar. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const maxDistance = Math.max(1, Math.round(name.length * 0.4));
  const folded = candidates.map((candidate) => candidate.toLowerCase());
  const wanted = name.toLowerCase();
  // Transposed letters have a Levenshtein distance of 2, although they are the most common typing error.
  const match =
    folded.find((candidate) => sortLetters(candidate) === sortLetters(wanted)) ??
    closestMatch(wanted, folded, { maxDistance });
  return match === undefined ? undefined : candidates[folded.indexOf(match)];
}

/** Renders the advice for a name that is not allowed: the most similar allowed name, or all allowed names. */
export function adviseName(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed);
  return near === undefined ? `Allowed: ${allowed.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
}

function sortLetters(word: string): string {
  return [...word].toSorted().join('');
}
