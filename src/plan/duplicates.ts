import type { Position } from '../model/errors.js';
import type { ShotName } from '../model/plan.js';
import { describeValue } from './describe.js';
import { refersToEnv } from './env.js';
import { type Finding, invalid, type Path, renderPosition, valueAt } from './finding.js';
import { mergeFields, viewportsOf } from './merge-fields.js';
import { foldName, pageNameOf, safePathParts, shotNameOf } from './names.js';
import type { ReadableList, ReadablePage } from './readable-list.js';

/** A shot's name, and the page that it comes from. */
interface Claim {
  readonly index: number;
  readonly name: ShotName;
}

/** Finds pages of which a shot has the id of another page's shot, or its files: one finding for each such page. */
export function findDuplicates(list: ReadableList, written: unknown, locate: (path: Path) => Position): Finding[] {
  const claims = new Map<string, Claim>();
  return list.pages.flatMap((page) => {
    const own = claimsOf(list, page);
    const clash = own.map((claim) => ({ claim, other: otherClaim(claims, claim) })).find(({ other }) => other);
    for (const claim of own) for (const key of keysOf(claim)) claims.set(key, claims.get(key) ?? claim);
    return clash?.other ? [duplicate(clash.claim, clash.other, written, locate)] : [];
  });
}

function claimsOf({ viewportNames, defaults }: ReadableList, { index, page, isNameable }: ReadablePage): Claim[] {
  if (!isNameable || viewportNames === null || !URL.canParse(page.url, 'http://localhost')) return [];
  const viewports = viewportNames.length === 0 ? [null] : viewportsOf(mergeFields(defaults, page), viewportNames);
  const name = page.name ?? pageNameOf(page.url);
  return viewports.map((viewport) => ({ index, name: shotNameOf(name, viewport, null) }));
}

function otherClaim(claims: ReadonlyMap<string, Claim>, claim: Claim): Claim | undefined {
  return keysOf(claim)
    .map((key) => claims.get(key))
    .find((other) => other !== undefined);
}

function keysOf({ name }: Claim): string[] {
  return [`id ${foldName(name.id)}`, `file ${foldName(safePathParts(name).join('/'))}`];
}

function duplicate(own: Claim, other: Claim, written: unknown, locate: (path: Path) => Position): Finding {
  const path = ['pages', own.index];
  const place = renderPosition(locate(['pages', other.index]));
  const [here, there] = [labelOf(own, written), labelOf(other, written)];
  const found =
    own.name.id === other.name.id
      ? `the shot ${here} is also made by the page at ${place}`
      : `the shot ${here} would have the same files as the shot ${there} of the page at ${place}`;
  const advice =
    own.name.id === other.name.id
      ? 'Give one of the two pages another "name".'
      : 'Give one of them another "name"; in a file name only letters, digits and . _ = - count, and not their case.';
  return { ...invalid(path, found, advice), code: 'shot-duplicate' };
}

/** A name with variables in it is shown as it was written. */
function labelOf({ index, name }: Claim, written: unknown): string {
  const page = valueAt(written, ['pages', index]);
  const source = typeof page === 'string' ? page : (valueAt(page, ['name']) ?? valueAt(page, ['url']));
  return describeValue(refersToEnv(source) ? source : name.id);
}
