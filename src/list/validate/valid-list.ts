import { pageListSchema } from '../../model/index.js';
import { isMapping, mapLeaves, type Path, pathKey, replaceAt, valueAt } from '../issue.js';
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
        /** Checks whether the value at a path was invalid. */
        isInvalid: (path: Path) => invalid.has(pathKey(path)),
        /** Checks whether a value at or below a path was invalid. */
        isInvalidBelow: (path: Path) => keys.some((key) => key.startsWith(pathKey(path).slice(0, -1))),
      };
      return { issues: first, valid };
    }
    for (const issue of issues) {
      const isKey = issue.kind === 'unknown-key' || (issue.kind === 'fault' && issue.at === 'key');
      invalid.add(pathKey(leaveOut(value, issue.path, isKey)));
    }
  }
  return { issues: first ?? [], valid: null };
}

/** Values in place of invalid ones: pages, viewports and states keep their places. */
const STAND_INS = new Map<unknown, unknown>(
  Object.entries({ pages: ['/'], url: 'http://invalid.', folder: '?', states: {} }),
);
const ITEM_STAND_INS = new Map<unknown, unknown>(
  Object.entries({ pages: '/', stories: '?', modes: {}, states: {}, viewports: { width: 1280, height: 720 } }),
);

/** Leaves out a key, or an invalid value; if that is missing, or the item of a list, what contains it. Returns the path of what was left out. */
function leaveOut(list: unknown, path: Path, isKey: boolean): Path {
  const [parent, key, field] = [valueAt(list, path.slice(0, -1)), path.at(-1), path.at(-2)];
  // What contains it is left out already.
  if (key === undefined || !isMapping(parent)) return path;
  const itemStandIn = path.length === 2 || field === 'states' ? ITEM_STAND_INS.get(field) : undefined;
  const standIn = isKey ? undefined : (STAND_INS.get(key) ?? itemStandIn);
  const isRemovable = typeof key === 'string' && Object.hasOwn(parent, key);
  if (standIn === undefined && !isRemovable) return leaveOut(list, path.slice(0, -1), false);
  replaceAt(list, path, standIn);
  return path;
}
