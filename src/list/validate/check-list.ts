import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { foldName, safePart } from '../../baselines/index.js';
import {
  type MatcherOptionsInput,
  matcherOptionsSchema,
  type PageListInput,
  ProofsheetError,
  pageListSchema,
  type ShotFieldsInput,
  type ShotFormat,
  type StoryParameters,
  shotFieldsSchema,
  storyParametersSchema,
} from '../../model/index.js';
import {
  adviseName,
  describeValue,
  invalid,
  invalidKey,
  isMapping,
  type ListIssue,
  nearest,
  type Path,
  valueAt,
} from '../issue.js';
import { chosenOf, type Owner } from '../resolve/resolve-plan.js';
import { flattenIssues, renderIssues } from './problems.js';
import { type FieldScope, fieldScopesOf, type ValidList } from './valid-list.js';

/** Finds problems of several values at once: unknown names, and fields that contradict each other. */
export function checkList(
  valid: ValidList,
  owners: readonly Owner[],
  written: unknown,
  { folder, devices }: { readonly folder: string; readonly devices: readonly string[] },
): ListIssue[] {
  const { list, isInvalid } = valid;
  const scopes = fieldScopesOf(list, owners);
  return [
    ...checkDevices(list, devices, written),
    ...NAMED.flatMap((kind) => {
      if (isInvalid([kind.field]) || isInvalid(['defaults', kind.field])) return [];
      const names = Object.keys(list[kind.field] ?? {});
      return [
        ...names.flatMap((name, index) => checkNameClash(kind, name, names.slice(0, index))),
        ...scopes.flatMap((scope) => checkNames(kind, scope, names, written)),
        ...(kind.field === 'viewports' ? scopes.flatMap((scope) => checkSizes(scope, names)) : []),
      ];
    }),
    ...scopes.flatMap(checkContradictions),
    ...scopes.flatMap((scope) => checkRuleFiles(scope, folder, written)),
    ...owners.flatMap((owner) => checkBase(owner, valid)),
  ];
}

function checkDevices({ viewports = {} }: PageListInput, devices: readonly string[], written: unknown): ListIssue[] {
  return Object.entries(viewports).flatMap(([name, viewport]) => {
    if (!('device' in viewport) || devices.includes(viewport.device)) return [];
    const path = ['viewports', name, 'device'];
    const near = nearest(viewport.device, devices);
    const advice = near ? `Did you mean "${near}"?` : 'Use a device name of Playwright, such as iPhone 15.';
    return [invalid(path, `unknown device ${describeValue(valueAt(written, path))}`, advice)];
  });
}

const NAMED = [
  { field: 'viewports', noun: 'viewport' },
  { field: 'modes', noun: 'mode' },
] as const;

type Named = (typeof NAMED)[number];

/** Two viewports whose names are equal on some file systems would share all baselines. */
function checkNameClash({ field }: Named, name: string, others: readonly string[]): ListIssue[] {
  const other = others.find((earlier) => foldName(safePart(earlier)) === foldName(safePart(name)));
  if (other === undefined) return [];
  const found = `${field} "${name}" and "${other}" would have the same file names`;
  const advice = 'Rename one of them. File names ignore case and replace special characters.';
  return [{ ...invalidKey([field, name], found, advice), code: 'shot-duplicate' }];
}

function checkNames(
  { field, noun }: Named,
  { path, own, isOfDefaults }: FieldScope,
  names: readonly string[],
  written: unknown,
): ListIssue[] {
  const wanted = isOfDefaults ? [] : (own[field] ?? []);
  return wanted.flatMap((name, index) => {
    const place = [...path, field, index];
    const shown = describeValue(valueAt(written, place));
    if (wanted.indexOf(name) < index) return [invalid(place, `duplicate ${noun} ${shown}`, 'Remove one of the two.')];
    if (names.includes(name)) return [];
    const define = `Define it under "${field}" at the top level of the list.`;
    return [invalid(place, `unknown ${noun} ${shown}`, names.length > 0 ? adviseName(name, names) : define)];
  });
}

function checkSizes({ path, own, merged, isOfDefaults }: FieldScope, names: readonly string[]): ListIssue[] {
  if (isOfDefaults || names.length === 0) return [];
  const used = path.length === 1 ? names : chosenOf(names, merged.viewports);
  const sizes = (['width', 'height'] as const).filter((side) => used.length > 0 && own[side] !== undefined);
  return sizes.map((side) =>
    invalidKey(
      [...path, side],
      `"${side}" cannot be used together with named viewports (${used.join(', ')})`,
      'Remove it, or define the size under the "viewports" of the list and select it with "viewports" in the page.',
    ),
  );
}

function checkRuleFiles({ path, own, isOfDefaults }: FieldScope, folder: string, written: unknown): ListIssue[] {
  const mocks = Object.entries(own.mock ?? {}).map(([pattern, answer]): [Path, string | undefined] => {
    const place = [...path, 'mock', pattern];
    return typeof answer === 'string' ? [place, answer] : [[...place, 'file'], answer.file];
  });
  const files: [Path, string | undefined][] = isOfDefaults ? [] : [...mocks, [[...path, 'har'], own.har]];
  return files.flatMap(([place, file]) => {
    if (file === undefined || statSync(resolve(folder, file), { throwIfNoEntry: false })?.isFile()) return [];
    const found = `the file ${describeValue(valueAt(written, place))} does not exist`;
    return [invalid(place, found, 'Write the path of a file, relative to the page list.')];
  });
}

