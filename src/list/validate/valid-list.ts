import { pageListSchema } from '../../model/index.js';
import { isMapping, mapLeaves, type Path, pathKey, valueAt } from '../issue.js';
import { type FlatIssue, flattenIssues } from './problems.js';

/** A list without its invalid values, for the checks of several values at once. */
export type ValidList = NonNullable<ReturnType<typeof readValid>['valid']>;

/** Each round leaves out what the round before it made invalid, such as a mapping without a required key. */
const MAX_ROUNDS = 6;

/** Returns the issues of a list, and the list without its invalid values; null if nothing is left. */
export function readValid(filled: unknown) {
  const invalid = new Set<string>();
  const value = mapLeaves(filled, (leaf) => leaf);
  let first: readonly FlatIssue[] | null = null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { data, error } = pageListSchema.safeParse(value);
    const issues = flattenIssues(value, error?.issues ?? []);
    first ??= issues;
    if (data) {
      const keys = [...invalid];
      const valid = {
        list: data,
        isInvalid: (path: Path) => invalid.has(pathKey(path)),
        isInvalidBelow: (path: Path) => keys.some((key) => key.startsWith(pathKey(path).slice(0, -1))),
      };
      return { issues: first, valid };
    }
    for (const { path } of issues) invalid.add(pathKey(leaveOut(value, path)));
  }
  return { issues: first ?? [], valid: null };
}

/** Leaves out an invalid value; if it is missing, or the item of a list, what contains it. Returns the path of what was left out. */
function leaveOut(list: unknown, path: Path): Path {
  const [parent, key] = [valueAt(list, path.slice(0, -1)), path.at(-1)];
  // What contains it is left out already.
  if (key === undefined || !isMapping(parent)) return path;
  const standIn = standInOf(path, parent);
  // A stand-in that is invalid has a key that is.
  if (standIn !== undefined && parent[key] !== standIn) parent[key] = standIn;
  else if (typeof key === 'string' && Object.hasOwn(parent, key)) delete parent[key];
  else return leaveOut(list, path.slice(0, -1));
  return path;
}

const [VIEWPORT, MODE] = [{ width: 1280, height: 720 }, {}];

/** Returns a value in place of an invalid one: pages keep their places and other fields, viewports and modes their names. */
function standInOf(path: Path, parent: unknown): unknown {
  if (path.at(-1) === 'url') return 'http://invalid.';
  if (path.length !== 2) return undefined;
  // A page, or an entry of `stories`.
  if (Array.isArray(parent)) return '/';
  if (path[0] === 'viewports') return VIEWPORT;
  return path[0] === 'modes' ? MODE : undefined;
}
