import { compareImages, renderUnchanged } from '../../compare/index.js';
import { explain } from '../../explain/index.js';
import { describeDefect, extractText, inspectFile, unionOf } from '../../image/index.js';
import {
  type Capture,
  type CapturedStructure,
  type EncodedImage,
  failure,
  messageOf,
  type Rectangle,
  type ResolvedCompareSettings,
  type Size,
  type Warning,
  withoutCredentials,
} from '../../model/index.js';
import { renderComparison } from '../../report/index.js';
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

/** Creates a side from the bytes of an image file, whose name does not matter. @throws ProofsheetError `image-damaged`, `image-too-large` */
export async function sideOfBytes(bytes: Buffer, source: string): Promise<Side> {
  const inspection = await inspectFile(bytes);
  if (inspection.kind !== 'image') {
    const { found, advice = IMAGE_ADVICE } = describeDefect(inspection, 'the file', 'PNG, JPEG, WebP or PDF');
    const code = inspection.kind === 'too-large' ? 'image-too-large' : 'image-damaged';
    throw failure(code, source, found, advice);
  }
  // Without an embedded baseline record.
  const image = { ...inspection.image, bytes: extractText(bytes, inspection.image.codec).bare };
  return { image, bytes, source, takenAt: Date.now(), warnings: [], structure: null };
}

export const IMAGE_ADVICE = 'Pass the path of an image file, or an http:// or https:// URL.';

/** Creates a side from a captured page. */
export function sideOfCapture({ image, url, takenAt, warnings, structure }: Capture): Side {
  return { image, bytes: image.bytes, source: url, takenAt, warnings, structure };
}

/** Waits for all promises, and returns their values. @throws AggregateError of all rejections */
export async function allOf<T extends readonly unknown[] | []>(work: T) {
  const results = await Promise.allSettled<unknown>(work);
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join('\n'));
  return Promise.all(work);
}

interface ComparisonRules {
  readonly settings: ResolvedCompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
  /** Whether to create a diff image even if no pixel differs. */
  readonly alwaysDiff: boolean;
  /** Maximum number of pixels of both images together. @default the limit of the comparison itself */
  readonly maxPixels?: number;
}

/** Compares two images or captured pages. `save` writes an image, and returns its absolute URI. @throws ProofsheetError if it cannot */
export async function compareSides(
  { before, after }: Readonly<Record<'before' | 'after', Side>>,
  { settings, ignore, alwaysDiff, maxPixels }: ComparisonRules,
  save: (role: 'before' | 'after' | 'diff', bytes: Buffer, extension: string) => Promise<string>,
): Promise<CompareResponse> {
  const compare = (by: ResolvedCompareSettings) => compareImages(before.image, after.image, by, ignore, maxPixels);
  const comparison = await compare(settings);
  // A difference within the limit has no diff image. Another comparison without a limit has one.
  const isHidden = comparison.kind === 'within-limit' && comparison.counts.mismatchPixels > 0;
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
    message: renderComparison({ ...described, events }, passed),
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
