import { returnBytes } from '../image/buffer-pool.js';
import { unionOf } from '../image/canvas.js';
import { encodeIndexedPng } from '../image/png/encode.js';
import type { Counts, Explanation, Mask, Region } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import { type Realigned, realign, shiftsOf } from './align/align-images.js';
import type { ComparePixels, Found } from './align/judge-moved.js';
import { renderDiff } from './diff-image/diff-image.js';
import { fingerprintChanges } from './regions/fingerprint.js';
import { findRegions, regionOf, sortRegions } from './regions/regions.js';
import type { Side } from './side.js';

/**
 * Describes the changes between two images that differ: moved content, and changed, inserted and removed regions.
 * Renders the diff image.
 *
 * @param mask - the pixels that changed when both images are compared without alignment
 */
export async function explain(
  sides: { readonly before: Side; readonly after: Side },
  mask: Mask,
  counts: Counts,
  masked: readonly Rectangle[],
  compare: ComparePixels,
): Promise<{ readonly explanation: Explanation; readonly realigned: Realigned }> {
  const [before, after] = [await sides.before.pixels(), await sides.after.pixels()];
  const realigned = await realign({ before, after, mask, mismatchPixels: counts.mismatchPixels, masked }, compare);
  const found = sortRegions(regionsOf(realigned));
  const picture = renderDiff({ before, after, ...realigned, found, masked });
  const diff = encodeIndexedPng(picture);
  const shifts = shiftsOf(realigned);
  const fingerprint = fingerprintChanges({ before, after, ...realigned, found, shifts });
  const explanation = {
    regions: found.map(({ side, ...region }) => (side === 'before' ? { ...region, side } : region)),
    shifts,
    columnShifts: realigned.movedColumns.map(({ shift }) => shift).sort((a, b) => a.y - b.y || a.x - b.x),
    mismatchPixelsAfterAlignment: realigned.mismatchPixels,
    diff: await diff,
    diffSize: unionOf(before, after),
    fingerprint,
  };
  returnBytes(picture.data);
  return { explanation, realigned };
}

type FoundRegion = Omit<Region, 'side'> & Found;

function regionsOf({ mask, gaps, movedColumns }: Realigned): FoundRegion[] {
  return [
    ...onSide('after', findRegions(mask)),
    ...gaps.flatMap(({ side, areas }) => onSide(side, [regionOf(areas)])),
    ...movedColumns.flatMap(({ inserted }) => onSide('after', [regionOf(inserted)])),
    ...movedColumns.flatMap(({ removed }) => onSide('before', [regionOf(removed)])),
  ];
}

function onSide(side: Found['side'], regions: readonly (Region | null)[]): FoundRegion[] {
  return regions.filter((region) => region !== null).map((region) => ({ ...region, side }));
}
