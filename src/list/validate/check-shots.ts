import { foldName, safePathParts } from '../../baselines/index.js';
import type { Position, ShotFieldsInput, ShotName } from '../../model/index.js';
import { describeValue, invalidKey, type ListIssue, type Path, pathKey, renderPosition } from '../issue.js';

/** A mapping of a list with page fields: the defaults, a page, a state of either, or a mode. */
export interface FieldScope {
  readonly path: Path;
  readonly own: ShotFieldsInput;
}

interface Contradiction {
  /** The error is reported at the first of these fields that the first scope with one of them has. */
  readonly fields: readonly (keyof ShotFieldsInput)[];
  readonly isIn: (fields: ShotFieldsInput) => boolean;
  readonly found: string;
  readonly advice: string;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    fields: ['each'],
    isIn: ({ element, each = false }) => each !== false && element === undefined,
    found: '"each" has no effect without "element"',
    advice: 'Set "element" to the selector of the elements to capture, such as ".card".',
  },
  ...(['element', 'mask', 'ignore'] as const).map((field) => ({
    fields: [field, 'format'] as const,
    isIn: (fields: ShotFieldsInput) => [fields[field] ?? []].flat().length > 0 && fields.format === 'pdf',
    found: `"${field}" cannot be used with "format: pdf"`,
    advice: 'Remove it, or use an image format such as png. "hide" and "remove" also apply to a PDF.',
  })),
];

/**
 * Finds fields of a shot that contradict each other. Shots with the same problem at one place have the same message.
 *
 * @param scopes - where the fields come from. The first is the place of a problem, if it has the field
 */
export function checkContradictions(fields: ShotFieldsInput, scopes: readonly FieldScope[]): ListIssue[] {
  return CONTRADICTIONS.filter(({ isIn }) => isIn(fields)).flatMap(({ fields: names, found, advice }) => {
    const places = scopes.flatMap(({ path, own }) => {
      return names.filter((name) => own[name] !== undefined).map((name) => [...path, name]);
    });
    return places.slice(0, 1).map((place) => invalidKey(place, found, advice));
  });
}

/** The name of a shot, and where its page or story and its state are in the list. */
export interface PlacedName {
  readonly name: ShotName;
  readonly entry: { readonly path: Path; readonly story: string | null };
  /** Its state, if that is a state of the page; otherwise the page. */
  readonly path: Path;
  readonly at: ListIssue['at'];
  readonly position: Position;
}

/** Finds names of shots with the id or the files of another one. Returns one issue for each page or story. */
export function findDuplicates(names: readonly PlacedName[]): ListIssue[] {
  const registered = new Map<string, PlacedName>();
  const reported = new Set<string>();
  return names.flatMap((placed) => {
    const keys = [placed.name.id, safePathParts(placed.name).join('/')].map(foldName);
    const other = keys.map((key) => registered.get(key)).find((found) => found !== undefined);
    for (const key of keys) registered.set(key, registered.get(key) ?? placed);
    const page = pathKey([...placed.entry.path, placed.name.page]);
    // The viewports of one state clash if their names do, which is another problem.
    if (other === undefined || stateKeyOf(other) === stateKeyOf(placed) || reported.has(page)) return [];
    reported.add(page);
    return [duplicate(placed, other)];
  });
}

function stateKeyOf({ name, entry }: PlacedName): string {
  return pathKey([...entry.path, name.page, name.state ?? '']);
}

/** The message has no name of a page: a variable may be in it. */
function duplicate({ name, entry, path, at }: PlacedName, other: PlacedName): ListIssue {
  const subject = entry.story === null ? 'the shot' : `the story ${describeValue(name.page)}`;
  const found = `${subject} has the same id or the same file names as the one at ${renderPosition(other.position)}`;
  const advice =
    entry.story === null && other.entry.story === null
      ? 'Give one of them another name. File names ignore case and replace characters other than letters, digits and . _ = -.'
      : 'Leave the story out of one of them with "exclude", or rename it.';
  return { code: 'shot-duplicate', path, at, found, advice };
}
