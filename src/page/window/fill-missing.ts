import type { Page } from '@playwright/test';
import { decodeImage, encodePng } from '../../image/index.js';
import type { Capture, CaptureSettings, EncodedImage, Pixels, Rectangle, Size, Warning } from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';
import { callIn } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import type { PageClock } from '../page-clock.js';
import { listStatesBesidePanels } from './beside-panels.js';
import { listCovered } from './covered-content.js';
import { boxAround, type Cell, isSameCell, missingCells, overlaps, paintCell } from './missing-cells.js';
import { LOOKED_MS, renderLook, watchPinned } from './pinned-parts.js';

/** Maximum number of positions that are looked at. */
const MAX_POSITIONS = 60;

/** How long later missing content is looked at again, in milliseconds of the page's time, and which share of it may have moved. */
const MOVED_MS = 370;
const MOVING_SHARE = 0.1;

/** Share of the page beyond which a fixed element is its content, such as the root of an application. */
const MAX_FIXED_SHARE = 0.5;

/** Maximum number of areas that are named. */
const MAX_WARNINGS = 3;

/** Checks whether missing content is painted. Otherwise, each area is a warning: masks and ignored areas are known of the image only. */
export function paintsMissing({ fullSize, format, mask, ignore }: CaptureSettings): boolean {
  return fullSize && format === 'png' && mask.length === 0 && ignore.selectors.length === 0;
}

/**
 * Scrolls down a page in the window that was asked for, and compares what a visitor sees with the image at the same place. Content that
 * was seen and is blank in the image is painted into it: a list may draw a fixed number of rows, however tall the window is. Elements that are
 * fixed or sticky are hidden meanwhile: the image has them elsewhere. Call it after the image.
 *
 * Half of the remaining time is used. Once content was painted, the rest is looked at in any case: a half painted image would differ from run to run.
 *
 * @returns the same image if nothing is missing, and warnings
 */
export async function fillMissing(
  { page, clock, settings, deadline }: CaptureContext,
  windowSize: Size,
  image: EncodedImage,
): Promise<Pick<Capture, 'image' | 'warnings'>> {
  const paints = paintsMissing(settings);
  const whole = await decodeImage(image);
  const leftMs = deadline.remainingMs(1 / 2);
  const fixed = await page.evaluate(listFixed, MAX_FIXED_SHARE);
  const covered = paints ? await callIn(page, listCovered, windowSize.height) : [];
  const parts = new Map<string, string>();
  await callIn(page, watchPinned);
  await clock.awaiting(page.setViewportSize(windowSize));
  await clock.pass(LOOKED_MS, LOOKED_MS);
  const warnings: Warning[] = [];
  let isFilled = false;
  let first: Look['size'] = null;
  for (let count = 1, part = 0, step = 0; ; count++, step++) {
    const look = await page.evaluate(part === 0 ? lookAt : lookInPanel, { part, step });
    if (!look) break;
    const { view, scrolled, isEnd, size } = look;
    first ??= size;
    const longerBy = size && first ? size.height - first.height : 0;
    // A list with rows of estimated heights becomes longer, too, but its number of elements stays about the same.
    if (size && first && longerBy > windowSize.height / 2 && size.elements > first.elements) {
      warnings.push(missing(`the page becomes ${longerBy} px longer when it is scrolled to ${scrolled} px`));
      break;
    }
    await clock.pass(LOOKED_MS, LOOKED_MS / 4);
    const seen = await shootWindow(clock, windowSize);
    const looks = part === 0 ? await page.evaluate(() => window.__proofsheet?.pinned?.list()) : [];
    for (const { name, text } of looks ?? []) {
      const by = step === 1 ? '' : ` by ${scrolled} px`;
      const when = scrolled === 0 ? 'at the top of the page' : `when the page is scrolled${by}`;
      if (!parts.has(name)) parts.set(name, `${name} ${renderLook(text)} ${when}`);
    }
    const found = missingCells(seen, whole, view, scrolled).filter((cell) => !fixed.some((box) => overlaps(cell, box)));
    const cells = found.length > 0 ? await withoutMoving(found, seen, scrolled, clock, windowSize) : [];
    if (cells.length > 0 && paints) for (const cell of cells) paintCell(seen, whole, cell, scrolled);
    else if (cells.length > 0) warnings.push(await warnOfMissing(page, boxAround(cells), scrolled));
    isFilled ||= cells.length > 0 && paints;
    if (isEnd || scrolled + view.y + view.height >= whole.height) {
      part++;
      step = -1;
    }
    if (count < MAX_POSITIONS && (isFilled || deadline.remainingMs() > leftMs)) continue;
    warnings.push(warnOfUnproven('the page is too slow or too tall', scrolled + view.height));
    break;
  }
  const hasTime = () => paints && deadline.remainingMs() > leftMs;
  for (const part of await listStatesBesidePanels(page, clock, hasTime)) parts.set(part, part);
  const filled = isFilled ? { ...image, bytes: encodePng(whole) } : image;
  // What is masked is not compared, and may be such a part.
  const pinned = paints
    ? Array.from(parts.values(), (part) => missing(`${part}, and the image shows another state of it`))
    : [];
  const hidden = covered.map((part) => missing(`${part}, and is not in the image`));
  return { image: filled, warnings: [warnings, pinned, hidden].flatMap((some) => some.slice(0, MAX_WARNINGS)) };
}

