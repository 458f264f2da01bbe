import { foldName, safePathParts } from '../../baselines/index.js';
import { describeValue, type ListIssue, pathKey, renderPosition } from '../issue.js';
import type { PlacedShot } from '../resolve/resolve-plan.js';

/** Finds shots with the id or the files of another shot. Returns one issue for each page or story. */
export function findDuplicates(shots: readonly PlacedShot[]): ListIssue[] {
  const registered = new Map<string, PlacedShot>();
  const reported = new Set<string>();
  return shots.flatMap((shot) => {
    const keys = [shot.shot.id, safePathParts(shot.shot).join('/')].map(foldName);
    const other = keys.map((key) => registered.get(key)).find((found) => found !== undefined);
    for (const key of keys) registered.set(key, registered.get(key) ?? shot);
    const name = pathKey([...shot.page, shot.shot.page]);
    // The viewports of one state clash if their names do, which is another problem.
    if (other === undefined || stateKeyOf(other) === stateKeyOf(shot) || reported.has(name)) return [];
    reported.add(name);
    return [duplicate(shot, other)];
  });
}

function stateKeyOf({ page, shot }: PlacedShot): string {
  return pathKey([...page, shot.page, shot.state ?? '']);
}

/** The message has no name of a page: a variable may be in it. */
function duplicate({ page, path, shot }: PlacedShot, other: PlacedShot): ListIssue {
  const name = shot.story === null ? 'the shot' : `the story ${describeValue(shot.page)}`;
  const found = `${name} has the same id or the same file names as the one at ${renderPosition(other.shot.position)}`;
  const advice =
    shot.story === null && other.shot.story === null
      ? 'Give one of them another name. File names ignore case and replace characters other than letters, digits and . _ = -.'
      : 'Leave the story out of one of them with "exclude", or rename it.';
  return { code: 'shot-duplicate', path, at: path.length > page.length ? 'key' : 'value', found, advice };
}