interface Contradiction {
  /** The error is reported at the first of these fields that the scope has. */
  readonly fields: readonly (keyof ShotFieldsInput)[];
  readonly isIn: (merged: ShotFieldsInput, own: ShotFieldsInput) => boolean;
  readonly found: string;
  readonly advice: string;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    fields: ['fullSize'],
    // An inherited fullSize is valid with an element, because it is for other pages.
    isIn: ({ element }, own) => element !== undefined && own.fullSize === true,
    found: '"fullSize" has no effect together with "element"',
    advice: 'Remove "fullSize": the whole element is always captured.',
  },
  {
    fields: ['each'],
    isIn: ({ element, each = false }) => each !== false && element === undefined,
    found: '"each" has no effect without "element"',
    advice: 'Set "element" to the selector of the elements to capture, such as ".card".',
  },
  {
    fields: ['element', 'format'],
    isIn: ({ element, format }) => element !== undefined && format === 'pdf',
    found: '"element" cannot be used with "format: pdf"',
    advice: 'Remove "element", because a PDF contains the whole page, or use an image format such as png.',
  },
  ...(['mask', 'ignore'] as const).map((field) => ({
    fields: [field, 'format'] as const,
    isIn: (merged: ShotFieldsInput) => [merged[field] ?? []].flat().length > 0 && merged.format === 'pdf',
    found: `"${field}" cannot be used with "format: pdf"`,
    advice: 'Use "hide" or "remove", which also apply to a PDF, or use an image format such as png.',
  })),
];

/** Finds fields that contradict each other. Reports each contradiction once, at the scope that completes it. */
function checkContradictions({ path, own, merged, inherited, isOfDefaults }: FieldScope): ListIssue[] {
  return CONTRADICTIONS.filter(
    ({ isIn }) => isIn(merged, own) && !inherited.some((fields) => isIn(fields, fields)),
  ).map(({ fields, found, advice }) => {
    const field = fields.find((each) => own[each] !== undefined) ?? 'format';
    return isOfDefaults ? invalid(path, found, advice) : invalidKey([...path, field], found, advice);
  });
}

function checkBase({ path, page }: Owner, { list: { defaults }, isInvalidBelow }: ValidList): ListIssue[] {
  const { base, states = {} } = { ...defaults, ...page };
  if (base !== false || Object.keys(states).length > 0) return [];
  if (isInvalidBelow([...path, 'states']) || isInvalidBelow(['defaults', 'states'])) return [];
  const found = 'the page has no shot: "base" is false, and it has no states';
  return [invalid([...path, ...(page.base === false ? ['base'] : [])], found, 'Add a state, or remove "base".')];
}

/**
 * Parses matcher options of unknown type, by the rules for page fields.
 *
 * @param where the call as the user wrote it, for the message.
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function readOptions(options: object, where: string): MatcherOptionsInput {
  const problem = findUnknown(options, Object.keys(matcherOptionsSchema.shape));
  if (problem) throw new ProofsheetError({ code: 'options-invalid', where, ...problem });
  readFields(options, where);
  return matcherOptionsSchema.parse(options);
}

/**
 * Parses what a story sets for itself, by the same rules. With null, it takes back what its component sets.
 *
 * @param format - what the list sets
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function readStoryParameters(parameters: unknown, format: ShotFormat, where: string): StoryParameters {
  const problem = findUnknown(parameters, Object.keys(storyParametersSchema.shape));
  if (problem) throw new ProofsheetError({ code: 'options-invalid', where, ...problem });
  const fields = Object.fromEntries(Object.entries(Object(parameters)).filter(([, value]) => value !== null));
  readFields({ ...fields, format }, where);
  return storyParametersSchema.parse(fields);
}

/**
 * Parses page fields of unknown type, by the same rules.
 *
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function readFields(fields: object, where: string): ShotFieldsInput {
  // As the defaults of a list, so that the messages are the same as for a list.
  const list = { defaults: fields, pages: ['/'] };
  const { data, error } = pageListSchema.safeParse(list);
  const issues = data
    ? fieldScopesOf(data, []).flatMap(checkContradictions)
    : renderIssues(flattenIssues(list, error.issues), { written: list, env: {} });
  const [first] = issues;
  if (first) throw new ProofsheetError({ code: 'options-invalid', where, found: first.found, advice: first.advice });
  return shotFieldsSchema.parse(fields);
}

function findUnknown(options: unknown, known: readonly string[]): { found: string; advice: string } | null {
  if (!isMapping(options) || Array.isArray(options)) {
    return {
      found: `the options are ${describeValue(options)}, expected an object`,
      advice: 'Write { threshold: 0.01 }, for example.',
    };
  }
  const key = Object.keys(options).find((option) => !known.includes(option));
  return key === undefined ? null : { found: `unknown option "${key}"`, advice: adviseName(key, known) };
}
