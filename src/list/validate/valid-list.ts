import { type PageListInput, pageListSchema, type ShotFieldsInput } from '../../model/index.js';
import { isMapping, mapLeaves, type Path, pathKey, valueAt } from '../issue.js';
import { mergeFields, mergeMode, mergeShotFields, type Owner, shotFieldsOf } from '../resolve/resolve-plan.js';
import { type FlatIssue, flattenIssues } from './problems.js';

/** A list without its invalid values, for the checks of several values at once. */
export interface ValidList {
  readonly list: PageListInput;
  /** Checks whether the value at a path was invalid. */
  readonly isInvalid: (path: Path) => boolean;
  /** Checks whether a value at or below a path was invalid. */
  readonly isInvalidBelow: (path: Path) => boolean;
}

/** Each round leaves out what the round before it made invalid, such as a mapping without a required key. */
const MAX_ROUNDS = 6;

/** Leaves out the invalid values of a list. Returns null if nothing is left. */
export function readValid(filled: unknown): ValidList | null {
  const invalid = new Set<string>();
  const value = mapLeaves(filled, (leaf) => leaf);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { data, error } = pageListSchema.safeParse(value);
    if (data) {
      const keys = [...invalid];
      return {
        list: data,
        isInvalid: (path) => invalid.has(pathKey(path)),
        isInvalidBelow: (path) => {
          const start = pathKey(path).slice(0, -1);
          return keys.some((key) => key.startsWith(start));
        },
      };
    }
    for (const issue of flattenIssues(value, error.issues)) {
      const path = removalPathOf(issue);
      const isKey = issue.kind === 'unknown-key' || (issue.kind === 'fault' && issue.at === 'key');
      invalid.add(pathKey(path));
      replaceAt(value, path, isKey ? undefined : placeholderOf(path));
    }
  }
  return null;
}

function replaceAt(value: unknown, path: Path, by: unknown): void {
  const [parent, key] = [valueAt(value, path.slice(0, -1)), path.at(-1)];
  if (!isMapping(parent) || key === undefined) return;
  if (by === undefined) delete parent[key];
  else parent[key] = by;
}

/** Returns what to leave out for an issue. A list of values is left out whole, so that the others keep their positions. */
function removalPathOf(issue: FlatIssue): Path {
  const isKeyed = issue.kind === 'unknown-key' || issue.kind === 'missing-key';
  const path = isKeyed ? [...issue.path, issue.key] : issue.path;
  if (issue.kind === 'missing-key' && placeholderOf(path) === undefined) return withoutItem(issue.path);
  return withoutItem(path);
}

function withoutItem(path: Path): Path {
  if (typeof path.at(-1) !== 'number' || placeholderOf(path) !== undefined) return path;
  return withoutItem(path.slice(0, -1));
}

/** Returns a value that stands for an invalid one. It keeps pages, viewports and states at their places. */
function placeholderOf(path: Path): unknown {
  const [list, index] = path;
  const [parent, key] = [path.at(-2), path.at(-1)];
  if (key === 'states' || parent === 'states') return {};
  if (path.length === 1) return list === 'pages' ? ['/'] : undefined;
  if (path.length === 2 && list === 'modes') return {};
  if (path.length === 2 && list === 'viewports') return { width: 1280, height: 720 };
  const isEntry = path.length === 2 && typeof index === 'number';
  if (list === 'pages' && (isEntry || (path.length === 3 && key === 'url'))) return '/';
  return list === 'stories' && (isEntry || key === 'folder') ? '?' : undefined;
}

/** A mapping with page fields: the defaults, a page, a state of either, or a mode of any of these. */
export interface FieldScope {
  readonly path: Path;
  readonly own: ShotFieldsInput;
  /** Its own fields, merged over the fields that it inherits. */
  readonly merged: ShotFieldsInput;
  /** The fields of the scopes that it inherits. */
  readonly inherited: readonly ShotFieldsInput[];
  /** Whether it is a state of the defaults, at a page. */
  readonly isOfDefaults: boolean;
}

/** Returns every field scope of a list. @param owners - the pages, and the entries of `stories` */
export function fieldScopesOf({ defaults = {}, modes = {} }: PageListInput, owners: readonly Owner[]): FieldScope[] {
  const scope = (path: Path, own: ShotFieldsInput, inherited: readonly ShotFieldsInput[], isOfDefaults = false) => {
    return { path, own, merged: mergeShotFields(inherited[0] ?? {}, own), inherited, isOfDefaults };
  };
  const common = shotFieldsOf(defaults);
  const statesOf = (path: Path, states: Readonly<Record<string, ShotFieldsInput>>, inherited: ShotFieldsInput) =>
    Object.entries(states).map(([name, own]) => scope([...path, 'states', name], own, [inherited]));
  const ofModes = (inherited: ShotFieldsInput) =>
    Object.entries(modes).map(([name, { globals: _, ...own }]) => {
      return { ...scope(['modes', name], own, [inherited]), merged: mergeMode(inherited, own) };
    });
  const ofPages = [
    scope(['defaults'], common, []),
    ...statesOf(['defaults'], defaults.states ?? {}, common),
    ...owners.flatMap(({ path, page }) => {
      const merged = mergeFields(defaults, page);
      const states = page.states
        ? statesOf(path, page.states, merged)
        : Object.values(defaults.states ?? {}).map((own) =>
            scope(path, own, [merged, mergeShotFields(common, own)], true),
          );
      return [scope(path, shotFieldsOf(page), [common]), ...states];
    }),
  ];
  return [...ofPages, ...ofPages.flatMap(({ merged }) => ofModes(merged))];
}
