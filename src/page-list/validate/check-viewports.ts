import type { ShotFieldsInput, ViewportInput } from '../../model/list/page-list.js';
import { adviseName, describeValue, invalid, type ListIssue, nearest, type Path, valueAt } from '../issue.js';
import { foldName, safePart } from '../resolve/names.js';
import { viewportsOf } from '../resolve/resolve-plan.js';
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
      const used = path.length === 1 && path[0] === 'defaults' ? names : viewportsOf(merged, names);
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
  const advice = near ? `Did you mean ${JSON.stringify(near)}?` : 'Use a device name of Playwright, such as iPhone 15.';
  return [invalid(path, `unknown device ${describeValue(valueAt(written, path))}`, advice)];
}

/** Two viewports whose names are equal on some file systems would share all baselines. */
function checkNameClash(name: string, others: readonly string[]): ListIssue[] {
  const other = others.find((earlier) => foldName(safePart(earlier)) === foldName(safePart(name)));
  if (other === undefined) return [];
  const found = `viewports "${name}" and "${other}" would have the same file names`;
  return [
    {
      ...invalid(
        ['viewports', name],
        found,
        'Rename one of them. File names ignore case and replace special characters.',
      ),
      code: 'shot-duplicate',
      at: 'key',
    },
  ];
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
  const found = `unknown viewport ${describeValue(valueAt(written, path))}`;
  const advice =
    names.length > 0 ? adviseName(name, names) : 'Define it under "viewports" at the top level of the list.';
  return [invalid(path, found, advice)];
}

function checkRepeated(path: Path, isRepeated: boolean, written: unknown): ListIssue[] {
  return isRepeated
    ? [invalid(path, `duplicate viewport ${describeValue(valueAt(written, path))}`, 'Remove one of the two.')]
    : [];
}

function checkSize(path: Path, fields: ShotFieldsInput, used: readonly string[]): ListIssue[] {
  return (['width', 'height'] as const)
    .filter((field) => fields[field] !== undefined)
    .map((field) => ({
      ...invalid(
        [...path, field],
        `"${field}" cannot be used together with named viewports (${used.join(', ')})`,
        'Remove it, or define the size under the "viewports" of the list and select it with "viewports" in the page.',
      ),
      at: 'key',
    }));
}
