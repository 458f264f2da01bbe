import type { Mask } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import { clipAreas, shiftAreas, spansOf, widenArea } from './areas.js';
import { type Finding, REACH } from './finding.js';
import { punchSide, type Side } from './side.js';

/** Compares an area of both sides after a change to what was cut out of each. */
export type CompareArea = (area: Rectangle, change: (side: Side) => Side) => Promise<Finding>;

/** Gives a mask without what was found within holes. @param holes - within the image */
export function eraseAreas(mask: Mask, holes: readonly Rectangle[]): Mask {
  const data = mask.data.slice();
  for (const hole of holes) for (const [from, to] of spansOf(hole, mask.width)) data.fill(0, from, to);
  return { ...mask, data };
}

/**
 * Judges anew what was found beside holes: what is behind a mask must not decide whether anti-aliasing explains the pixel
 * next to it. As a hole in both images it is, on white and on black, brighter than all and darker than all; what is a change
 * on either is one. Little is decoded or compared but what lies around such a hole.
 */
export async function judgeBeside(mask: Mask, holes: readonly Rectangle[], compare: CompareArea): Promise<Mask> {
  const data = mask.data.slice();
  for (const hole of holes) {
    const [beside] = clipAreas([widenArea(hole, REACH)], mask);
    // What is beside it must be judged by all that it would be judged by in the whole image.
    const [around] = clipAreas([widenArea(hole, 2 * REACH)], mask);
    if (!beside || !around || !hasMark({ ...mask, data }, beside)) continue;
    const found = await compare(around, (side) => punchSide(side, clipAreas(shiftAreas(holes, around), around)));
    if (found.mask) paste(data, mask.width, beside, found.mask, around);
  }
  return { ...mask, data };
}

function hasMark({ width, data }: Mask, area: Rectangle): boolean {
  for (const [from, to] of spansOf(area, width)) if (data.subarray(from, to).some((mark) => mark !== 0)) return true;
  return false;
}

/** Copies an area of a mask from that of a part of the image. */
function paste(data: Uint8Array, width: number, area: Rectangle, part: Mask, { x, y }: Rectangle): void {
  for (const [from, to] of spansOf(area, width)) {
    const start = (Math.floor(from / width) - y) * part.width + (from % width) - x;
    data.set(part.data.subarray(start, start + to - from), from);
  }
}
