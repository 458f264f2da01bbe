import type { PageInput } from '../../model/list/page-list.js';
import {
  boundedSize,
  convertFields,
  createViewports,
  delayRule,
  type ImportedList,
  type ImportedPage,
  ignored,
  itemsOf,
  mappingOf,
  type Rule,
  textsOf,
  unsupported,
  viewportOf,
  withViewports,
} from './imported.js';

/** Converts a Lost Pixel config to a page list: https://docs.lost-pixel.com */
export function importLostPixel(config: Record<string, unknown>): ImportedList {
  const { pageShots, ...global } = config;
  const { pages, baseUrl, breakpoints, ...rest } = mappingOf(pageShots);
  const { breakpoints: globalBreakpoints, ...others } = global;
  const common = [breakpoints, globalBreakpoints].map(widthsOf).find((widths) => widths.length > 0) ?? [];
  const list = itemsOf(pages).map(mappingOf);
  const { fields, notes } = convertFields({ ...others, ...rest }, GLOBAL);
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    // Page shots of Lost Pixel capture the whole page.
    defaults: { fullSize: true, ...fields },
    ...importPages(list, common),
    notes,
  };
}

/** If any page has widths, every page gets named viewports: without them, a page would be captured in all viewports. */
function importPages(
  list: readonly Record<string, unknown>[],
  common: readonly number[],
): Pick<ImportedList, 'viewports' | 'pages'> {
  const hasWidths = common.length > 0 || list.some(({ breakpoints }) => widthsOf(breakpoints).length > 0);
  if (!hasWidths) return { viewports: {}, pages: list.map((page) => importPage(page, page.viewport)) };
  const sizes = createViewports();
  // Added first, so that they have the order of the config.
  for (const width of common) sizes.add(...viewportOfWidth(width));
  const names = list.map(({ breakpoints, viewport }) => {
    const widths = widthsOf(breakpoints).length > 0 ? widthsOf(breakpoints) : common;
    if (widths.length > 0) return widths.map((width) => sizes.add(...viewportOfWidth(width)));
    const { width = 1280, height = 720 } = sizeFields(mappingOf(viewport));
    return [sizes.add(`${width}x${height}`, viewportOf(width, height ?? 720))];
  });
  const pages = list.map((item, index) => {
    const { page, notes } = importPage(item, null);
    return { page: withViewports(page, names[index] ?? [], sizes), notes };
  });
  return { viewports: sizes.all(), pages };
}

const PAGE: Record<string, Rule> = {
  name: (value) => ({ fields: { name: String(value) } }),
  path: (value) => ({ fields: { url: String(value).replace(/^(?!\/|https?:)/, '/') } }),
  waitBeforeScreenshot: delayRule('waitBeforeScreenshot'),
  threshold: limitRule,
  mask: maskRule,
  breakpoints: ignored,
  viewport: ignored,
};

const GLOBAL: Record<string, Rule> = {
  threshold: limitRule,
  compareEngine: (value) => (value === 'odiff' || value === 'pixelmatch' ? { fields: { engine: value } } : undefined),
  waitBeforeScreenshot: delayRule('waitBeforeScreenshot'),
  waitForSelector: (value) => ({ fields: { waitFor: textsOf(value) } }),
  mask: maskRule,
  lostPixelProjectId: unsupported('lostPixelProjectId: not needed; proofsheet does not upload images'),
  apiKey: unsupported('apiKey: not needed; proofsheet does not upload images'),
  failOnDifference: unsupported('failOnDifference: not needed; a page that exceeds its limit always fails'),
  generateOnly: unsupported('generateOnly: run npx playwright test --update-snapshots'),
  browser: unsupported('browser: set it in projects of the Playwright config'),
  shotConcurrency: unsupported('shotConcurrency: set workers in the Playwright config'),
  flakynessRetries: unsupported('flakynessRetries: set retries in the Playwright config'),
  pagesJsonUrl: unsupported('pagesJsonUrl: add the pages to the list, or run npx proofsheet init --sitemap URL'),
  storybookShots: unsupported('storybookShots: add the iframe.html URL of each story as a page'),
};

function importPage(page: Record<string, unknown>, size: unknown): ImportedPage {
  const { fields, notes } = convertFields(page, PAGE);
  const { url = '/', ...rest } = fields;
  return { page: { ...rest, url, ...sizeFields(mappingOf(size)) }, notes };
}

/** A value below 1 is a ratio of the image, any other value a number of pixels. */
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

function viewportOfWidth(width: number): [name: string, size: ReturnType<typeof viewportOf>] {
  return [String(width), viewportOf(width, 720)];
}

function sizeFields({ width, height }: Record<string, unknown>): Pick<PageInput, 'width' | 'height'> {
  return {
    ...(typeof width === 'number' && { width: boundedSize('width', width) }),
    ...(typeof height === 'number' && { height: boundedSize('height', height) }),
  };
}
