import type { ShotRecord } from '../model/record.js';
import { groupBy } from './collect-group.js';
import type { Claim } from './collect-shot.js';

/**
 * Gives the shots of some claims, in their order, with the names of their groups: shots that changed in the same way are
 * one, `1` the largest, of as many the one whose first shot comes first. What changed alone is in no group.
 */
export function nameGroups(claims: readonly Pick<Claim, 'shot' | 'fingerprint'>[]): ShotRecord[] {
  const changed = claims.flatMap(({ shot, fingerprint }) => {
    return shot.status === 'changed' && fingerprint !== null ? [fingerprint] : [];
  });
  const sizes = [...groupBy(changed, (fingerprint) => fingerprint)].filter(([, { length }]) => length > 1);
  const largestFirst = sizes.toSorted(([, a], [, b]) => b.length - a.length);
  const names = new Map(largestFirst.map(([fingerprint], index) => [fingerprint, String(index + 1)]));
  return claims.map(({ shot, fingerprint }) => {
    const isOne = shot.status === 'changed' && fingerprint !== null;
    return { ...shot, group: isOne ? (names.get(fingerprint) ?? null) : null };
  });
}
