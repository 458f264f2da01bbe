import { compareImages, renderUnchanged } from '../../compare/index.js';
import { explain } from '../../explain/index.js';
import { unionOf } from '../../image/index.js';
import {
  type CapturedStructure,
  type EncodedImage,
  type Rectangle,
  type ResolvedCompareSettings,
  type Size,
  type Warning,
  withoutCredentials,
} from '../../model/index.js';
import { formatComparison } from '../../report/index.js';
import { changeFieldsOf, summaryOf, warningsOf } from '../../shot/index.js';
import type { CompareResponse } from '../protocol/responses.js';

/** One side of a comparison: an image, and what is known of its page. */
export interface Side {
  readonly image: EncodedImage;
  /** The bytes of the image file to write. */
  readonly bytes: Buffer;
  /** URL of the page or the image, or path of the file. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  readonly warnings: readonly Warning[];
  /** Null: not a page, or its structure was not read. */
  readonly structure: CapturedStructure | null;
}

/** Both sides of a comparison. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
}

/** The settings of a comparison. */
export interface ComparisonRules {
  readonly settings: ResolvedCompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
  /** Whether to create a diff image even if no pixel differs. */
  readonly alwaysDiff: boolean;
  /** Maximum number of pixels of both images together. @default the limit of the comparison itself */
  readonly maxPixels?: number;
}

/**
 * Compares two images or captured pages.
 *
 * @param save writes an image, and returns its absolute URI. `extension` has no dot.
 * @throws ProofsheetError if the two cannot be compared.
 */
export async function compareSides(
  { before, after }: Sides,
  { settings, ignore, alwaysDiff, maxPixels }: ComparisonRules,
  save: (role: 'before' | 'after' | 'diff', bytes: Buffer, extension: string) => Promise<string>,
): Promise<CompareResponse> {
  const compare = (by: ResolvedCompareSettings) => compareImages(before.image, after.image, by, ignore, maxPixels);
  const comparison = await compare(settings);
  const { counts } = comparison;
  // A difference within the limit has no diff image. Another comparison without a limit has one.
  const isHidden = comparison.kind === 'within-limit' && counts.mismatchPixels > 0;
  const drawn = isHidden ? await compare({ ...settings, maxDiffPixels: 0, maxDiffPixelRatio: null }) : comparison;
  let diff: (Size & { readonly bytes: Buffer }) | null = null;
  if (drawn.kind === 'different') diff = { bytes: drawn.diff, ...drawn.diffSize };
  else if (alwaysDiff) diff = await renderUnchanged(after.image, maxPixels);
  const links = {
    before: await save('before', before.bytes, extensionOf(before)),
    after: await save('after', after.bytes, extensionOf(after)),
    diff: diff && (await save('diff', diff.bytes, 'png')),
  };
  const { regionPlaces: _, events, ...change } = changeFieldsOf(comparison);
  const passed = comparison.kind !== 'different';
  const causes =
    comparison.kind === 'different' && before.structure && after.structure
      ? explain(before.structure.structure, after.structure.structure).causes(after.structure.answers, comparison)
      : null;
  const { threshold, maxDiffPixels, maxDiffPixelRatio } = settings;
  const described = {
    before: { link: links.before, ...before.image.size, source: withoutCredentials(before.source) },
    after: { link: links.after, ...after.image.size, source: withoutCredentials(after.source) },
    diff: diff && { link: links.diff, width: diff.width, height: diff.height },
    summary: summaryOf(comparison),
    limits: { threshold, maxDiffPixels, maxDiffPixelRatio },
    ...change,
    ...(causes && { causes }),
    warnings: [...warningsOf(after, before, comparison), ...warnAboutOutside(ignore, before, after)],
  };
  return {
    status: 'success',
    error: false,
    fetchTime: new Date(after.takenAt).toISOString(),
    message: formatComparison({ ...described, events }, passed),
    passed,
    ...described,
  };
}

function extensionOf({ image: { codec } }: Side): string {
  return codec === 'jpeg' ? 'jpg' : codec;
}

function warnAboutOutside(ignore: readonly Rectangle[], before: Side, after: Side): Warning[] {
  const canvas = unionOf(before.image.size, after.image.size);
  const outside = ignore.filter(({ x, y }) => x >= canvas.width || y >= canvas.height);
  return outside.map(({ x, y, width, height }) => ({
    code: 'ignore-no-match',
    message: `ignore: the rectangle ${x},${y},${width},${height} is outside both images`,
  }));
}
