import { createRequire } from 'node:module';
import { cropPixels, flattenPixels, isOpaque, overlapOf } from '../../image/index.js';
import type { EngineName, Mask, Pixels, Rectangle } from '../../model/index.js';
import { clipAreas, shiftAreas, spansOf, widenArea } from '../areas.js';
import { compareByOdiff } from './odiff.js';
import { countMask, type Engine, joinPixelDiffs, type PixelDiff, type PixelRule, REACH } from './pixel-diff.js';
import { compareByPixelmatch } from './pixelmatch.js';
import { verifyAntiAliasing } from './verify-anti-aliasing.js';

const ENGINES: Readonly<Record<EngineName, { readonly compare: Engine; readonly package: string }>> = {
  odiff: { compare: compareByOdiff, package: 'odiff-bin' },
  pixelmatch: { compare: compareByPixelmatch, package: 'pixelmatch' },
};

/** Returns the name and installed version of an engine, as the environment of a baseline records it: `pixelmatch 7.2.0`. */
export function engineVersion(name: EngineName): string {
  const { version }: { version: string } = createRequire(import.meta.url)(`${ENGINES[name].package}/package.json`);
  return `${name} ${version}`;
}

/**
 * Compares the area that both images cover. Pixels in an ignored area do not count.
 *
 * If any pixel is transparent, both images are compared on white and on black: on white alone, white on transparent would be invisible
 * (https://github.com/mapbox/pixelmatch/issues/26). A pixel that differs on either background has changed.
 */
export async function compareOverlap(
  before: Pixels,
  after: Pixels,
  rule: PixelRule & { readonly engine: EngineName },
  ignoredAreas: readonly Rectangle[],
): Promise<PixelDiff> {
  const engine = ENGINES[rule.engine].compare;
  const overlap = { x: 0, y: 0, ...overlapOf(before, after) };
  const [one, other] = [cropPixels(before, overlap), cropPixels(after, overlap)];
  const areas = clipAreas(ignoredAreas, overlap);
  const areOpaque = isOpaque(one) && isOpaque(other);
  const pixelDiff = await (areOpaque ? engine : onWhiteAndBlack(engine))(one, other, rule);
  if (!pixelDiff.mask) return pixelDiff;
  const counted = areas.length === 0 ? pixelDiff : countMask(await removeIgnored(pixelDiff.mask));
  const { mask } = counted;
  if (!mask || counted.antialiasedPixels === 0) return counted;
  const verify = async (left: Pixels, right: Pixels, verified: Mask) =>
    verifyAntiAliasing({ ...counted, mask: verified }, left, right, areas);
  if (areOpaque) return verify(one, other, mask);
  const verifyCopy: Engine = (left, right) => verify(left, right, { ...mask, data: mask.data.slice() });
  return onWhiteAndBlack(verifyCopy)(one, other, rule);

  async function removeIgnored(found: Mask): Promise<Mask> {
    const erased = { ...found, data: found.data.slice() };
    for (const area of areas) for (const [from, to] of spansOf(area, found.width)) erased.data.fill(0, from, to);
    // Only anti-aliasing detection reads neighbors, which may lie in an ignored area.
    if (rule.antialiasing === 'count') return erased;
    return compareNextToIgnored(erased, areas, (around) => {
      const inside = clipAreas(shiftAreas(areas, around), around);
      const cut = (pixels: Pixels) => clearAreas(cropPixels(pixels, around), inside);
      return onWhiteAndBlack(engine)(cut(one), cut(other), rule);
    });
  }
}

function onWhiteAndBlack(engine: Engine): Engine {
  return async (before, after, rule) => {
    const onWhite = await engine(flattenPixels(before, 255), flattenPixels(after, 255), rule);
    const onBlack = await engine(flattenPixels(before, 0), flattenPixels(after, 0), rule);
    return joinPixelDiffs(onWhite, onBlack);
  };
}

function clearAreas({ width, height, data }: Pixels, areas: readonly Rectangle[]): Pixels {
  const cleared = data.slice();
  for (const area of areas) for (const [from, to] of spansOf(area, width)) cleared.fill(0, from * 4, to * 4);
  return { width, height, data: cleared };
}

/**
 * Compares the pixels next to ignored areas again, with these transparent on white and on black: brighter, then darker than every neighbor.
 * So what is masked does not decide whether anti-aliasing explains the pixels next to it.
 */
async function compareNextToIgnored(
  mask: Mask,
  ignoredAreas: readonly Rectangle[],
  compareAround: (area: Rectangle) => Promise<PixelDiff>,
): Promise<Mask> {
  const data = mask.data.slice();
  for (const ignoredArea of ignoredAreas) {
    const [adjacent] = clipAreas([widenArea(ignoredArea, REACH)], mask);
    // The result for adjacent pixels must depend on the same neighbors as in the whole image.
    const [around] = clipAreas([widenArea(ignoredArea, 2 * REACH)], mask);
    if (!adjacent || !around) continue;
    const spans = [...spansOf(adjacent, mask.width)];
    if (!spans.some(([from, to]) => data.subarray(from, to).some((mark) => mark !== 0))) continue;
    const found = await compareAround(around);
    if (!found.mask) continue;
    for (const [from, to] of spans) {
      const start = (Math.floor(from / mask.width) - around.y) * found.mask.width + (from % mask.width) - around.x;
      data.set(found.mask.data.subarray(start, start + to - from), from);
    }
  }
  return { ...mask, data };
}
