import { DEFAULTS } from '../../model/list/defaults.js';
import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { ShotName } from '../../model/shot.js';
import { describeValue, type ListIssue, type Locate, type Path, pathKey, renderPosition, valueAt } from '../issue.js';
import { foldName, safePathParts, shotNameOf } from '../resolve/names.js';
import { mergeFields, mergeShotFields, viewportsOf } from '../resolve/resolve-plan.js';
import { type ReadableList, type ReadablePage, statePath, statesOf } from '../schema/readable-list.js';
import { refersToEnv } from '../yaml/env.js';

/** The name of a shot, with the page or state that it comes from. */
interface NamedShot {
  /** The path of its page. */
  readonly page: Path;
  readonly path: Path;
  readonly name: ShotName;
}

/**
 * Finds shots with the id or the files of another shot. Returns one issue per page if the page itself has one, otherwise
 * one issue per state.
 */
export function findDuplicates(list: ReadableList, written: unknown, locate: Locate): ListIssue[] {
  const registered = new Map<string, NamedShot>();
  return list.pages.flatMap((page) => {
    const [base = [], ...states] = namedShotsOf(list, page).map((shots) => registerAll(registered, shots));
    const clashes = base.length > 0 ? base : states.flatMap((found) => found.slice(0, 1));
    return clashes
      .slice(0, base.length > 0 ? 1 : undefined)
      .map(([shot, other]) => duplicate(shot, other, written, locate));
  });
}

/** Registers the names of shots. Returns the shots whose names are already registered, each with the earlier shot. */
function registerAll(registered: Map<string, NamedShot>, shots: readonly NamedShot[]): [NamedShot, NamedShot][] {
  const clashes = shots.flatMap((shot): [NamedShot, NamedShot][] => {
    const other = registeredShot(registered, shot);
    return other ? [[shot, other]] : [];
  });
  for (const shot of shots) for (const key of keysOf(shot)) registered.set(key, registered.get(key) ?? shot);
  return clashes;
}

/** Returns the named shots of a page, then those of each of its states. */
function namedShotsOf(list: ReadableList, readable: ReadablePage): NamedShot[][] {
  const { path: pagePath, page, names } = readable;
  const { viewportNames } = list;
  if (viewportNames === null) return [];
  const fields = mergeFields(list.defaults, page);
  const shotsOf = (state: string | null, shotFields: ShotFieldsInput, path: Path): NamedShot[] => {
    const viewports = viewportNames.length === 0 ? [null] : viewportsOf(shotFields, viewportNames);
    return names.flatMap((name) =>
      viewports.map((viewport) => ({ page: pagePath, path, name: shotNameOf(name, viewport, state) })),
    );
  };
  const { base = DEFAULTS.base } = { ...list.defaults, ...page };
  const states = (statesOf(list, readable) ?? []).filter((state) => state.isNameable);
  return [
    base ? shotsOf(null, fields, pagePath) : [],
    ...states.map((state) =>
      shotsOf(state.name, mergeShotFields(fields, state.fields), statePath(readable, state.name)),
    ),
  ];
}

function registeredShot(registered: ReadonlyMap<string, NamedShot>, shot: NamedShot): NamedShot | undefined {
  return keysOf(shot)
    .map((key) => registered.get(key))
    .find((other) => other !== undefined);
}

function keysOf({ name }: NamedShot): string[] {
  return [`id ${foldName(name.id)}`, `file ${foldName(safePathParts(name).join('/'))}`];
}

function duplicate(shot: NamedShot, other: NamedShot, written: unknown, locate: Locate): ListIssue {
  const kind = isOfStories(other) ? 'entry of "stories"' : 'page';
  const origin = `${isState(other) ? 'state' : kind} at ${renderPosition(locate(other.path, atOf(other)))}`;
  const [here, there] = [labelOf(shot, written), labelOf(other, written)];
  const isSame = shot.name.id === other.name.id;
  const found = isSame
    ? `duplicate shot ${here}: the ${origin} has the same id`
    : `shot ${here} would have the same files as shot ${there} of the ${origin}`;
  return { code: 'shot-duplicate', path: shot.path, at: atOf(shot), found, advice: adviseName(shot, other, isSame) };
}

function adviseName(shot: NamedShot, other: NamedShot, isSame: boolean): string {
  if (isOfStories(shot) || isOfStories(other))
    return 'Leave the story out of one of them with "exclude", or rename it.';
  const isOnePage = pathKey(shot.page) === pathKey(other.page);
  if (isSame) return isOnePage ? 'Rename one of them.' : 'Give one of the pages another "name".';
  return `${isOnePage ? 'Rename one of them' : 'Give one of them another "name"'}. File names ignore case and replace characters other than letters, digits and . _ = -.`;
}

/** Returns the name of a shot for a message. A name with variables is shown as written. */
function labelOf(shot: NamedShot, written: unknown): string {
  const { name } = shot;
  if (isOfStories(shot)) return describeValue(name.id);
  const page = valueAt(written, shot.page);
  const source = typeof page === 'string' ? page : (valueAt(page, ['name']) ?? valueAt(page, ['url']));
  const state = name.state === null ? '' : `/${name.state}`;
  return describeValue(refersToEnv(source) ? `${source}${state}` : name.id);
}

function isState({ page, path }: NamedShot): boolean {
  return path.length > page.length;
}

function isOfStories({ page: [list] }: NamedShot): boolean {
  return list === 'stories';
}

function atOf(shot: NamedShot): ListIssue['at'] {
  return isState(shot) ? 'key' : 'value';
}
