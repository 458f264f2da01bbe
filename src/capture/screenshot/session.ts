import type { Page } from '@playwright/test';
import { normalizePdf } from '../../image/pdf/media-box.js';
import { solidColor } from '../../image/solid-color.js';
import type { Warning } from '../../model/capture.js';
import type { Exclusion } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage, Rectangle } from '../../model/image.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import { findIgnored, groupBySelector } from '../ignored-areas.js';
import { evaluateInFrames } from '../in-page/frames.js';
import { type PaintedMasks, paintMasks } from '../masks.js';
import type { Matches, PageStyles } from '../page-styles.js';
import type { CaptureContext, StablePage } from '../stabilize/stabilize-page.js';
import type { Settling } from '../stabilize/stabilizers.js';
import { createScreenshotBackend, type ScreenshotBackend, type Subject } from './backend.js';

/** Everything that happens around one image of a page that stands still. */
export interface ScreenshotSession {
  /** Returns the device pixels per CSS pixel. */
  readonly deviceScale: number;
  /** Stops what moves, covers what is masked, and takes an image. */
  shoot(): Promise<Buffer>;
  /** Has the browser draw the page anew. */
  redraw(): Promise<void>;
  /**
   * Looks at the image that was chosen.
   *
   * @throws ProofsheetError `page-plain` where a whole page is of one color; `page-selector` where a mask, or something
   * ignored, matches nothing and `strictMasks` is on.
   */
  examine(image: EncodedImage): Promise<ImageCheck>;
}

/** What is to be said of an image. */
export interface ImageCheck {
  /** What each selector of `mask` covers. */
  readonly masks: readonly Exclusion[];
  /** What each entry of `ignore` covers. */
  readonly ignored: readonly Exclusion[];
  readonly warnings: readonly Warning[];
}

/** Prepares the images of a page, or of one element of it. */
export async function createScreenshotSession(
  subject: Subject,
  captureContext: CaptureContext,
  still: StablePage,
  { drawsBeyondWindow, isDeep }: { readonly drawsBeyondWindow: boolean; readonly isDeep: Has3dTransforms },
): Promise<ScreenshotSession> {
  const { page, settings, settling, pageStyles, deadline, acceptsSolidColor } = captureContext;
  const { format } = settings;
  const camera =
    format === 'pdf'
      ? createPdfBackend(page)
      : await createScreenshotBackend(
          subject,
          { ...settings, format, cutAt: still.cutAt, drawsBeyondWindow },
          deadline.remainingMs(1 / 2),
        );
  let painted: PaintedMasks = { boxes: [], unmatched: [] };
  let arranged: Arranged[] = [];
  const arrangeSource = arrangeSourceOf(pageStyles, settling);
  return {
    deviceScale: camera.deviceScale,
    async shoot() {
      if (settings.hideCookie) await hideCookieBanners(page);
      arranged = await evaluateInFrames<Arranged>(page, arrangeSource);
      painted = await paintMasks(page, settings.mask);
      return camera.shoot();
    },
    redraw: async () => camera.redraw(await isDeep()),
    async examine(image) {
      if (!acceptsSolidColor && !subject.locator && painted.boxes.length === 0) await refusePlain(page, image);
      const scale = settings.scale === 'device' ? camera.deviceScale : 1;
      const isPlaced = painted.boxes.length > 0 || settings.ignore.selectors.length > 0;
      const view = isPlaced ? await viewOf(subject, settings.fullSize) : WHOLE_PAGE;
      const place = (box: Rectangle) => placeInImage(box, view, view.zoom * scale);
      const ignored = await findIgnored(page, settings.ignore, { size: image.size, scale, place });
      return {
        masks: groupBySelector(settings.mask, painted.boxes, place),
        ignored: ignored.exclusions,
        warnings: [
          ...pageStyles.unmatched(arranged.map(({ matches }) => matches)),
          ...tellUnmatched(page, 'mask', painted.unmatched, settings.strictMasks),
          ...tellUnmatched(page, 'ignore', ignored.unmatched, settings.strictMasks),
          ...blankCanvases(arranged),
        ],
      };
    },
  };
}

/** What an image shows of the document. */
interface View {
  /** Its top left corner, in CSS pixels of the document. */
  readonly x: number;
  readonly y: number;
  /** A phone shows a page that is wider than its window smaller than it is. */
  readonly zoom: number;
}

const WHOLE_PAGE: View = { x: 0, y: 0, zoom: 1 };

