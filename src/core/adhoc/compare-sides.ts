import { comparedNames, fileLink, writeCompared } from '../../baselines/compared-files.js';
import { compareImages } from '../../compare/compare.js';
import { renderUnchanged } from '../../compare/diff-image/diff-image.js';
import { engineVersion } from '../../compare/engines/engine.js';
import { unionOf } from '../../image/canvas.js';
import type { Capture, Warning } from '../../model/capture.js';
import type { Comparison } from '../../model/comparison.js';
import type { EncodedImage, Rectangle, Size } from '../../model/image.js';
import { resolveAntialiasing } from '../../model/list/fields.js';
import type { CompareResponse } from '../../model/service/responses.js';
import type { CompareSettings, ResolvedCompareSettings, Shot } from '../../model/shot.js';
import { NO_CREDENTIALS } from '../../page-list/resolve/resolve-credentials.js';
import { resolveSettings } from '../../page-list/resolve/resolve-shot.js';
import { formatComparison } from '../../report/format/reason.js';
import { buildRecord } from '../shot/build-record.js';
import type { ShotImage, ShotImages } from '../shot/stage-images.js';
import { isPage, readSources, type Sides } from './read-sources.js';

/** How two sides are compared. */
export interface ComparisonRules {
  readonly settings: ResolvedCompareSettings;
  /** What does not count, in pixels of the images. */
  readonly ignore: readonly Rectangle[];
  /** There is a diff image also where not one pixel differs. */
  readonly alwaysDiff: boolean;
  /** The most pixels that both images may have together; none: what can be compared at all. */
  readonly maxPixels?: number;
}

/** An image of a comparison, before it has a place. */
export interface ComparedImage extends Size {
  readonly bytes: Buffer;
  /** Without a dot. */
  readonly extension: string;
}

/** The images of a comparison; where not one pixel differs, a diff only if it is asked for. */
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
 * Compares two images or pages that were read.
 *
 * @param place puts the images where they belong, and gives their links.
 * @throws ProofsheetError: what keeps the two from being compared.
 */
export async function compareSides(
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

/** Within the limit there is a picture of the difference as well, where there is a difference. */
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
  const linked = ({ bytes, width, height }: ComparedImage, link: string, source: string): ShotImage => {
    return { link, attachment: '', contentType: '', bytes, size: { width, height }, source };
  };
  return {
    before: linked(images.before, links.before, before.capture.url),
    after: linked(images.after, links.after, after.capture.url),
    diff: images.diff && links.diff !== null ? linked(images.diff, links.diff, 'comparison') : null,
  };
}

/** The record of a comparison is that of a shot of which both sides are live. */
function respond(rules: ComparisonRules, sides: Sides, comparison: Comparison, images: ShotImages): CompareResponse {
  const { before, after } = sides;
  const passed = comparison.kind !== 'different';
  const outcome = {
    status: passed ? 'passed' : 'changed',
    capture: after.capture,
    before: { kind: 'live', capture: before.capture, comparison, compared: 1 },
    write: false,
  } as const;
  const record = buildRecord(shotOf(rules, after.capture, before.capture), outcome, images, {
    ...{ project: '', durationMs: 0, baseline: { path: '', sha256: null, environment: null } },
    environment: { headless: sides.headless, engine: engineVersion(rules.settings.engine) },
  });
  const { summary, limits, regions, shifts, columnShifts, diff, warnings } = record;
  if (!record.before || !record.after || !summary || !limits) throw new Error('what was compared has two sides');
  return {
    ...{ status: 'success', error: false, fetchTime: new Date(after.capture.takenAt).toISOString() },
    message: formatComparison(record),
    passed,
    ...{ before: record.before, after: record.after, diff, summary, limits, regions, shifts, columnShifts },
    warnings: [...warnings, ...outside(rules.ignore, unionOf(record.before, record.after)).map(tellOutside)],
  };
}

function outside(areas: readonly Rectangle[], canvas: Size): Rectangle[] {
  return areas.filter(({ x, y }) => x >= canvas.width || y >= canvas.height);
}

function tellOutside({ x, y, width, height }: Rectangle): Warning {
  return { code: 'ignore-no-match', message: `ignore: ${x},${y},${width},${height} lies outside both images` };
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

/** Two images or pages to compare, and how. */
export interface CompareRequest extends Omit<ComparisonRules, 'alwaysDiff' | 'settings'> {
  readonly settings: CompareSettings;
  /** A path, or a URL that begins with http:// or https://. */
  readonly before: string;
  readonly after: string;
  /** Where the images are written. */
  readonly folder: string;
}

/** What a comparison answers, and what else its user should know. */
export interface ComparedSources {
  readonly response: CompareResponse;
  readonly notice: string | null;
}

/**
 * Compares two image files or pages, and writes before, after and diff into a folder.
 *
 * @throws ProofsheetError, or an AggregateError of several: what keeps the two from being compared, or written.
 */
export async function compareSources(request: CompareRequest): Promise<ComparedSources> {
  const sides = await readSources(request);
  // One browser captured two pages. The environment of a file is not known.
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
