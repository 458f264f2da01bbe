import { comparedNames, fileLink, writeCompared } from '../../baselines/index.js';
import { compareImages, engineVersion, renderUnchanged } from '../../compare/index.js';
import { explain } from '../../explain/index.js';
import { unionOf } from '../../image/index.js';
import { NO_CREDENTIALS, resolveSettings } from '../../list/index.js';
import {
  type Capture,
  type CompareSettings,
  type Comparison,
  type EncodedImage,
  type Rectangle,
  type ResolvedCompareSettings,
  resolveAntialiasing,
  type Shot,
  type Size,
  type Warning,
} from '../../model/index.js';
import { formatComparison } from '../../report/index.js';
import { buildRecord, type ShotImage, type ShotImages } from '../../shot/index.js';
import type { CompareResponse } from '../protocol/responses.js';
import { isPage, readSources, type Side, type Sides } from './read-sources.js';

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

/** An image of a comparison, before it is written. */
export interface ComparedImage extends Size {
  readonly bytes: Buffer;
  /** Without a dot. */
  readonly extension: string;
}

/** The images of a comparison. If no pixel differs, `diff` is null unless `alwaysDiff` is set. */
export interface ComparedImages {
  readonly before: ComparedImage;
  readonly after: ComparedImage;
  readonly diff: ComparedImage | null;
}

/** The absolute URIs of the images of a comparison. */
export interface ComparedLinks {
  readonly before: string;
  readonly after: string;
  readonly diff: string | null;
}

/**
 * Compares two images or captured pages.
 *
 * @param place writes the images and returns their links.
 * @throws ProofsheetError if the two cannot be compared.
 */
async function compareSides(
  sides: Sides,
  rules: ComparisonRules,
  place: (images: ComparedImages) => Promise<ComparedLinks>,
): Promise<CompareResponse> {
  const { before, after } = sides;
  const comparison = await compareImages(
    before.capture.image,
    after.capture.image,
    rules.settings,
    rules.ignore,
    rules.maxPixels,
  );
  const images = await listImages(sides, await explain(comparison, sides, rules), rules);
  return respond(rules, sides, comparison, linkImages(sides, images, await place(images)));
}

/** Compares again without a limit if the difference is within the limit, to get a diff image of it. */
async function explain(
  comparison: Comparison,
  { before, after }: Sides,
  { settings, ignore, maxPixels }: ComparisonRules,
) {
  if (comparison.kind !== 'within-limit' || comparison.counts.mismatchPixels === 0) return comparison;
  const strict = { ...settings, maxDiffPixels: 0, maxDiffPixelRatio: null };
  return compareImages(before.capture.image, after.capture.image, strict, ignore, maxPixels);
}

async function listImages(
  { before, after }: Sides,
  comparison: Comparison,
  { alwaysDiff, maxPixels }: ComparisonRules,
): Promise<ComparedImages> {
  const unchanged = async () => ({ ...(await renderUnchanged(after.capture.image, maxPixels)), extension: 'png' });
  const changed = comparison.kind === 'different' && {
    bytes: comparison.diff,
    ...comparison.diffSize,
    extension: 'png',
  };
  return {
    before: { bytes: before.bytes, ...before.capture.image.size, extension: extensionOf(before.capture.image) },
    after: { bytes: after.bytes, ...after.capture.image.size, extension: extensionOf(after.capture.image) },
    diff: changed || (alwaysDiff ? await unchanged() : null),
  };
}

function extensionOf({ codec }: Pick<EncodedImage, 'codec'>): string {
  return codec === 'jpeg' ? 'jpg' : codec;
}

function linkImages({ before, after }: Sides, images: ComparedImages, links: ComparedLinks): ShotImages {
  const toShotImage = ({ bytes, width, height }: ComparedImage, link: string, source: string): ShotImage => {
    return { link, attachment: '', contentType: '', bytes, size: { width, height }, source };
  };
  return {
    before: toShotImage(images.before, links.before, before.capture.url),
    after: toShotImage(images.after, links.after, after.capture.url),
    diff: images.diff && links.diff !== null ? toShotImage(images.diff, links.diff, 'comparison') : null,
  };
}

