import type { PageInput, ViewportInput } from '../../model/page-list.js';
import {
  convertFields,
  delayRule,
  type ImportedList,
  type ImportedPage,
  itemsOf,
  mappingOf,
  type Rule,
  told,
  viewportOf,
} from './imported.js';

/** Makes a page list of a Lost Pixel config: https://docs.lost-pixel.com */
export function importLostPixel(config: Record<string, unknown>): ImportedList {
  const { pageShots, ...global } = config;
  const { pages, baseUrl, breakpoints, ...rest } = mappingOf(pageShots);
  const { breakpoints: globalBreakpoints, ...others } = global;
  const widths = widthsOf(breakpoints).length > 0 ? widthsOf(breakpoints) : widthsOf(globalBreakpoints);
  const list = itemsOf(pages).map(mappingOf);
  const all = [...widths, ...list.flatMap((page) => widthsOf(page.breakpoints))];
  const { fields, notes } = convertFields({ ...others, ...rest }, GLOBAL);
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    viewports: Object.fromEntries(all.map((width) => [String(width), sizeOf(width)])),
    // Its page shots show the whole page.
    defaults: { fullSize: true, ...fields },
    pages: list.map((page) => importPage(page, all.length > 0 ? widths : null)),
    notes,
  };
}

const PAGE: Record<string, Rule> = {
  name: (value) => ({ fields: { name: String(value) } }),
  path: (value) => ({ fields: { url: String(value).replace(/^(?!\/|https?:)/, '/') } }),
  waitBeforeScreenshot: delayRule('waitBeforeScreenshot'),
  threshold: limitRule,
  mask: maskRule,
  breakpoints: (value) => ({ fields: { viewports: widthsOf(value).map(String) } }),
  viewport: (value) => ({ fields: sizeFields(mappingOf(value)) }),
};

const GLOBAL: Record<string, Rule> = {
  threshold: limitRule,
  compareEngine: (value) => (value === 'odiff' || value === 'pixelmatch' ? { fields: { engine: value } } : undefined),
  waitBeforeScreenshot: delayRule('waitBeforeScreenshot'),
  mask: maskRule,
  lostPixelProjectId: told('lostPixelProjectId: images stay where you run it'),
  apiKey: told('apiKey: there is nobody to show it to'),
  failOnDifference: told('failOnDifference: a page that is over its limit fails'),
  generateOnly: told('generateOnly: this is npx playwright test --update-snapshots'),
  browser: told('browser: name it in projects of the Playwright config'),
  shotConcurrency: told('shotConcurrency: this is workers of the Playwright config'),
  flakynessRetries: told('flakynessRetries: this is retries of the Playwright config; a shot that needs them is flaky'),
  pagesJsonUrl: told('pagesJsonUrl: write the pages into the list, or run proofsheet init --sitemap URL'),
  storybookShots: told('storybookShots: name the iframe.html of each story as a page'),
};

function importPage(page: Record<string, unknown>, widths: readonly number[] | null): ImportedPage {
  const { fields, notes } = convertFields(page, PAGE);
  const { url = '/', width, height, ...rest } = fields;
  // A page of its own size cannot be in viewports that have names.
  if (width !== undefined && widths) return { page: { ...rest, url }, notes: [...notes, SIZE_NOTE] };
  const own = widths && rest.viewports === undefined && widths.length > 0 ? { viewports: widths.map(String) } : {};
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  return { page: { ...rest, ...own, ...size, url }, notes };
}

const SIZE_NOTE = 'viewport: this list has viewports; add one of that size, and name it under viewports';

/** Below 1 it is a share of the image, else a count of pixels. */
function limitRule(value: unknown): { fields: Partial<PageInput> } | undefined {
  if (typeof value !== 'number' || value < 0) return undefined;
  return { fields: value < 1 && value > 0 ? { maxDiffPixelRatio: value } : { maxDiffPixels: Math.round(value) } };
}

function maskRule(value: unknown): { fields: Partial<PageInput> } | undefined {
  const mask = itemsOf(value).flatMap((item) => {
    const { selector } = mappingOf(item);
    return typeof selector === 'string' ? [selector] : [];
  });
  return mask.length > 0 ? { fields: { mask } } : undefined;
}

function widthsOf(value: unknown): number[] {
  return itemsOf(value).filter((width) => typeof width === 'number');
}

function sizeOf(width: number): ViewportInput {
  return viewportOf(width, 720);
}

function sizeFields({ width, height }: Record<string, unknown>): Partial<PageInput> {
  return {
    ...(typeof width === 'number' && { width }),
    ...(typeof height === 'number' && { height }),
  };
}
