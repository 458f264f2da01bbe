import {
  type Converted,
  delay,
  isNothing,
  itemsOf,
  mappingOf,
  type NamedSize,
  type Rules,
  type ToolList,
  text,
  texts,
} from './imported.js';

/** Takes apart a Lost Pixel config: https://docs.lost-pixel.com */
export function readLostPixel(config: unknown): ToolList | undefined {
  const { pageShots, breakpoints: globalBreakpoints, ...others } = mappingOf(config);
  if (pageShots === undefined) return undefined;
  const { pages: items, baseUrl, breakpoints, ...rest } = mappingOf(pageShots);
  const { threshold, ...common } = { ...others, ...rest };
  // A limit of the defaults would also apply to a page with a limit of the other kind.
  const pages = itemsOf(items).map((page) => ({ threshold, ...mappingOf(page) }));
  const widths = [breakpoints, globalBreakpoints].map(sizesOfWidths).find((sizes) => sizes.length > 0);
  const sizesOf = ({ breakpoints: own, viewport }: Record<string, unknown>): NamedSize[] => {
    const sizes = sizesOfWidths(own);
    return sizes.length > 0 || widths || isNothing(viewport) ? sizes : [sizeOf(viewport)];
  };
  const haveSizes = pages.map((page) => sizesOf(page).length > 0);
  return {
    baseURL: baseUrl,
    pages,
    pageRules: PAGE,
    common,
    commonRules: GLOBAL,
    // Page shots of Lost Pixel capture the whole page.
    defaults: { fullSize: true },
    sizes: widths ?? (haveSizes.includes(true) && haveSizes.includes(false) ? [sizeOf({})] : []),
    sizesOf,
    notes: [SIZE_NOTE, others.compareEngine === 'odiff' ? ODIFF_NOTE : PIXELMATCH_NOTE],
  };
}

function sizeOf(viewport: unknown): NamedSize {
  const { width: w, height: h } = mappingOf(viewport);
  const [width, height] = [typeof w === 'number' ? w : 1280, typeof h === 'number' ? h : HEIGHT];
  return { name: `${width}x${height}`, width, height };
}

function sizesOfWidths(value: unknown): NamedSize[] {
  const widths = itemsOf(value).filter((width) => typeof width === 'number');
  return widths.map((width) => ({ name: String(width), width, height: HEIGHT }));
}

const HEIGHT = 720;

const ODIFF_NOTE = 'Lost Pixel allows color differences of 0.1 with odiff; threshold: 0.1 in defaults allows the same';
const PIXELMATCH_NOTE =
  'Lost Pixel does not count pixels that differ only by anti-aliasing; nor does antialiasing: ignore in defaults';
const SIZE_NOTE = 'Lost Pixel also passes images of different sizes; maxSizeDiff in defaults allows a difference';

const PAGE: Rules = {
  name: text('name'),
  path: (value) => ({ fields: { url: String(value).replace(/^(?!\/|https?:)/, '/') } }),
  waitBeforeScreenshot: delay,
  threshold: limitRule,
  mask: maskRule,
  breakpoints: null,
  viewport: null,
};

const GLOBAL: Rules = {
  compareEngine: (value) => (value === 'odiff' || value === 'pixelmatch' ? { fields: { engine: value } } : undefined),
  waitBeforeScreenshot: delay,
  waitForSelector: texts('waitFor'),
  mask: maskRule,
  lostPixelProjectId: 'not needed; proofsheet does not upload images',
  apiKey: 'not needed; proofsheet does not upload images',
  failOnDifference: 'not needed; a page that exceeds its limit always fails',
  generateOnly: 'run npx playwright test --update-snapshots',
  browser: 'set it in projects of the Playwright config',
  shotConcurrency: 'set workers in the Playwright config',
  flakynessRetries: 'set retries in the Playwright config',
  pagesJsonUrl: 'add the pages to the list, or run npx proofsheet init --sitemap URL',
  storybookShots: 'add the iframe.html URL of each story as a page',
};

/** A value below 1 is a ratio of the image, any other value a number of pixels. */
function limitRule(value: unknown): Converted | undefined {
  if (typeof value !== 'number' || value < 0) return undefined;
  return { fields: value < 1 && value > 0 ? { maxDiffPixelRatio: value } : { maxDiffPixels: Math.round(value) } };
}

function maskRule(value: unknown): Converted | undefined {
  const selectors = itemsOf(value).map((item) => mappingOf(item).selector);
  const mask = selectors.filter((selector) => typeof selector === 'string');
  return mask.length > 0 ? { fields: { mask } } : undefined;
}
