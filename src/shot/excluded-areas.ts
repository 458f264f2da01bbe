import { clipAreas, cutAreas } from '../compare/index.js';
import { areaOf, unionOf } from '../image/index.js';
import {
  type Capture,
  type CompareSettings,
  type Comparison,
  type EncodedImage,
  type Exclusion,
  type Rectangle,
  renderPercentage,
  renderPixels,
  type Size,
  type Warning,
} from '../model/index.js';
import { COMPARISON_WARNINGS } from '../report/index.js';

interface ExcludingImage extends Pick<Capture, 'masks' | 'ignored'> {
  readonly image: Pick<EncodedImage, 'size'>;
}

export function clampExclusions(exclusions: readonly Exclusion[], size: Size): Exclusion[] {
  return exclusions.map(({ selector, rectangles }) => ({ selector, rectangles: clipAreas(rectangles, size) }));
}

/** Returns the areas that either image excludes, each clipped to its own image, and the share of the pixels that are compared, 0..1. */
export function excludeBoth(one: ExcludingImage, other: ExcludingImage): { areas: Rectangle[]; compared: number } {
  const areas = distinct([...areasOf(one), ...areasOf(other)]);
  return { areas, compared: comparedShare(areas, unionOf(one.image.size, other.image.size)) };
}

/** A rectangle of the baseline applies only while its selector is still in `mask` or `ignore`, whose selectors a capture has all. */
export function excludeWithBaseline(baseline: ExcludingImage, capture: ExcludingImage) {
  return excludeBoth(withNamed(baseline, capture), capture);
}

/** Returns the share of a capture's own pixels that are compared, 0..1. */
export function ownShare(capture: ExcludingImage): number {
  return comparedShare(areasOf(capture), capture.image.size);
}

export function comparedShare(areas: readonly Rectangle[], canvas: Size): number {
  const total = areaOf(canvas);
  return total === 0 ? 1 : (total - coveredPixels(areas, canvas)) / total;
}

/** Below this share of compared pixels, 0..1, a shot has a warning. */
const SMALL_SHARE = 0.5;

/** Lists warnings about settings that hide most changes or all of them. */
export function warnAboutShare(
  compared: number,
  comparison: Comparison | null,
  { threshold }: Pick<CompareSettings, 'threshold'>,
): Warning[] {
  const message = `only ${renderPercentage(100 * compared)} of the pixels are compared`;
  return [
    ...(compared < SMALL_SHARE ? [{ code: COMPARISON_WARNINGS.fewCompared, message }] : []),
    ...(comparison ? warnAboutLimit(compared, comparison, threshold) : []),
  ];
}

function warnAboutLimit(compared: number, { counts, limitPixels }: Comparison, threshold: number): Warning[] {
  const code = COMPARISON_WARNINGS.limitTooLarge;
  const pixels = Math.round(compared * counts.totalPixels);
  // The largest distance between two colors is 1, and only a distance above the threshold counts.
  if (threshold >= 1) return [{ code, message: '`threshold: 1` accepts every color, so no change can fail' }];
  if (limitPixels === 0 || limitPixels < pixels) return [];
  const message = `the limit is ${renderPixels(limitPixels)}, but only ${renderPixels(pixels)} are compared, so no change can fail`;
  return [{ code, message }];
}

/** Warns about baseline rectangles that no longer apply. @param areas - what is not compared */
export function warnAboutDropped(
  baseline: ExcludingImage,
  capture: ExcludingImage,
  areas: readonly Rectangle[],
): Warning[] {
  const isNamed = namedBy(capture);
  const dropped = [...baseline.masks, ...baseline.ignored].filter(
    (one) => !isNamed(one) && cutAreas(clipAreas(one.rectangles, baseline.image.size), areas).length > 0,
  );
  if (dropped.length === 0) return [];
  const named = [...new Set(dropped.flatMap(({ selector }) => selector ?? []))];
  const what =
    named.length > 0
      ? `of ${named.join(', ')}, which \`mask\` and \`ignore\` no longer contain`
      : 'without a selector, as older versions wrote them';
  const message = `the baseline has masked or ignored areas ${what}: these areas are now compared`;
  return [{ code: COMPARISON_WARNINGS.masksDropped, message }];
}

/** Growth of the covered area from which there is a warning: by this share of the image, 0..1, and by this factor. */
const GROWTH = { share: 0.05, factor: 2 };

/** Warns about areas that grew. Compares only entries that the baseline also has: a new entry is a change of the list, not of the page. */
export function warnAboutGrowth(baseline: ExcludingImage, capture: ExcludingImage): Warning[] {
  const [old, now] = [withNamed(baseline, capture), withNamed(capture, baseline)];
  const [before, after] = [1 - ownShare(old), 1 - ownShare(now)];
  if (after - before < GROWTH.share || after < GROWTH.factor * before) return [];
  const message = `\`mask\` and \`ignore\` cover ${renderPercentage(100 * after)} of the screenshot, but only ${renderPercentage(100 * before)} of the baseline`;
  return [{ code: COMPARISON_WARNINGS.masksGrown, message }];
}

function withNamed(one: ExcludingImage, other: ExcludingImage): ExcludingImage {
  const isNamed = namedBy(other);
  return { image: one.image, masks: one.masks.filter(isNamed), ignored: one.ignored.filter(isNamed) };
}

function namedBy({ masks, ignored }: ExcludingImage): (exclusion: Exclusion) => boolean {
  const selectors = new Set([...masks, ...ignored].map(({ selector }) => selector));
  return ({ selector }) => selector !== null && selectors.has(selector);
}

function areasOf({ image, masks, ignored }: ExcludingImage): Rectangle[] {
  const rectangles = [...masks, ...ignored].flatMap((exclusion) => exclusion.rectangles);
  return distinct(clipAreas(rectangles, image.size));
}

function distinct(areas: readonly Rectangle[]): Rectangle[] {
  return [...new Map(areas.map((area) => [`${area.x},${area.y},${area.width},${area.height}`, area])).values()];
}

/** Adds up horizontal strips between neighboring edges: all rows of a strip are covered by the same rectangles. */
function coveredPixels(areas: readonly Rectangle[], canvas: Size): number {
  const byLeft = clipAreas(areas, canvas).sort((one, other) => one.x - other.x);
  const edges = [...new Set(byLeft.flatMap(({ y, height }) => [y, y + height]))].sort((one, other) => one - other);
  return edges.reduce((sum, top, index) => {
    const bottom = edges[index + 1] ?? top;
    const across = byLeft.filter(({ y, height }) => y <= top && y + height >= bottom);
    return sum + (bottom - top) * coveredColumns(across);
  }, 0);
}

/** @param areas sorted by their left edges */
function coveredColumns(areas: readonly Rectangle[]): number {
  let [covered, end] = [0, 0];
  for (const { x, width } of areas) {
    covered += Math.max(0, x + width - Math.max(x, end));
    end = Math.max(end, x + width);
  }
  return covered;
}
