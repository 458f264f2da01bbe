import { unionOf } from '../image/canvas.js';
import { encodeIndexedPng } from '../image/encode-indexed-png.js';
import { returnBytes } from '../image/lent-bytes.js';
import type { Counts, Explanation, Mask, Region } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import { areasBeyond, cutAreas } from './areas.js';
import { renderDiff } from './diff-image.js';
import { fingerprintChanges } from './fingerprint.js';
import type { ComparePixels } from './judge-moved.js';
import { type Found, unmovedSegments } from './layout.js';
import { type Realigned, realign, shiftsOf } from './realign.js';
import { findRegions, regionOf, sortRegions } from './regions.js';
import type { Side } from './side.js';

/**
 * Says what happened between two images that differ: what moved, where something changed, was inserted or removed, and shows it.
 *
 * @param mask - what changed where each pixel is held against the one at its place
 */
export async function explain(
  sides: { readonly before: Side; readonly after: Side },
  mask: Mask,
  counts: Counts,
  masked: readonly Rectangle[],
  compare: ComparePixels,
): Promise<{ readonly explanation: Explanation; readonly realigned: Realigned | null }> {
  const [before, after] = [await sides.before.pixels(), await sides.after.pixels()];
  const realigned = await realign(before, after, mask, counts.mismatchPixels, masked, compare);
  const found = sortRegions(realigned ? movedRegions(realigned) : unmovedRegions(before, after, mask, masked));
  const { segments, columns } = realigned ?? {
    segments: unmovedSegments(before, after),
    columns: [0, mask.width] as const,
  };
  const shown = { before, after, segments, mask: realigned?.mask ?? mask, found };
  const picture = renderDiff({ ...shown, columns, masked });
  const diff = encodeIndexedPng(picture);
  const shifts = realigned ? shiftsOf(realigned) : [];
  const fingerprint = fingerprintChanges({ ...shown, shifts });
  const explanation = {
    regions: found.map(({ side, ...region }) => (side === 'before' ? { ...region, side } : region)),
    shifts,
    mismatchPixelsAfterAlignment: realigned?.mismatchPixels ?? counts.mismatchPixels,
    diff: await diff,
    diffSize: unionOf(before, after),
    fingerprint,
  };
  returnBytes(picture.data);
  return { explanation, realigned };
}

type FoundRegion = Omit<Region, 'side'> & Found;

function movedRegions({ mask, gaps }: Realigned): FoundRegion[] {
  return [...onSide('after', findRegions(mask)), ...gaps.flatMap(({ side, areas }) => onSide(side, [regionOf(areas)]))];
}

function unmovedRegions(before: Pixels, after: Pixels, mask: Mask, masked: readonly Rectangle[]): FoundRegion[] {
  const alone = (areas: readonly Rectangle[]) => areas.map((area) => regionOf(cutAreas([area], masked)));
  return [
    ...onSide('after', [...findRegions(mask), ...alone(areasBeyond(before, after))]),
    ...onSide('before', alone(areasBeyond(after, before))),
  ];
}

function onSide(side: Found['side'], regions: readonly (Region | null)[]): FoundRegion[] {
  return regions.filter((region) => region !== null).map((region) => ({ ...region, side }));
}
