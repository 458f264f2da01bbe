import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { foldName, safePart } from '../../baselines/index.js';
import {
  failure,
  type MatcherOptionsInput,
  matcherOptionsSchema,
  type PageListInput,
  pageListSchema,
  type ShotFieldsInput,
  type ShotFormat,
  type StoryParameters,
  shotFieldsSchema,
  storyParametersSchema,
} from '../../model/index.js';
import { adviseName, describeValue, invalid, invalidKey, isMapping, type ListIssue, type Path } from '../issue.js';
import type { Owner } from '../resolve/resolve-plan.js';
import { checkContradictions, type FieldScope } from './check-shots.js';
import { describeIssues, flattenIssues, renderIssue } from './problems.js';

/** Finds problems of several values of a list: unknown names, files that do not exist, pages without a shot. */
export function checkList(
  list: PageListInput,
  owners: readonly Owner[],
  { folder, devices }: { readonly folder: string; readonly devices: readonly string[] },
): ListIssue[] {
  const scopes = fieldScopesOf(list, owners);
  return [
    ...checkDevices(list, devices),
    ...(['viewports', 'modes'] as const).flatMap((field) => {
      const names = Object.keys(list[field] ?? {});
      return [
        ...names.flatMap((name, index) => checkNameClash(field, name, names.slice(0, index))),
        ...scopes.flatMap((scope) => checkNames(field, scope, names)),
        ...(field === 'viewports' ? scopes.flatMap((scope) => checkSizes(scope, names)) : []),
      ];
    }),
    ...scopes.flatMap((scope) => checkRuleFiles(scope, folder)),
    ...owners.flatMap((owner) => checkBase(owner, list)),
  ];
}

function checkDevices({ viewports = {} }: PageListInput, devices: readonly string[]): ListIssue[] {
  return Object.entries(viewports).flatMap(([name, viewport]) => {
    if (!('device' in viewport) || devices.includes(viewport.device)) return [];
    const advice = 'Use a device name of Playwright, such as iPhone 15.';
    return [invalid(['viewports', name, 'device'], 'unknown device {value}', advice, devices)];
  });
}

/** Two viewports whose names are equal on some file systems would share all baselines. */
function checkNameClash(field: string, name: string, others: readonly string[]): ListIssue[] {
  const other = others.find((earlier) => foldName(safePart(earlier)) === foldName(safePart(name)));
  if (other === undefined) return [];
  const found = `${field} "${name}" and "${other}" would have the same file names`;
  const advice = 'Rename one of them. File names ignore case and replace special characters.';
  return [{ ...invalidKey([field, name], found, advice), code: 'shot-duplicate' }];
}

function checkNames(field: 'viewports' | 'modes', { path, own }: FieldScope, names: readonly string[]): ListIssue[] {
  const advice = `Define it under "${field}" at the top level of the list.`;
  return (own[field] ?? []).flatMap((name, index) => {
    if (names.includes(name)) return [];
    return [invalid([...path, field, index], `unknown ${field.slice(0, -1)} {value}`, advice, names)];
  });
}

function checkSizes({ path, own }: FieldScope, names: readonly string[]): ListIssue[] {
  const sizes = (['width', 'height'] as const).filter((side) => names.length > 0 && own[side] !== undefined);
  const advice = 'Remove it, or define a viewport of this size, and select it with "viewports" in the page.';
  return sizes.map((side) => {
    return invalidKey([...path, side], `"${side}" cannot be used together with the "viewports" of the list`, advice);
  });
}

function checkRuleFiles({ path, own }: FieldScope, folder: string): ListIssue[] {
  const mocks = Object.entries(own.mock ?? {}).map(([pattern, answer]): [Path, string | undefined] => {
    const place = [...path, 'mock', pattern];
    return typeof answer === 'string' ? [place, answer] : [[...place, 'file'], answer.file];
  });
  const files: [Path, string | undefined][] = [...mocks, [[...path, 'har'], own.har]];
  return files.flatMap(([place, file]) => {
    if (file === undefined || statSync(resolve(folder, file), { throwIfNoEntry: false })?.isFile()) return [];
    return [invalid(place, 'the file {value} does not exist', 'Write the path of a file, relative to the page list.')];
  });
}

function fieldScopesOf({ defaults = {}, modes = {} }: PageListInput, owners: readonly Owner[]): FieldScope[] {
  const withStates = ({ path, page }: Owner): FieldScope[] => [
    { path, own: page },
    ...Object.entries(page.states ?? {}).map(([name, own]) => ({ path: [...path, 'states', name], own })),
  ];
  const ofModes = Object.entries(modes).map(([name, own]) => ({ path: ['modes', name], own }));
  return [...withStates({ path: ['defaults'], page: defaults }), ...owners.flatMap(withStates), ...ofModes];
}

function checkBase({ path, page }: Owner, { defaults }: PageListInput): ListIssue[] {
  const { base, states = {} } = { ...defaults, ...page };
  if (base !== false || Object.keys(states).length > 0) return [];
  const found = 'the page has no shot: "base" is false, and it has no states';
  return [invalid([...path, ...(page.base === false ? ['base'] : [])], found, 'Add a state, or remove "base".')];
}

/**
 * Parses matcher options of unknown type, by the rules for page fields.
 *
 * @param where - the call as the user wrote it, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readOptions(options: object, where: string): MatcherOptionsInput {
  return checkOptions(options, options, matcherOptionsSchema, where).parse(options);
}

/** Parses what a story sets for itself, as {@link readOptions}. A null value resets what its component sets. @param format - of the list */
export function readStoryParameters(parameters: unknown, format: ShotFormat, where: string): StoryParameters {
  const fields = Object.fromEntries(Object.entries(Object(parameters)).filter(([, value]) => value !== null));
  return checkOptions(parameters, { ...fields, format }, storyParametersSchema, where).parse(fields);
}

/** Parses page fields of unknown type, as {@link readOptions}. */
export function readFields(fields: object, where: string): ShotFieldsInput {
  return checkOptions(fields, fields, shotFieldsSchema, where).parse(fields);
}

/** Checks options as the defaults of a list, so that the messages are the same. @param options - with the keys of the schema, which it returns */
function checkOptions<T extends z.ZodObject>(options: unknown, fields: object, schema: T, where: string): T {
  const refusal = (found: string, advice: string) => failure('options-invalid', where, found, advice);
  if (!isMapping(options) || Array.isArray(options)) {
    const found = `the options are ${describeValue(options)}, expected an object`;
    throw refusal(found, 'Write { threshold: 0.01 }, for example.');
  }
  const keys = Object.keys(schema.shape);
  const unknown = Object.keys(options).find((option) => !keys.includes(option));
  if (unknown !== undefined) throw refusal(`unknown option "${unknown}"`, adviseName(unknown, keys));
  const list = { defaults: fields, pages: ['/'] };
  const { data, error } = pageListSchema.safeParse(list);
  const own = data?.defaults ?? {};
  const [first] = data
    ? checkContradictions(own, [{ path: ['defaults'], own }])
    : describeIssues(flattenIssues(list, error.issues), list);
  if (!first) return schema;
  const { found, advice } = renderIssue(first, list);
  throw refusal(found, advice);
}
