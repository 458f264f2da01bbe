import type { Page } from '@playwright/test';
import { BASELINE_WARNINGS, type BrokenResource, listFew, type Warning } from '../model/index.js';
import { callInFrames } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import type { Network } from './network.js';

const REPORTED_RESOURCES: Readonly<Record<BrokenResource['kind'], string>> = {
  image: 'images',
  font: 'fonts',
  stylesheet: 'style sheets',
  script: 'scripts',
  frame: 'frames',
  media: 'videos or sounds',
  drawing: 'SVG files',
};

/**
 * Lists what a page did not load, by URL: the failed requests, and the images that the browser could not decode. Requests of data
 * (`fetch`, XHR) do not count: a page may expect that they fail.
 */
export async function readBrokenResources(page: Page, network: Network): Promise<BrokenResource[]> {
  const images = (await callInFrames(page, listEmptyImages)).flat();
  const failed = network.failures().flatMap(({ type, url, reason }): BrokenResource[] => {
    const kind = kindOf(type, url);
    return kind === null ? [] : [{ kind, url, reason }];
  });
  const undecoded = images.flatMap(({ url, status }): BrokenResource[] => {
    const reason = status >= 400 ? String(status) : 'the browser cannot decode it';
    return network.isExcluded(url) ? [] : [{ kind: 'image', url, reason }];
  });
  // A failed request knows more than the page.
  const byUrl = new Map([...undecoded, ...failed].map((resource) => [resource.url, resource]));
  return [...byUrl.values()].toSorted((a, b) => (a.url < b.url ? -1 : 1));
}

export function warnOfBroken(resources: readonly BrokenResource[]): Warning[] {
  return Object.entries(REPORTED_RESOURCES).flatMap(([kind, label]) => {
    const names = resources.filter((one) => one.kind === kind).map(({ url, reason }) => `${url} (${reason})`);
    return names.length === 0 ? [] : [{ code: `broken-${kind}`, message: `${label} did not load: ${listFew(names)}` }];
  });
}

/** Returns a warning about the requests of data that failed, except those of frames. */
export function warnOfData(network: Network): Warning[] {
  const failed = network.failures().filter(({ type, isInFrame }) => DATA.includes(type) && !isInFrame);
  const names = [...new Set(failed.map(({ url, reason }) => `${url} (${reason})`))];
  const late = network.cutOff();
  return [
    ...(names.length > 0 ? [`data did not load: ${listFew(names)}`] : []),
    ...(late.length > 0 ? [`data were still arriving, and are not waited for any longer: ${listFew(late)}`] : []),
  ].map((message) => ({ code: BASELINE_WARNINGS.data, message }));
}

const DATA: readonly string[] = ['fetch', 'xhr', 'eventsource'];

function kindOf(type: string, url: string): BrokenResource['kind'] | null {
  if (type === 'document') return 'frame';
  // Chromium has no type for the files of `<use>` and of CSS filters. Others of this type, such as prefetches, are not shown.
  if (type === 'other') return /\.svg([?#]|$)/i.test(url) ? 'drawing' : null;
  return (['image', 'font', 'stylesheet', 'script', 'media'] as const).find((kind) => kind === type) ?? null;
}

/** Runs in the page. `status` 0: the browser does not know the status, or there was no response. */
function listEmptyImages({ findAll }: Tools): { readonly url: string; readonly status: number }[] {
  return findAll<HTMLImageElement>('img')
    .filter((image) => image.complete && image.naturalWidth === 0 && (image.currentSrc || image.src))
    .map((image) => {
      const url = image.currentSrc || image.src;
      const entry = performance.getEntriesByName(url).at(-1);
      return { url, status: entry instanceof PerformanceResourceTiming ? entry.responseStatus : 0 };
    });
}
