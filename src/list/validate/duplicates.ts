import { foldName, safePathParts } from '../../baselines/index.js';
import { refersToEnv } from '../env.js';
import { describeValue, type ListIssue, pathKey, renderPosition, valueAt } from '../issue.js';
import type { PlacedShot } from '../resolve/resolve-plan.js';

/**
 * Finds shots with the id or the files of another shot. Returns one issue per page if the page itself has one, otherwise
 * one issue per state.
 */
export function findDuplicates(shots: readonly PlacedShot[], written: unknown): ListIssue[] {
  const registered = new Map<string, PlacedShot>();
  const reported = new Set<string>();
  return shots.flatMap((shot) => {
    const keys = [`id ${foldName(shot.shot.id)}`, `file ${foldName(safePathParts(shot.shot).join('/'))}`];
    const other = keys.map((key) => registered.get(key)).find((found) => found !== undefined);
    for (const key of keys) registered.set(key, registered.get(key) ?? shot);
    // The viewports of one state clash if their names do, which is another problem.
    if (other === undefined || stateKeyOf(other) === stateKeyOf(shot)) return [];
    if (reported.has(pathKey(shot.page)) || reported.has(stateKeyOf(shot))) return [];
    reported.add(shot.shot.state === null && !isOfStories(shot) ? pathKey(shot.page) : stateKeyOf(shot));
    return [duplicate(shot, other, written)];
  });
}

function stateKeyOf({ page, shot }: PlacedShot): string {
  return pathKey([...page, shot.page, shot.state ?? '']);
}

function duplicate(one: PlacedShot, other: PlacedShot, written: unknown): ListIssue {
  const kind = isOfStories(other) ? 'entry of "stories"' : 'page';
  const origin = `${isState(other) ? 'state' : kind} at ${renderPosition(other.shot.position)}`;
  const [here, there] = [labelOf(one, written), labelOf(other, written)];
  const isSame = one.shot.id === other.shot.id;
  const found = isSame
    ? `duplicate shot ${here}: the ${origin} has the same id`
    : `shot ${here} would have the same files as shot ${there} of the ${origin}`;
  return { code: 'shot-duplicate', path: one.path, at: isState(one) ? 'key' : 'value', found, advice: advise() };

  function advise(): string {
    if (isOfStories(one) || isOfStories(other))
      return 'Leave the story out of one of them with "exclude", or rename it.';
    const isOnePage = pathKey(one.page) === pathKey(other.page);
    if (isSame) return isOnePage ? 'Rename one of them.' : 'Give one of the pages another "name".';
    return `${isOnePage ? 'Rename one of them' : 'Give one of them another "name"'}. File names ignore case and replace characters other than letters, digits and . _ = -.`;
  }
}

/** Returns the name of a shot for a message. A name with variables is shown as written. */
function labelOf({ page: path, shot }: PlacedShot, written: unknown): string {
  const page = valueAt(written, path);
  const source = typeof page === 'string' ? page : (valueAt(page, ['name']) ?? valueAt(page, ['url']));
  const state = shot.state === null ? '' : `/${shot.state}`;
  return describeValue(refersToEnv(source) && shot.story === null ? `${source}${state}` : shot.id);
}

function isState({ page, path }: PlacedShot): boolean {
  return path.length > page.length;
}

function isOfStories({ shot }: PlacedShot): boolean {
  return shot.story !== null;
}
