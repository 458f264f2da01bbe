import { compareImages } from '../compare/compare.js';
import { engineVersion } from '../compare/engine.js';
import { unionOf } from '../image/canvas.js';
import type { Capture, Warning } from '../model/capture.js';
import type { CompareResponse } from '../model/compare-response.js';
import type { Comparison } from '../model/comparison.js';
import type { EncodedImage, Rectangle, Size } from '../model/image.js';
import type { CompareSettings, Shot } from '../model/plan.js';
import { NO_CREDENTIALS } from '../plan/resolve-credentials.js';
import { resolveSettings } from '../plan/resolve-shot.js';
import { comparedNames, fileLink, writeCompared } from '../record/compared.js';
import { renderLikeness } from '../report/likeness.js';
import { buildRecord } from './build-record.js';
import { readSources, type Sides } from './read-sources.js';
import type { ShotImage, ShotImages } from './stage-images.js';

/** Two images or pages to compare, and how. */
export interface CompareRequest {
  /** A path, or a URL that begins with http:// or https://. */
  readonly before: string;
  readonly after: string;
  readonly settings: CompareSettings;
  /** What does not count, in pixels of the images. */
  readonly ignore: readonly Rectangle[];
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
  const { settings, ignore, folder } = request;
  const sides = await readSources(request);
  const { before, after } = sides;
  const comparison = await compareImages(before.capture.image, after.capture.image, settings, ignore);
  const images = listImages(sides, await explain(comparison, sides, request), folder);
  await writeCompared(folder, { before: images.before, after: images.after, diff: images.diff });
  return { response: respond(request, sides, comparison, images), notice: sides.notice };
}

/** Within the limit there is a picture of the difference as well, where there is a difference. */
async function explain(comparison: Comparison, { before, after }: Sides, { settings, ignore }: CompareRequest) {
  if (comparison.kind !== 'within-limit' || comparison.counts.mismatchPixels === 0) return comparison;
  const strict = { ...settings, maxDiffPixels: 0, maxDiffPixelRatio: null };
  return compareImages(before.capture.image, after.capture.image, strict, ignore);
}

type NamedImage = ShotImage & { readonly name: string };

function listImages({ before, after }: Sides, comparison: Comparison, folder: string) {
  const names = comparedNames({ before: extensionOf(before.capture.image), after: extensionOf(after.capture.image) });
  const named = (name: string, bytes: Buffer, { size }: Pick<EncodedImage, 'size'>, source: string): NamedImage => {
    return { name, link: fileLink(folder, name), attachment: name, contentType: '', bytes, size, source };
  };
  const diff = comparison.kind === 'different' ? { bytes: comparison.diff, size: comparison.diffSize } : null;
  return {
    before: named(names.before, before.bytes, before.capture.image, before.capture.url),
    after: named(names.after, after.bytes, after.capture.image, after.capture.url),
    diff: diff && named(names.diff, diff.bytes, diff, 'comparison'),
  } satisfies ShotImages;
}

function extensionOf({ codec }: EncodedImage): string {
  return codec === 'jpeg' ? 'jpg' : codec;
}

/** The record of a comparison is that of a shot of which both sides are live. */
function respond(request: CompareRequest, sides: Sides, comparison: Comparison, images: ShotImages): CompareResponse {
  const { before, after } = sides;
  const passed = comparison.kind !== 'different';
  const outcome = {
    status: passed ? 'passed' : 'changed',
    capture: after.capture,
    before: { kind: 'live', capture: before.capture, comparison },
    write: false,
  } as const;
  const record = buildRecord(shotOf(request, after.capture, before.capture), outcome, images, {
    ...{ project: '', durationMs: 0, baseline: { path: '', sha256: null, environment: null } },
    environment: { headless: sides.headless, engine: engineVersion(request.settings.engine) },
  });
  const { summary, limits, regions, shifts, diff, warnings } = record;
  if (!record.before || !record.after || !summary || !limits) throw new Error('what was compared has two sides');
  return {
    ...{ status: 'success', error: false, fetchTime: new Date(after.capture.takenAt).toISOString() },
    message: renderLikeness(record),
    passed,
    ...{ before: record.before, after: record.after, diff, summary, limits, regions, shifts },
    warnings: [...warnings, ...outside(request.ignore, unionOf(record.before, record.after)).map(tellOutside)],
  };
}

function outside(areas: readonly Rectangle[], canvas: Size): Rectangle[] {
  return areas.filter(({ x, y }) => x >= canvas.width || y >= canvas.height);
}

function tellOutside({ x, y, width, height }: Rectangle): Warning {
  return { code: 'ignore-no-match', message: `ignore: ${x},${y},${width},${height} lies outside both images` };
}

function shotOf({ settings }: CompareRequest, after: Capture, before: Capture): Shot {
  const targetOf = ({ url }: Capture) => ({ url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS });
  return {
    ...{ id: 'compare', page: 'compare', viewport: null, state: null },
    ...resolveSettings({}),
    ...{ after: targetOf(after), before: targetOf(before), compare: settings },
    emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
  };
}
