import { clipAreas, cutAreas } from '../../compare/regions/areas.js';
import { areaOf, unionOf } from '../../image/canvas.js';
import type { Capture, Warning } from '../../model/capture.js';
import type { Comparison } from '../../model/comparison.js';
import type { Exclusion } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage, Rectangle, Size } from '../../model/image.js';
import type { CompareSettings } from '../../model/shot.js';
import { renderPercentage, renderPixels } from '../../model/words.js';
import { COMPARISON_WARNINGS } from '../../report/format/environment.js';
import type { Outcome, Policy } from './decide.js';

/** An image, and what its `mask` and `ignore` leave out of a comparison. */
export interface ExcludingImage extends Pick<Capture, 'masks' | 'ignored'> {
  readonly image: Pick<EncodedImage, 'size'>;
}

/** Which pixels of two images do not count. */
export interface Excluded {
  readonly areas: readonly Rectangle[];
  /** Share of the pixels that are compared, 0..1. */
  readonly compared: number;
}

/** Returns the same exclusions without what lies outside the image. */
export function clampExclusions(exclusions: readonly Exclusion[], size: Size): Exclusion[] {
  return exclusions.map(({ selector, rectangles }) => ({ selector, rectangles: clipAreas(rectangles, size) }));
}

/** Returns what neither image compares: the rectangles of both, within their images. */
export function excludeBoth(one: ExcludingImage, other: ExcludingImage): Excluded {
  const areas = distinct([...areasOf(one), ...areasOf(other)]);
  return { areas, compared: comparedShare(areas, unionOf(one.image.size, other.image.size)) };
}

/**
 * Returns what does not count in a comparison with a baseline. A rectangle of the baseline counts only while the list still has
 * the selector that made it, in `mask` or in `ignore`: a capture names all that the list has.
 */
export function excludeWithBaseline(baseline: ExcludingImage, capture: ExcludingImage): Excluded {
  return excludeBoth(keepListed(baseline, capture), capture);
}

/** Returns the share of a capture's own pixels that are compared, 0..1. */
export function ownShare(capture: ExcludingImage): number {
  return comparedShare(areasOf(capture), capture.image.size);
}

/** Returns the share of the pixels of a canvas that no rectangle covers, 0..1. */
export function comparedShare(areas: readonly Rectangle[], canvas: Size): number {
  const total = areaOf(canvas);
  return total === 0 ? 1 : (total - coveredPixels(areas, canvas)) / total;
}

/** Below this share, a shot has a warning: most of its image is not compared. */
const SMALL_SHARE = 0.5;

/** Warns of what makes a comparison with a baseline different from that of the baseline's own run. */
export function warnOfBaseline(baseline: ExcludingImage, capture: ExcludingImage, comparison: Comparison): Warning[] {
  return [...warnOfDropped(baseline, capture, comparison), ...warnOfGrowth(baseline, capture)];
}

/** Warns where a change can hardly, or not at all, be found. */
export function warnOfShare(
  compared: number,
  comparison: Comparison | null,
  { threshold }: Pick<CompareSettings, 'threshold'>,
): Warning[] {
  return [
    ...(compared < SMALL_SHARE
      ? [
          {
            code: COMPARISON_WARNINGS.fewCompared,
            message: `only ${renderPercentage(100 * compared)} of the pixels are compared`,
          },
        ]
      : []),
    ...(comparison ? warnOfLimit(compared, comparison, threshold) : []),
  ];
}

function warnOfLimit(compared: number, { counts, limitPixels }: Comparison, threshold: number): Warning[] {
  const code = COMPARISON_WARNINGS.limitTooLarge;
  const pixels = Math.round(compared * counts.totalPixels);
  // The largest distance between two colors is 1, and a pixel counts above the threshold.
  if (threshold >= 1) return [{ code, message: '`threshold: 1` accepts every color: no change can fail' }];
  if (limitPixels === 0 || limitPixels < pixels) return [];
  const message = `the limit of ${renderPixels(limitPixels)} is not below the ${renderPixels(pixels)} that are compared: no change can fail`;
  return [{ code, message }];
}

/** An image that equals its baseline to the byte needs no rectangles. */
function warnOfDropped(baseline: ExcludingImage, capture: ExcludingImage, comparison: Comparison): Warning[] {
  if (comparison.kind === 'equal') return [];
  const { areas } = excludeWithBaseline(baseline, capture);
  const isListed = listedIn(capture);
  const dropped = [...baseline.masks, ...baseline.ignored].filter(
    (one) => !isListed(one) && cutAreas(clipAreas(one.rectangles, baseline.image.size), areas).length > 0,
  );
  if (dropped.length === 0) return [];
  const named = [...new Set(dropped.flatMap(({ selector }) => selector ?? []))];
  const what =
    named.length > 0
      ? `masks or ignores ${named.join(', ')}, which the list no longer has`
      : 'has masked or ignored rectangles without a selector, as older versions wrote them';
  return [{ code: COMPARISON_WARNINGS.masksDropped, message: `the baseline ${what}: these rectangles are compared` }];
}

