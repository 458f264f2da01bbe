import { createHash } from 'node:crypto';
import type { Cause } from '../../model/cause.js';

/**
 * Returns a hash of the causes of a change. Two shots have the same hash if the same declarations, elements and texts changed in the same
 * way, wherever they are and whatever moved because of them.
 *
 * @returns null unless every cause is certain: pixels that nothing explains may differ from shot to shot.
 */
export function fingerprintCauses(causes: readonly Cause[] | undefined): string | null {
  if (!causes || causes.length === 0 || causes.some(({ certain }) => !certain)) return null;
  const changes = causes.map(({ kind, element, property, before, after, source }) => {
    // A declaration in a style sheet is the same one on each page. A document of its own has other lines.
    const declaration = source?.file ? source : element;
    return JSON.stringify([kind, property, before, after, declaration]);
  });
  return createHash('sha256')
    .update(JSON.stringify([...new Set(changes)].sort()))
    .digest('hex');
}
