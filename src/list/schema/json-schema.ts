import { z } from 'zod';
import { OWN_KEY, pageListSchema } from '../../model/index.js';
import type { Path } from '../issue.js';

/** The JSON schema of a page list, or of a part of it. */
export type Schema = z.core.JSONSchema.BaseSchema;

/** Creates the JSON schema of the list, for {@link schemasAt}. Messages take all bounds from it. */
export function listSchema(): Schema {
  // A list has `pages` or `stories`. Messages name the usual one.
  return { ...z.toJSONSchema(pageListSchema, { io: 'input', target: 'draft-07' }), required: ['pages'] };
}

/** Returns the schemas allowed at a path: several for a union, none if the list allows no value there. */
export function schemasAt(root: Schema, path: Path): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (schemas, step) => schemas.flatMap((schema) => stepInto(schema, step)),
    [...branchesOf(root)],
  );
}

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

function stepInto({ properties, additionalProperties, items }: Schema, step: string | number): readonly Schema[] {
  const property = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
  const next = typeof step === 'number' ? items : (property ?? additionalProperties);
  return typeof next === 'object' && !Array.isArray(next) ? branchesOf(next) : [];
}

/** Returns the branches of a union. Each branch has the description of the union. */
function branchesOf({ anyOf, ...schema }: Schema): readonly Schema[] {
  if (!anyOf) return [schema];
  return anyOf.flatMap((branch) => (typeof branch === 'object' ? branchesOf({ ...branch, ...schema }) : []));
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
  if (format === 'uri') return 'a URL that starts with http:// or https://';
  if (maxLength !== undefined) return `a string of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength !== undefined && minLength > 1 ? `a string of ${minLength} characters or more` : 'a string';
}

/**
 * Renders `pages.schema.json`, for editors: in draft 7, which yaml-language-server supports best. Editors validate a list before `${ENV}`
 * is filled in, so every pattern also allows a variable.
 */
export function renderPagesSchema(): string {
  const schema = z.toJSONSchema(pageListSchema, {
    io: 'input',
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'uri') {
        delete jsonSchema.format;
        jsonSchema.pattern = '^https?://';
      }
      if (jsonSchema.pattern) jsonSchema.pattern += '|\\$\\{';
    },
  });
  const { $schema, ...rest } = schema;
  const head = {
    $schema,
    $id: 'urn:proofsheet:pages.schema.json',
    title: 'proofsheet page list',
    description: 'Pages to capture and compare, with one Playwright test for each shot.',
    anyOf: ['pages', 'stories'].map((key) => ({ properties: { [key]: true }, required: [key] })),
  };
  const patternProperties = { [OWN_KEY.source]: { description: 'A value of your own, for YAML anchors.' } };
  return `${JSON.stringify({ ...head, ...rest, patternProperties }, null, 2)}\n`;
}
