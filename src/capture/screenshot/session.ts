import type { Frame, Page } from '@playwright/test';
import { pause } from '../../browser/timing.js';
import { normalizePdf } from '../../image/pdf/normalize.js';
import { solidColor } from '../../image/solid-color.js';
import type { Warning } from '../../model/capture.js';
import type { Exclusion } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage, Rectangle } from '../../model/image.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import type { FrameClock } from '../frames/frame-clock.js';
import { findIgnored, groupBySelector } from '../ignored-areas.js';
import { evaluateInFrames, hasCrossOriginFrame, openRoots, type Root } from '../in-page/frames.js';
import { type PaintedMasks, paintMasks } from '../masks.js';
import type { Matches, PageStyles } from '../page-styles.js';
import type { CaptureContext, StablePage } from '../stabilize/stabilize-page.js';
import type { Stabilizers } from '../stabilize/stabilizers.js';
import { createScreenshotBackend, type ScreenshotBackend, type Subject } from './backend.js';
import { drawLargeImagesFirst, type LargerImage, listLargerImagesSource } from './scaled-images.js';
import { deferRaster } from './viewport.js';

/** Captures and checks screenshots of a stable page. */
export interface ScreenshotSession {
  /** Device pixels per CSS pixel. */
  readonly deviceScale: number;
  /** Stops animations, paints masks and captures an image. */
  shoot(): Promise<Buffer>;
  /** Stops animations, as before an image. */
  stopAnimations(): Promise<void>;
  /** Forces the browser to render the page again. */
  redraw(): Promise<void>;
  /**
   * Checks the final image.
   *
   * @throws ProofsheetError `page-plain` if the image of a whole page is a solid color; `page-selector` if an entry of
   * `mask` or `ignore` matches nothing and `strictMasks` is on.
   */
  checkImage(image: EncodedImage): Promise<ImageCheck>;
  /** Returns the function that maps a box in CSS pixels of the document to image pixels, rounded outward. */
  placement(): Promise<(box: Rectangle) => Rectangle>;
}

/** The masks, ignored areas and warnings of an image. */
export interface ImageCheck {
  /** The rectangles of each selector of `mask`. */
  readonly masks: readonly Exclusion[];
  /** The rectangles of each entry of `ignore`. */
  readonly ignored: readonly Exclusion[];
  readonly warnings: readonly Warning[];
}

/** Creates a screenshot session for a page, or for one element of it. */
export async function createScreenshotSession(
  subject: Subject,
  captureContext: Pick<
    CaptureContext,
    'page' | 'state' | 'settings' | 'stabilizers' | 'pageStyles' | 'deadline' | 'acceptsSolidColor'
  >,
  stablePage: StablePage,
  {
    drawsBeyondWindow,
    defersRaster,
    has3dTransforms,
    ownBackend,
  }: {
    readonly drawsBeyondWindow: boolean;
    readonly defersRaster: boolean;
    readonly has3dTransforms: Has3dTransforms;
    /** Takes the images. @default the backend for the page */
    readonly ownBackend?: ScreenshotBackend;
  },
): Promise<ScreenshotSession> {
  const { page, state, settings, stabilizers, pageStyles, deadline, acceptsSolidColor } = captureContext;
  const { format } = settings;
  if (defersRaster) await deferRaster(page, state, settings);
  const backend =
    ownBackend ??
    (format === 'pdf'
      ? createPdfBackend(page)
      : await createScreenshotBackend(
          subject,
          state,
          { ...settings, format, cutAt: stablePage.cutAt, drawsBeyondWindow },
          deadline.remainingMs(1 / 2),
        ));
  let painted: PaintedMasks = { boxes: [], unmatched: [] };
  let preparedFrames: PreparedFrame[] = [];
  let isDrawn = !defersRaster || backend.draw === null;
  let isRedrawn = false;
  const prepareFrames = () => evaluateInFrames<PreparedFrame>(page, prepareSourceOf(pageStyles, stabilizers, isDrawn));
  // The zoom factor of a document reaches a frame of another process later, and may stay there.
  const isAlone = (frame: Frame) => !hasCrossOriginFrame(frame);
  const forgetLayout = async () => {
    if (await has3dTransforms()) await pause(SETTLE_MS);
    await evaluateInFrames(page, `(${String(forgetLayoutHistory)})()`, isAlone);
  };
  const scale = settings.scale === 'device' ? backend.deviceScale : 1;
  const placeIn = (view: View) => (box: Rectangle) => placeInImage(box, view, view.zoom * scale);
  return {
    deviceScale: backend.deviceScale,
    async shoot() {
      if (settings.hideCookie) await hideCookieBanners(page, state);
      preparedFrames = await prepareFrames();
      painted = await paintMasks(page, settings.mask);
      const larger = preparedFrames.flatMap((frame) => frame.larger);
      if (backend.draw) await drawLargeImagesFirst(page, larger, backend.draw);
      isDrawn = true;
      return backend.shoot(isRedrawn && settings.settle.animations ? forgetLayout : undefined);
    },
    stopAnimations: async () => void (await prepareFrames()),
    async redraw() {
      await backend.redraw(await has3dTransforms());
      isRedrawn = true;
    },
    async checkImage(image) {
      if (!acceptsSolidColor && !subject.locator && painted.boxes.length === 0) await assertNotSolidColor(page, image);
      const needsView = painted.boxes.length > 0 || settings.ignore.selectors.length > 0;
      const place = placeIn(needsView ? await measureView(subject, settings.fullSize) : WHOLE_PAGE);
      const ignored = await findIgnored(page, settings.ignore, { size: image.size, scale, place });
      return {
        masks: groupBySelector(settings.mask, painted.boxes, place),
        ignored: ignored.exclusions,
        warnings: [
          ...pageStyles.unmatched(preparedFrames.map(({ matches }) => matches)),
          ...reportUnmatched(page, 'mask', painted.unmatched, settings.strictMasks),
          ...reportUnmatched(page, 'ignore', ignored.unmatched, settings.strictMasks),
          ...blankCanvases(preparedFrames),
        ],
      };
    },
    placement: async () => placeIn(await measureView(subject, settings.fullSize)),
  };
}

