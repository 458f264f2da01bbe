import type { Page } from '@playwright/test';
import { roundOut, solidColor } from '../../image/index.js';
import { type EncodedImage, type Exclusion, ProofsheetError, type Rectangle, type Warning } from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import { callInFrames } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import { findVisibleBoxes, type MatchedBox, type MatchedBoxes, paintMasks } from '../masks.js';
import { applyStyle, type Matches, type PageStyles } from '../page-styles.js';
import type { Stabilizers } from '../stabilize/stabilizers.js';
import { type CheckedTexts, checkTexts } from '../texts.js';
import type { ScreenshotBackend } from './screenshot-backend.js';

export interface PreparedPage {
  readonly painted: MatchedBoxes;
  readonly frames: readonly PreparedFrame[];
  readonly texts: CheckedTexts;
}

/** Hides what appeared since the page was stable, stops what moves by itself, replaces texts, and paints masks. */
export async function preparePageForImage(context: CaptureContext): Promise<PreparedPage> {
  const { page, settings, stabilizers, pageStyles } = context;
  if (settings.hideCookie) await hideCookieBanners(page);
  const frames = await callInFrames(page, prepareFrame, pageStyles.style, applyStyle, stabilizers.freezes);
  const texts = await checkTexts(context);
  return { frames, texts, painted: await paintMasks(page, settings.mask) };
}

/** Maps a box in CSS pixels of the document to image pixels, rounded outward. */
type Placement = (box: Rectangle) => Rectangle;

/**
 * Checks the final image of a page. Returns the rectangles of each entry of `mask` and of `ignore`, and the warnings.
 *
 * @throws ProofsheetError `page-blank` if the image of a whole page is a solid color; `page-selector` if a selector is not valid CSS, or if an entry
 * of `mask`, `ignore` or `texts` matches nothing and `strictMasks` is on.
 */
export async function checkImage(
  context: CaptureContext,
  image: EncodedImage,
  backend: ScreenshotBackend,
  { painted, frames, texts }: PreparedPage,
): Promise<{ readonly masks: Exclusion[]; readonly ignored: Exclusion[]; readonly warnings: Warning[] }> {
  const { page, locator, settings, pageStyles, acceptsSolidColor } = context;
  const isWhole = !locator && !backend.crop?.();
  if (!acceptsSolidColor && isWhole && painted.boxes.length === 0) await assertNotSolidColor(page, image);
  const { selectors, areas } = settings.ignore;
  const needsView = painted.boxes.length > 0 || selectors.length > 0;
  const place: Placement = needsView ? await placementOf(context, backend) : (box) => box;
  const found = await findVisibleBoxes(page, 'ignore', selectors);
  const density = settings.scale === 'device' ? backend.deviceScale : 1;
  const ignoredAreas = areas.map((area) => ({ selector: renderArea(area), rectangles: [roundOut(area, density)] }));
  const { width, height } = image.size;
  const outside = ignoredAreas.filter(({ rectangles }) => rectangles.every(({ x, y }) => x >= width || y >= height));
  const unmatched = {
    mask: painted.unmatched,
    ignore: [...found.unmatched, ...outside.map(({ selector }) => selector)],
    texts: texts.unmatched,
  };
  if (settings.strictMasks) assertMatched(page, unmatched);
  return {
    masks: groupBySelector(settings.mask, painted.boxes, place),
    ignored: [...groupBySelector(selectors, found.boxes, place), ...ignoredAreas],
    warnings: [
      ...pageStyles.unmatched(frames.map(({ matches }) => matches)).map(({ field, selector }) => miss(field, selector)),
      ...Object.entries(unmatched).flatMap(([field, entries]) => entries.map((entry) => miss(field, entry))),
      ...blankCanvases(frames),
    ],
  };
}

function groupBySelector(selectors: readonly string[], boxes: readonly MatchedBox[], place: Placement): Exclusion[] {
  return selectors.map((selector, index) => ({
    selector,
    rectangles: boxes.filter(({ of }) => of === index).map(place),
  }));
}

