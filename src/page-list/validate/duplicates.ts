import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { ShotName } from '../../model/shot.js';
import { type ListIssue, type Locate, type Path, renderPosition, valueAt } from '../issue.js';
import { layFields, mergeFields, viewportsOf } from '../resolve/merge-fields.js';
import { foldName, pageNameOf, safePathParts, shotNameOf } from '../resolve/names.js';
import { describeValue } from '../schema/allowed.js';
import { DEFAULTS } from '../schema/defaults.js';
import { type ReadableList, type ReadablePage, statePath, statesOf } from '../schema/readable-list.js';
import { refersToEnv } from '../yaml/env.js';

/** A shot's name, and the page (or the state of it) that it comes from. */
interface Claim {
  readonly index: number;
  readonly path: Path;
  readonly name: ShotName;
}

/**
 * Finds pages and states of which a shot has the id of another shot, or its files: one issue for each such page, and for
 * each such state of a page that has none itself.
 */
export function findDuplicates(list: ReadableList, written: unknown, locate: Locate): ListIssue[] {
  const claims = new Map<string, Claim>();
  return list.pages.flatMap((page) => {
    const [base = [], ...states] = claimsOf(list, page).map((own) => claimAll(claims, own));
    const clashes = base.length > 0 ? base : states.flatMap((found) => found.slice(0, 1));
    return clashes
      .slice(0, base.length > 0 ? 1 : undefined)
      .map(([own, other]) => duplicate(own, other, written, locate));
  });
}

/** Takes all names for their claims; gives those that are taken, with who has them. */
function claimAll(claims: Map<string, Claim>, own: readonly Claim[]): [Claim, Claim][] {
  const clashes = own.flatMap((claim): [Claim, Claim][] => {
    const other = otherClaim(claims, claim);
    return other ? [[claim, other]] : [];
  });
  for (const claim of own) for (const key of keysOf(claim)) claims.set(key, claims.get(key) ?? claim);
  return clashes;
}

/** Returns the claims of a page, then those of each of its states. */
function claimsOf(list: ReadableList, readable: ReadablePage): Claim[][] {
  const { index, page, isNameable } = readable;
  const { viewportNames } = list;
  if (!isNameable || viewportNames === null || !URL.canParse(page.url, 'http://localhost')) return [];
  const name = page.name ?? pageNameOf(page.url);
  const fields = mergeFields(list.defaults, page);
  const claim = (state: string | null, own: ShotFieldsInput, path: Path): Claim[] => {
    const viewports = viewportNames.length === 0 ? [null] : viewportsOf(own, viewportNames);
    return viewports.map((viewport) => ({ index, path, name: shotNameOf(name, viewport, state) }));
  };
  const { base = DEFAULTS.base } = { ...list.defaults, ...page };
  const states = (statesOf(list, readable) ?? []).filter((state) => state.isNameable);
  return [
    base ? claim(null, fields, ['pages', index]) : [],
    ...states.map((state) => claim(state.name, layFields(fields, state.fields), statePath(readable, state.name))),
  ];
}

function otherClaim(claims: ReadonlyMap<string, Claim>, claim: Claim): Claim | undefined {
  return keysOf(claim)
    .map((key) => claims.get(key))
    .find((other) => other !== undefined);
}

function keysOf({ name }: Claim): string[] {
  return [`id ${foldName(name.id)}`, `file ${foldName(safePathParts(name).join('/'))}`];
}

function duplicate(own: Claim, other: Claim, written: unknown, locate: Locate): ListIssue {
  const place = `${isState(other) ? 'state' : 'page'} at ${renderPosition(locate(other.path, atOf(other)))}`;
  const [here, there] = [labelOf(own, written), labelOf(other, written)];
  const isSame = own.name.id === other.name.id;
  const found = isSame
    ? `the shot ${here} is also made by the ${place}`
    : `the shot ${here} would have the same files as the shot ${there} of the ${place}`;
  return { code: 'shot-duplicate', path: own.path, at: atOf(own), found, advice: adviseName(own, other, isSame) };
}

function adviseName(own: Claim, other: Claim, isSame: boolean): string {
  const isOnePage = own.index === other.index;
  if (isSame) return isOnePage ? 'Rename one of the two.' : 'Give one of the two pages another "name".';
  return `${isOnePage ? 'Rename one of them' : 'Give one of them another "name"'}; in a file name only letters, digits and . _ = - count, and not their case.`;
}

/** A name with variables in it is shown as it was written. */
function labelOf({ index, name }: Claim, written: unknown): string {
  const page = valueAt(written, ['pages', index]);
  const source = typeof page === 'string' ? page : (valueAt(page, ['name']) ?? valueAt(page, ['url']));
  const state = name.state === null ? '' : `/${name.state}`;
  return describeValue(refersToEnv(source) ? `${source}${state}` : name.id);
}

function isState({ path }: Claim): boolean {
  return path.length > 2;
}

function atOf(claim: Claim): ListIssue['at'] {
  return isState(claim) ? 'key' : 'value';
}