/** How long Chromium still draws in the background after an image, in milliseconds: longer on a busy machine. */
const SETTLE_MS = 100;

/**
 * Runs in the page. Lays it out at another zoom factor and back, in one task: no frame shows it, and no observer of the page reports
 * it. Frames within the page may get a `resize` event, and scroll containers a `scroll` event. It needs the style of the stabilizer
 * `animations`: otherwise the change of all lengths starts transitions.
 *
 * Text in a layer of its own can be drawn one pixel off, in some loads of a page and not in others, although all elements are at
 * the same places. It depends on what Chromium drew while the page loaded. After this, all loads were drawn alike: of a page in which
 * 17 of 214 loads differed, 0 of 40. The same is true of photos in elements with perspective, if Chromium draws nothing just before this,
 * and no frame between this and the image: 28 of 28 images of a page were alike; with a frame between, 5 of 28 differed.
 */
function forgetLayoutHistory(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { zoom: 1.01 !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  document.documentElement.getBoundingClientRect();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  document.documentElement.getBoundingClientRect();
}

/** The part of the document that an image shows. */
interface View {
  /** The left edge, in CSS pixels of the document; `y` is the top edge. */
  readonly x: number;
  readonly y: number;
  /** The zoom factor: mobile browsers zoom out if a page is wider than the viewport. */
  readonly zoom: number;
}

const WHOLE_PAGE: View = { x: 0, y: 0, zoom: 1 };

async function assertNotSolidColor(page: Page, image: EncodedImage): Promise<void> {
  const color = await solidColor(image);
  if (color === null) return;
  throw new ProofsheetError({
    code: 'page-plain',
    where: page.url(),
    found: `the screenshot has only one color, ${color}`,
    advice: 'The page is empty or was not rendered. Open it in a browser, or wait for its content with `waitFor`.',
  });
}

async function measureView({ page, locator }: Subject, fullSize: boolean): Promise<View> {
  if (fullSize && !locator) return { ...WHOLE_PAGE, x: await page.evaluate(leftOfPage) };
  const { scrolled, visibleView } = await page.evaluate(measureWindow);
  const box = locator ? await locator.boundingBox() : null;
  return box ? { x: Math.floor(scrolled.x + box.x), y: Math.floor(scrolled.y + box.y), zoom: 1 } : visibleView;
}

/** Runs in the page. The content of a page that is read from right to left begins at a negative place. */
function leftOfPage(): number {
  const { scrollWidth, clientWidth } = document.scrollingElement ?? document.documentElement;
  const isRtl = getComputedStyle(document.body ?? document.documentElement).direction === 'rtl';
  return isRtl ? clientWidth - scrollWidth : 0;
}

/** Runs in the page. */
function measureWindow(): { scrolled: { x: number; y: number }; visibleView: View } {
  const scrolled = { x: scrollX, y: scrollY };
  const { pageLeft, pageTop, scale } = visualViewport ?? { pageLeft: scrollX, pageTop: scrollY, scale: 1 };
  return { scrolled, visibleView: { x: pageLeft, y: pageTop, zoom: scale } };
}

/** Maps a box to image pixels, rounded outward. */
function placeInImage(box: Rectangle, origin: View, scale: number): Rectangle {
  const left = Math.floor((box.x - origin.x) * scale);
  const top = Math.floor((box.y - origin.y) * scale);
  return {
    x: left,
    y: top,
    width: Math.ceil((box.x - origin.x + box.width) * scale) - left,
    height: Math.ceil((box.y - origin.y + box.height) * scale) - top,
  };
}

function reportUnmatched(
  page: Page,
  field: 'mask' | 'ignore',
  unmatched: readonly string[],
  strict: boolean,
): Warning[] {
  if (strict && unmatched.length > 0)
    throw new ProofsheetError({
      code: 'page-selector',
      where: page.url(),
      found: `\`${field}\`: ${unmatched.map(describeMiss).join('; ')} (\`strictMasks\` makes it an error)`,
      advice: 'Correct the entry, or remove it.',
    });
  return unmatched.map((item) => ({
    code: `${field}-no-match`,
    message: `\`${field}\`: ${describeMiss(item)}`,
  }));
}

/** An entry of `ignore` is a selector or a rectangle. */
function describeMiss(item: string): string {
  return item.startsWith('{') ? `the area ${item} is outside the image` : `no element matches "${item}"`;
}

/** The state of a frame that is ready for a screenshot. */
interface PreparedFrame {
  /** Whether each selector of `hide` and `remove` matches an element. */
  readonly matches: Matches;
  /** Names of the canvases without a 3D context. */
  readonly blank: readonly string[];
  /** The images that the frame shows smaller elsewhere; none after the first image. */
  readonly larger: readonly LargerImage[];
}

/** Applies the style to new elements and stops animations, in one round trip per frame. */
function prepareSourceOf(pageStyles: PageStyles, { freezeSource }: Stabilizers, isDrawn: boolean): string {
  return `(() => {
    const roots = (${String(openRoots)})();
    const matches = ${pageStyles.applySource};
    ${freezeSource}
    const larger = ${isDrawn ? '[]' : listLargerImagesSource('roots')};
    return { matches, larger, blank: window.__proofsheet?.blankCanvases ?? [] };
  })()`;
}

/** Returns a warning for canvases without a 3D context: the browser leaves them empty without an error. */
function blankCanvases(preparedFrames: readonly PreparedFrame[]): Warning[] {
  const names = preparedFrames.flatMap(({ blank }) => blank);
  if (names.length === 0) return [];
  const message = `blank canvas: the browser created no WebGL context for ${names.join(', ')}`;
  return [{ code: 'blank-canvas', message }];
}

/** The paper size of a page without `@page { size }`. */
const PAPER = 'A4';

/**
 * Creates a backend that prints the page as a PDF, with backgrounds and with the paper size of its style.
 *
 * Removes the timestamps that the browser writes into a PDF, so that the same page produces the same bytes.
 */
export function createPdfBackend(page: Page, during: FrameClock['during'] = (work) => work): ScreenshotBackend {
  return {
    deviceScale: 1,
    redraw: async () => {},
    draw: null,
    shoot: async () =>
      normalizePdf(await during(page.pdf({ format: PAPER, printBackground: true, preferCSSPageSize: true }))),
  };
}

/**
 * Checks whether an element of a page has a perspective or a 3D transform. Earlier frames determine the scale at which
 * Chromium renders it, and whether it is rendered at all (`PictureLayerImpl`, "things are unpredictable").
 */
export type Has3dTransforms = () => Promise<boolean>;

/** Creates the check for a stable page. It evaluates the page on the first call and caches the result. */
export function create3dTransformsCheck(page: Page): Has3dTransforms {
  let cached: Promise<boolean> | null = null;
  return () => {
    cached ??= evaluateInFrames<boolean>(page, `(${String(detect3dTransforms)})((${String(openRoots)})())`).then(
      (results) => results.some(Boolean),
    );
    return cached;
  };
}

/** Runs in the page. */
function detect3dTransforms(roots: readonly Root[]): boolean {
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      const { perspective, transform } = getComputedStyle(element);
      if (perspective !== 'none' && perspective !== '') return true;
      if (transform.startsWith('matrix3d')) {
        const { m14, m24, m34 } = new DOMMatrixReadOnly(transform);
        if (m14 !== 0 || m24 !== 0 || m34 !== 0) return true;
      }
    }
  }
  return false;
}