function renderArea({ x, y, width, height }: Rectangle): string {
  return `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
}

export async function placementOf(
  { page, locator, settings }: Pick<CaptureContext, 'page' | 'locator' | 'settings'>,
  { deviceScale, crop }: Pick<ScreenshotBackend, 'deviceScale' | 'crop'>,
): Promise<Placement> {
  const measured = await page.evaluate(measureView);
  const box = locator ? await locator.boundingBox() : null;
  const { scrolled } = measured;
  const ofElement = box && { x: Math.floor(scrolled.x + box.x), y: Math.floor(scrolled.y + box.y), zoom: 1 };
  const view = ofElement ?? (settings.fullSize && !locator ? measured.wholePage : measured.visible);
  const density = settings.scale === 'device' ? deviceScale : 1;
  const cut = crop?.()?.area ?? { x: 0, y: 0 };
  return ({ x, y, ...size }) => {
    const placed = roundOut({ x: x - view.x, y: y - view.y, ...size }, view.zoom * density);
    return { ...placed, x: placed.x - cut.x, y: placed.y - cut.y };
  };
}

async function assertNotSolidColor(page: Page, image: EncodedImage): Promise<void> {
  const color = await solidColor(image);
  if (color === null) return;
  throw new ProofsheetError({
    code: 'page-blank',
    where: page.url(),
    found: `the screenshot has only one color, ${color}`,
    advice: 'The page is empty or was not rendered. Open it in a browser, or wait for its content with `waitFor`.',
  });
}

/** Runs in the page. Returns where the image of a page begins in the document, and the zoom factor: mobile browsers zoom out of a wide page. */
function measureView() {
  const { scrollWidth, clientWidth } = document.scrollingElement ?? document.documentElement;
  // The content of a page that is read from right to left begins at a negative place.
  const isRtl = getComputedStyle(document.body ?? document.documentElement).direction === 'rtl';
  const scrolled = { x: scrollX, y: scrollY };
  const { pageLeft, pageTop, scale } = visualViewport ?? { pageLeft: scrollX, pageTop: scrollY, scale: 1 };
  return {
    scrolled,
    wholePage: { x: isRtl ? clientWidth - scrollWidth : 0, y: 0, zoom: 1 },
    visible: { x: pageLeft, y: pageTop, zoom: scale },
  };
}

function assertMatched(page: Page, unmatched: Readonly<Record<string, readonly string[]>>): void {
  for (const [field, entries] of Object.entries(unmatched))
    if (entries.length > 0)
      throw new ProofsheetError({
        code: 'page-selector',
        where: page.url(),
        found: `\`${field}\`: ${entries.map(describeMiss).join('; ')} (\`strictMasks\` makes it an error)`,
        advice: 'Correct the entry, or remove it.',
      });
}

function miss(field: string, entry: string): Warning {
  return { code: `${field}-no-match`, message: `\`${field}\`: ${describeMiss(entry)}` };
}

/** An entry of `ignore` is a selector or a rectangle. */
function describeMiss(item: string): string {
  return item.startsWith('{') ? `the area ${item} is outside the image` : `no element matches "${item}"`;
}

interface PreparedFrame {
  /** Whether each selector of `hide` and `remove` matches an element. */
  readonly matches: Matches;
  readonly blank: readonly string[];
}

function prepareFrame(
  tools: Tools,
  style: PageStyles['style'],
  apply: typeof applyStyle,
  freezes: Stabilizers['freezes'],
): PreparedFrame {
  const matches = apply(tools, style);
  for (const freeze of freezes) freeze(tools);
  return { matches, blank: tools.memory.blankCanvases };
}

/** Returns a warning for canvases without a 3D context: the browser leaves them empty without an error. */
function blankCanvases(preparedFrames: readonly PreparedFrame[]): Warning[] {
  const names = preparedFrames.flatMap(({ blank }) => blank);
  if (names.length === 0) return [];
  const message = `blank canvas: the browser created no WebGL context for ${names.join(', ')}`;
  return [{ code: 'blank-canvas', message }];
}