/** By how much more of the image, and how many times as much, entries have to cover for a warning. */
const GROWTH = { share: 0.05, factor: 2 };

/** Only entries that the baseline has too: a new entry is a change of the list, not of the page. */
function warnOfGrowth(baseline: ExcludingImage, capture: ExcludingImage): Warning[] {
  const [old, now] = [keepListed(baseline, capture), keepListed(capture, baseline)];
  const [before, after] = [1 - ownShare(old), 1 - ownShare(now)];
  if (after - before < GROWTH.share || after < GROWTH.factor * before) return [];
  const message = `\`mask\` and \`ignore\` cover ${renderPercentage(100 * after)} of the image, ${renderPercentage(100 * before)} in the baseline`;
  return [{ code: COMPARISON_WARNINGS.masksGrown, message }];
}

function keepListed(one: ExcludingImage, other: ExcludingImage): ExcludingImage {
  const isListed = listedIn(other);
  return { image: one.image, masks: one.masks.filter(isListed), ignored: one.ignored.filter(isListed) };
}

function listedIn({ masks, ignored }: ExcludingImage): (exclusion: Exclusion) => boolean {
  const selectors = new Set([...masks, ...ignored].map(({ selector }) => selector));
  return ({ selector }) => selector !== null && selectors.has(selector);
}

function areasOf({ image, masks, ignored }: ExcludingImage): Rectangle[] {
  return distinct(
    clipAreas(
      [...masks, ...ignored].flatMap(({ rectangles }) => rectangles),
      image.size,
    ),
  );
}

function distinct(areas: readonly Rectangle[]): Rectangle[] {
  return [...new Map(areas.map((area) => [`${area.x},${area.y},${area.width},${area.height}`, area])).values()];
}

/** Sums the union of rectangles strip by strip: between two neighboring edges, the same rectangles cover each row. */
function coveredPixels(areas: readonly Rectangle[], canvas: Size): number {
  const byLeft = clipAreas(areas, canvas).sort((one, other) => one.x - other.x);
  const edges = [...new Set(byLeft.flatMap(({ y, height }) => [y, y + height]))].sort((one, other) => one - other);
  return edges.reduce((sum, top, index) => {
    const bottom = edges[index + 1] ?? top;
    const across = byLeft.filter(({ y, height }) => y <= top && y + height >= bottom);
    return sum + (bottom - top) * coveredColumns(across);
  }, 0);
}

/** @param areas by their left edges */
function coveredColumns(areas: readonly Rectangle[]): number {
  let [covered, end] = [0, 0];
  for (const { x, width } of areas) {
    covered += Math.max(0, x + width - Math.max(x, end));
    end = Math.max(end, x + width);
  }
  return covered;
}

/** What a shot demands of its comparison. */
export interface Coverage {
  readonly url: string;
  /** The least share of pixels that has to be compared, 0..1. */
  readonly minCompared: number;
}

/**
 * Refuses to judge an image of which too little is compared. Where only the baseline's rectangles are too large, a run that
 * updates baselines writes a new one.
 */
export function refuseMasked(outcome: Outcome, { url, minCompared }: Coverage, { mode }: Policy): Outcome {
  if (outcome.status !== 'new' && outcome.status !== 'passed' && outcome.status !== 'changed') return outcome;
  const { capture } = outcome;
  const own = ownShare(capture);
  const compared = 'before' in outcome ? outcome.before.compared : own;
  if (compared >= minCompared) return outcome;
  if ('before' in outcome && outcome.before.kind === 'baseline' && own >= minCompared) {
    if (mode === 'all' || mode === 'changed') return { ...outcome, write: true };
    return refuse(capture, url, `${told(compared, minCompared)}, by the rectangles of its baseline`, REWRITE);
  }
  return refuse(capture, url, told(compared, minCompared), NARROW);

  function refuse(of: typeof capture, where: string, found: string, advice: string): Outcome {
    return { status: 'error', error: new ProofsheetError({ code: 'page-masked', where, found, advice }), capture: of };
  }
}

const NARROW = 'Narrow `mask` and `ignore`, or set `minCompared`.';
const REWRITE = 'Look at the page, and make the baseline again: npx playwright test --update-snapshots';

function told(compared: number, minCompared: number): string {
  return `\`mask\` and \`ignore\` leave ${renderPercentage(100 * compared)} of the pixels to compare, at least ${renderPercentage(100 * minCompared)} are needed`;
}
