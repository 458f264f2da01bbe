import type { ShotFieldsInput, ViewportInput } from '../../model/list/page-list.js';
import { invalid, type ListIssue, type Path, valueAt } from '../issue.js';
import { viewportsOf } from '../resolve/merge-fields.js';
import { foldName, safePart } from '../resolve/names.js';
import { adviseName, describeValue, nearest } from '../schema/allowed.js';
import { fieldScopesOf, type ReadableList } from '../schema/readable-list.js';

/** Finds unknown devices and viewports, viewports whose names clash in files, and pages with two sizes. */
export function checkViewports(list: ReadableList, devices: readonly string[], written: unknown): ListIssue[] {
  const { viewportNames: names } = list;
  const deviceIssues = Object.entries(list.viewports).flatMap((entry) => checkDevice(entry, devices, written));
  if (names === null) return deviceIssues;
  return [
    ...deviceIssues,
    ...names.flatMap((name, index) => checkNameClash(name, names.slice(0, index))),
    ...fieldScopesOf(list).flatMap(({ path, own, merged }) => {
      const used = path.length === 1 ? names : viewportsOf(merged, names);
      return checkScope(path, own, names, written, used);
    }),
  ];
}

function checkDevice(
  [name, viewport]: [string, ViewportInput],
  devices: readonly string[],
  written: unknown,
): ListIssue[] {
  if (!('device' in viewport) || devices.includes(viewport.device)) return [];
  const path = ['viewports', name, 'device'];
  const near = nearest(viewport.device, devices);
  const advice = near
    ? `Did you mean ${JSON.stringify(near)}?`
    : 'Devices are those of Playwright: import { devices }.';
  return [invalid(path, `${describeValue(valueAt(written, path))} is not a device that Playwright knows`, advice)];
}

/** Two viewports whose names are equal on some file systems would share all baselines. */
function checkNameClash(name: string, others: readonly string[]): ListIssue[] {
  const other = others.find((earlier) => foldName(safePart(earlier)) === foldName(safePart(name)));
  if (other === undefined) return [];
  const found = `viewport "${name}" and viewport "${other}" would have the same files`;
  return [{ ...invalid(['viewports', name], found, 'Name them further apart.'), code: 'shot-duplicate', at: 'key' }];
}

/** Checks `viewports`, `width` and `height` of a field scope. */
function checkScope(
  path: Path,
  fields: ShotFieldsInput,
  names: readonly string[],
  written: unknown,
  used: readonly string[],
): ListIssue[] {
  const wanted = fields.viewports ?? [];
  return [
    ...wanted.flatMap((name, index) => checkReference([...path, 'viewports', index], name, names, written)),
    ...wanted.flatMap((name, index) =>
      checkRepeated([...path, 'viewports', index], wanted.indexOf(name) < index, written),
    ),
    ...(used.length > 0 ? checkSize(path, fields, used) : []),
  ];
}

function checkReference(path: Path, name: string, names: readonly string[], written: unknown): ListIssue[] {
  if (names.includes(name)) return [];
  const found = `the list has no viewport ${describeValue(valueAt(written, path))}`;
  const advice = names.length > 0 ? adviseName(name, names) : 'Name it under "viewports", at the top of the list.';
  return [invalid(path, found, advice)];
}

function checkRepeated(path: Path, isRepeated: boolean, written: unknown): ListIssue[] {
  return isRepeated
    ? [invalid(path, `viewport ${describeValue(valueAt(written, path))} stands here twice`, 'Remove one.')]
    : [];
}

function checkSize(path: Path, fields: ShotFieldsInput, used: readonly string[]): ListIssue[] {
  return (['width', 'height'] as const)
    .filter((field) => fields[field] !== undefined)
    .map((field) => ({
      ...invalid(
        [...path, field],
        `"${field}" contradicts the viewports of the list (${used.join(', ')})`,
        'Remove it, or name this size under "viewports" and pick it with the viewports of the page.',
      ),
      at: 'key',
    }));
}
