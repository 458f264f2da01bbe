import type { PageInput } from '../../model/list/page-list.js';
import {
  convertFields,
  createViewports,
  delayRule,
  type ImportedList,
  type ImportedPage,
  ignored,
  isNothing,
  itemsOf,
  mappingOf,
  type Rule,
  sizeRule,
  textsOf,
  unsupported,
  withViewports,
} from './imported.js';

/** Converts a Lost Pixel config to a page list: https://docs.lost-pixel.com */
export function importLostPixel(config: Record<string, unknown>): ImportedList {
  const { pageShots, ...global } = config;
  const { pages, baseUrl, breakpoints, ...rest } = mappingOf(pageShots);
  const { breakpoints: globalBreakpoints, ...others } = global;
  const common = [breakpoints, globalBreakpoints].map(widthsOf).find((widths) => widths.length > 0) ?? [];
  const { threshold, ...defaults } = { ...others, ...rest };
  const list = itemsOf(pages).map(mappingOf);
  // A limit of the defaults would also apply to a page with a limit of the other kind.
  const hasLimits = list.some((page) => !isNothing(page.threshold));
  const { fields, notes } = convertFields({ ...defaults, ...(!hasLimits && { threshold }) }, GLOBAL);
  const limited = hasLimits ? list.map((page) => ({ threshold, ...page })) : list;
  const imported = importPages(limited, common);
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    // Page shots of Lost Pixel capture the whole page.
    defaults: { fullSize: true, ...fields },
    ...imported,
    notes: [...notes, ...imported.notes, ...COMPARISON_NOTES[fields.engine ?? 'pixelmatch']],
  };
}

const SIZE_NOTE = 'Lost Pixel also passes images of different sizes; maxSizeDiff in defaults allows a difference';

/** What the comparison of Lost Pixel allows by default. */
const COMPARISON_NOTES: Readonly<Record<'odiff' | 'pixelmatch', readonly string[]>> = {
  odiff: [
    SIZE_NOTE,
    'Lost Pixel allows color differences of 0.1 with odiff; threshold: 0.1 in defaults allows the same',
  ],
  pixelmatch: [
    SIZE_NOTE,
    'Lost Pixel does not count pixels that differ only by anti-aliasing; nor does antialiasing: ignore in defaults',
  ],
};

/** If any page has widths, every page gets named viewports: without them, a page would be captured in all viewports. */
function importPages(
  list: readonly Record<string, unknown>[],
  common: readonly number[],
): Pick<ImportedList, 'viewports' | 'pages' | 'notes'> {
  const hasWidths = common.length > 0 || list.some(({ breakpoints }) => widthsOf(breakpoints).length > 0);
  if (!hasWidths) return { viewports: {}, pages: list.map((page) => importPage(page, page.viewport)), notes: [] };
  const sizes = createViewports();
  // Added first, so that they have the order of the config.
  for (const width of common) sizes.add(...viewportOfWidth(width));
  const names = list.map(({ breakpoints, viewport }) => {
    const widths = widthsOf(breakpoints).length > 0 ? widthsOf(breakpoints) : common;
    if (widths.length > 0) return widths.map((width) => sizes.add(...viewportOfWidth(width)));
    const { width, height } = mappingOf(viewport);
    const [w, h] = [typeof width === 'number' ? width : 1280, typeof height === 'number' ? height : 720];
    return [sizes.add(`${w}x${h}`, w, h)];
  });
  const pages = list.map((item, index) => {
    const { page, notes } = importPage(item, null);
    return { page: withViewports(page, names[index] ?? [], sizes), notes };
  });
  return { viewports: sizes.all(), pages, notes: sizes.notes() };
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

const SIZE: Record<string, Rule> = { width: sizeRule('width'), height: sizeRule('height') };

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
  const { fields: viewport, notes: sizeNotes } = convertFields(mappingOf(size), SIZE);
  return { page: { ...rest, url, ...viewport }, notes: [...notes, ...sizeNotes] };
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

function viewportOfWidth(width: number): [name: string, width: number, height: number] {
  return [String(width), width, 720];
}
