import {
  type Converted,
  convertFields,
  convertPage,
  createViewports,
  delay,
  type ImportedList,
  isNothing,
  itemsOf,
  mappingOf,
  type Rules,
  size,
  text,
  texts,
} from './imported.js';

/** Converts a Lost Pixel config to a page list: https://docs.lost-pixel.com */
export function importLostPixel(config: unknown): ImportedList | undefined {
  const { pageShots, breakpoints: globalBreakpoints, ...others } = mappingOf(config);
  if (pageShots === undefined) return undefined;
  const { pages, baseUrl, breakpoints, ...rest } = mappingOf(pageShots);
  const { threshold, ...defaults } = { ...others, ...rest };
  const items = itemsOf(pages).map(mappingOf);
  // A limit of the defaults would also apply to a page with a limit of the other kind.
  const hasLimits = items.some((page) => !isNothing(page.threshold));
  const { fields, notes } = convertFields({ ...defaults, ...(!hasLimits && { threshold }) }, GLOBAL);
  const commonWidths = [breakpoints, globalBreakpoints].map(widthsOf).find((widths) => widths.length > 0) ?? [];
  const sizes = createViewports();
  // Added first, so that they have the order of the config.
  for (const width of commonWidths) sizes.add(String(width), width, HEIGHT);
  // Without named viewports, a page would be captured in all those of the other pages.
  const hasWidths = commonWidths.length > 0 || items.some((item) => widthsOf(item.breakpoints).length > 0);
  const imported = items.map((item) => {
    const { page, notes: ownNotes } = convertPage({ ...(hasLimits && { threshold }), ...item }, PAGE);
    if (hasWidths) return { page, notes: ownNotes, names: namesOf(item) };
    const viewport = convertFields(mappingOf(item.viewport), SIZE);
    return { page: { ...page, ...viewport.fields }, notes: [...ownNotes, ...viewport.notes], names: [] };
  });
  return {
    baseURL: typeof baseUrl === 'string' ? baseUrl : null,
    viewports: sizes.all(),
    // Page shots of Lost Pixel capture the whole page.
    defaults: { fullSize: true, ...fields },
    pages: imported.map(({ names, ...page }) => sizes.select(page, names)),
    notes: [...notes, SIZE_NOTE, COMPARISON_NOTES[fields.engine ?? 'pixelmatch']],
  };

  function namesOf({ breakpoints: own, viewport }: Record<string, unknown>): string[] {
    const widths = widthsOf(own).length > 0 ? widthsOf(own) : commonWidths;
    if (widths.length > 0) return widths.map((width) => sizes.add(String(width), width, HEIGHT));
    const { width, height } = mappingOf(viewport);
    const [w, h] = [typeof width === 'number' ? width : 1280, typeof height === 'number' ? height : HEIGHT];
    return [sizes.add(`${w}x${h}`, w, h)];
  }
}

const HEIGHT = 720;

const COMPARISON_NOTES: Readonly<Record<'odiff' | 'pixelmatch', string>> = {
  odiff: 'Lost Pixel allows color differences of 0.1 with odiff; threshold: 0.1 in defaults allows the same',
  pixelmatch:
    'Lost Pixel does not count pixels that differ only by anti-aliasing; nor does antialiasing: ignore in defaults',
};
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

const SIZE: Rules = { width: size('width'), height: size('height') };

const GLOBAL: Rules = {
  threshold: limitRule,
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

function widthsOf(value: unknown): number[] {
  return itemsOf(value).filter((width) => typeof width === 'number');
}