/** Runs in the page. Lists the boxes of elements that are fixed or sticky: they are hidden while the page is scrolled. Notes where panels are. */
function listFixed(maxShare: number): Rectangle[] {
  for (const one of window.__proofsheet?.panels?.looked ?? [])
    one.top = one.panel.getBoundingClientRect().top + scrollY;
  const { scrollWidth, scrollHeight } = document.documentElement;
  return Array.from(document.querySelectorAll('body *')).flatMap((element) => {
    if (!/fixed|sticky/.test(getComputedStyle(element).position)) return [];
    const { x, y, width, height } = element.getBoundingClientRect();
    return width * height > maxShare * scrollWidth * scrollHeight
      ? []
      : [{ x: x + scrollX, y: y + scrollY, width, height }];
  });
}

async function shootWindow(clock: PageClock, size: Size): Promise<Pixels> {
  return decodeImage({ bytes: await clock.shoot('png', 100), size, codec: 'png' });
}

/** Leaves out what moves: the image has it at another place. */
async function withoutMoving(
  cells: readonly Cell[],
  seen: Pixels,
  scrolled: number,
  clock: PageClock,
  windowSize: Size,
): Promise<readonly Cell[]> {
  await clock.pass(MOVED_MS, MOVED_MS);
  const later = await shootWindow(clock, windowSize);
  const still = cells.filter((cell) => isSameCell(seen, later, { x: cell.x, y: cell.y - scrolled }));
  return cells.length - still.length > MOVING_SHARE * cells.length ? [] : still;
}

async function warnOfMissing(page: Page, { x, y, width, height }: Rectangle, scrolled: number): Promise<Warning> {
  const element = await callIn(page, nameAt, x + width / 2, y + height / 2 - scrolled);
  const area = `the area of ${width}x${height} px at ${x}, ${y} (${element})`;
  return missing(`${area} was seen when scrolled to, and is blank in the image`);
}

/** Returns the warning that a page is not compared with what a visitor sees, from a number of pixels on. */
export function warnOfUnproven(reason: string, fromPx = 0): Warning {
  const part = fromPx === 0 ? 'the image' : `what is below ${fromPx} px`;
  return missing(`${part} is not compared with what a visitor sees: ${reason}`);
}

function missing(message: string): Warning {
  return { code: 'content-missing', message };
}

/** What a page shows at a position. */
interface Look {
  /** The part of the window that scrolls. */
  readonly view: Rectangle;
  /** CSS pixels by which it was scrolled. */
  readonly scrolled: number;
  readonly isEnd: boolean;
  /** The height of the page, in CSS pixels, and the number of its elements; null if a panel is scrolled. */
  readonly size: { readonly height: number; readonly elements: number } | null;
}

/** Runs in the page. Scrolls the page by a number of its windows. Hides what does not scroll with it. */
function lookAt({ step }: { step: number }): Look {
  const root = document.scrollingElement ?? document.documentElement;
  root.scrollTo({ top: step * innerHeight, left: 0, behavior: 'instant' });
  const scrolled = Math.round(root.scrollTop);
  const { pinned } = window.__proofsheet ?? {};
  if (!pinned) throw new Error('another document has replaced the page');
  pinned.hide();
  return {
    view: { x: 0, y: 0, width: root.clientWidth, height: innerHeight },
    scrolled,
    isEnd: scrolled + innerHeight >= root.scrollHeight - 1 || scrolled < step * innerHeight,
    size: { height: root.scrollHeight, elements: document.querySelectorAll('*').length },
  };
}

/** Runs in the page. Scrolls a panel, in the size that it has without a capture. */
function lookInPanel({ part, step }: { part: number; step: number }): Look | null {
  const one = window.__proofsheet?.panels?.looked[part - 1];
  if (!one) return null;
  const { panel, styles, top } = one;
  if (step === 0) {
    for (const { element, style } of styles) element.style.cssText = style;
    window.__proofsheet?.pinned?.showCanvases(panel);
  }
  panel.scrollTo({ top: step * panel.clientHeight, behavior: 'instant' });
  panel.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const box = panel.getBoundingClientRect();
  const [x, y] = [Math.ceil(box.left + panel.clientLeft), Math.ceil(box.top + panel.clientTop)];
  return {
    view: { x, y, width: panel.clientWidth, height: panel.clientHeight },
    scrolled: Math.round(top + panel.scrollTop - box.top),
    isEnd:
      panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 1 || panel.scrollTop < step * panel.clientHeight,
    size: null,
  };
}

/** Runs in the page. Names the element at a point of the window. */
function nameAt({ nameOf }: Tools, x: number, y: number): string {
  const element = document.elementFromPoint(x, y);
  return element ? nameOf(element) : 'no element';
}
