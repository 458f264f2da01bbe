import { resolveAntialiasing } from '../model/antialiasing.js';
import type { CompareResponse } from '../model/compare-response.js';
import type { CompareSettings } from '../model/plan.js';
import { comparedNames, fileLink, writeCompared } from '../record/compared.js';
import { type ComparedImages, type ComparedLinks, type ComparisonRules, compareSides } from './compare-sides.js';
import { isPage, readSources } from './read-sources.js';

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