/** Builds the response from the record of a two-state shot. */
function respond(rules: ComparisonRules, sides: Sides, comparison: Comparison, images: ShotImages): CompareResponse {
  const { before, after } = sides;
  const passed = comparison.kind !== 'different';
  const outcome = {
    status: passed ? 'passed' : 'changed',
    capture: after.capture,
    before: {
      kind: 'live',
      capture: before.capture,
      comparison,
      compared: 1,
      explanation: explainSides(before, after),
    },
    write: false,
  } as const;
  const record = buildRecord(shotOf(rules, after.capture, before.capture), outcome, images, {
    ...{ project: '', durationMs: 0, timings: null, baseline: { path: '', sha256: null } },
    engine: engineVersion(rules.settings.engine),
    written: false,
    earlier: [],
    notReusable: null,
  });
  const { summary, limits, regions, shifts, columnShifts, causes, diff, warnings } = record;
  if (!record.before || !record.after || !summary || !limits) throw new Error('a comparison must have two images');
  return {
    ...{ status: 'success', error: false, fetchTime: new Date(after.capture.takenAt).toISOString() },
    message: formatComparison(record),
    passed,
    ...{ before: record.before, after: record.after, diff, summary, limits, regions, shifts, columnShifts },
    ...(causes && { causes }),
    warnings: [...warnings, ...areasOutside(rules.ignore, unionOf(record.before, record.after)).map(warnOutside)],
  };
}

function explainSides(before: Side, after: Side) {
  const [one, other] = [before.capture.structure, after.capture.structure];
  return one && other ? explain(one.structure, other.structure) : null;
}

function areasOutside(areas: readonly Rectangle[], canvas: Size): Rectangle[] {
  return areas.filter(({ x, y }) => x >= canvas.width || y >= canvas.height);
}

function warnOutside({ x, y, width, height }: Rectangle): Warning {
  return {
    code: 'ignore-no-match',
    message: `ignore: the rectangle ${x},${y},${width},${height} is outside both images`,
  };
}

function shotOf({ settings }: ComparisonRules, after: Capture, before: Capture): Shot {
  const targetOf = ({ url }: Capture) => ({ url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS });
  return {
    ...{ id: 'compare', page: 'compare', viewport: null, state: null },
    ...resolveSettings({}),
    ...{ after: targetOf(after), before: targetOf(before), compare: settings },
    emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
  };
}

/**
 * Compares two sides with the default settings and one threshold, as the v3 API does. It has no `antialiasing` field: pixels that
 * differ only by anti-aliasing are always ignored. The response contains a diff image and no browser details.
 *
 * @param place writes the images and returns their links.
 * @throws ProofsheetError if the two cannot be compared.
 */
export function compareByThreshold(
  sides: Pick<Sides, 'before' | 'after'>,
  { threshold, maxPixels }: { readonly threshold: number; readonly maxPixels: number },
  place: (images: ComparedImages) => Promise<ComparedLinks>,
): Promise<CompareResponse> {
  const settings = { ...resolveSettings({ threshold }).compare, antialiasing: 'ignore' } as const;
  const rules = { settings, ignore: [], alwaysDiff: true, maxPixels };
  return compareSides({ ...sides, notice: null }, rules, place);
}

/** Two images or pages to compare, with the settings. */
export interface CompareRequest extends Omit<ComparisonRules, 'alwaysDiff' | 'settings'> {
  readonly settings: CompareSettings;
  /** A path, or a URL that starts with http:// or https://. */
  readonly before: string;
  readonly after: string;
  /** The folder for the images. */
  readonly folder: string;
}

/** The result of {@link compareSources}. */
export interface ComparedSources {
  readonly response: CompareResponse;
  readonly notice: string | null;
}

/**
 * Compares two image files or pages, and writes before, after and diff into a folder.
 *
 * @throws ProofsheetError, or an AggregateError of several, if the two cannot be compared or the images cannot be written.
 */
export async function compareSources(request: CompareRequest): Promise<ComparedSources> {
  const sides = await readSources(request);
  // The same browser captures both pages. The environment of a file is unknown.
  const isOneEnvironment = isPage(request.before) && isPage(request.after);
  const antialiasing = resolveAntialiasing(request.settings.antialiasing, isOneEnvironment);
  const settings = { ...request.settings, antialiasing };
  const rules = { settings, ignore: request.ignore, alwaysDiff: false };
  const response = await compareSides(sides, rules, (images) => writeImages(images, request.folder));
  return { response, notice: sides.notice };
}

async function writeImages({ before, after, diff }: ComparedImages, folder: string): Promise<ComparedLinks> {
  const names = comparedNames({ before: before.extension, after: after.extension });
  await writeCompared(folder, {
    before: { name: names.before, bytes: before.bytes },
    after: { name: names.after, bytes: after.bytes },
    diff: diff && { name: names.diff, bytes: diff.bytes },
  });
  return {
    before: fileLink(folder, names.before),
    after: fileLink(folder, names.after),
    diff: diff && fileLink(folder, names.diff),
  };
}