async function refusePlain(page: Page, image: EncodedImage): Promise<void> {
  const color = await solidColor(image);
  if (color === null) return;
  throw new ProofsheetError({
    code: 'page-plain',
    where: page.url(),
    found: `the whole image is of one color, ${color}`,
    advice: 'The page is empty, or was not drawn: look at it in a browser; `waitFor` waits for its content.',
  });
}

async function viewOf({ page, locator }: Subject, fullSize: boolean): Promise<View> {
  if (fullSize && !locator) return WHOLE_PAGE;
  const { scrolled, seen } = await page.evaluate(measureWindow);
  const box = locator ? await locator.boundingBox() : null;
  return box ? { x: Math.floor(scrolled.x + box.x), y: Math.floor(scrolled.y + box.y), zoom: 1 } : seen;
}

/** Runs in the page. */
function measureWindow(): { scrolled: { x: number; y: number }; seen: View } {
  const scrolled = { x: scrollX, y: scrollY };
  const { pageLeft, pageTop, scale } = visualViewport ?? { pageLeft: scrollX, pageTop: scrollY, scale: 1 };
  return { scrolled, seen: { x: pageLeft, y: pageTop, zoom: scale } };
}

/** Every pixel that a box touches, at the image's scale. */
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

function tellUnmatched(page: Page, field: 'mask' | 'ignore', unmatched: readonly string[], strict: boolean): Warning[] {
  const [first] = unmatched;
  if (strict && first !== undefined)
    throw new ProofsheetError({
      code: 'page-selector',
      where: page.url(),
      found: `\`${field}\`: ${unmatched.join(', ')} ${missesBy(first)} (\`strictMasks\` makes it an error)`,
      advice: 'Mend it, or remove it.',
    });
  return unmatched.map((item) => ({
    code: `${field}-no-match`,
    message: `\`${field}\`: ${item} ${missesBy(item)}`,
  }));
}

/** What is ignored may be a rectangle. */
function missesBy(item: string): string {
  return item.startsWith('{') ? 'lies outside the image' : 'matches nothing on the page';
}

/** What a frame tells when it is made ready for an image. */
interface Arranged {
  /** Which selectors of `hide` and `remove` match something. */
  readonly matches: Matches;
  /** Names of the canvases that got no 3D context. */
  readonly blank: readonly string[];
}

/** One round trip a frame: what has come since the style was put in force is styled as well, and what moves is stopped. */
function arrangeSourceOf(pageStyles: PageStyles, { freezeSource }: Settling): string {
  return `(() => {
    const matches = ${pageStyles.source};
    ${freezeSource}
    return { matches, blank: window.__proofsheet?.blankCanvases ?? [] };
  })()`;
}

/** A browser that cannot draw in 3D leaves the canvas empty, and the page looks as if it were right. */
function blankCanvases(arranged: readonly Arranged[]): Warning[] {
  const names = arranged.flatMap(({ blank }) => blank);
  if (names.length === 0) return [];
  const message = `blank region: the browser gave no 3D context (WebGL) for ${names.join(', ')}`;
  return [{ code: 'blank-canvas', message }];
}

/** The paper of a page that does not ask for one by `@page`. */
const PAPER = 'A4';

/**
 * Creates a camera that prints: the page as a PDF, with its backgrounds, on the paper that its style asks for.
 *
 * The same page gives the same bytes: the times that a browser writes into a PDF are taken out.
 */
export function createPdfBackend(page: Page): ScreenshotBackend {
  return {
    deviceScale: 1,
    redraw: async () => {},
    shoot: async () => normalizePdf(await page.pdf({ format: PAPER, printBackground: true, preferCSSPageSize: true })),
  };
}

/**
 * Checks whether anything on a page is seen in perspective. At which scale Chromium draws that, and whether it is drawn at all,
 * depends on what was drawn before (`PictureLayerImpl`, "things are unpredictable").
 */
export type Has3dTransforms = () => Promise<boolean>;

/** Creates the gauge of a page that stands still: it looks once, when it is first asked. */
export function create3dTransformsCheck(page: Page): Has3dTransforms {
  let known: Promise<boolean> | null = null;
  return () => {
    known ??= evaluateInFrames<boolean>(page, `(${String(has3dTransforms)})()`).then((depths) => depths.some(Boolean));
    return known;
  };
}

/** Runs in the page. */
function has3dTransforms(): boolean {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      const { perspective, transform } = getComputedStyle(element);
      if (perspective !== 'none' && perspective !== '') return true;
      if (transform.startsWith('matrix3d')) {
        const { m14, m24, m34 } = new DOMMatrixReadOnly(transform);
        if (m14 !== 0 || m24 !== 0 || m34 !== 0) return true;
      }
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return false;
}
