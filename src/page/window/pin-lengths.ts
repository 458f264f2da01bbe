import type { Page } from '@playwright/test';
import type { Size } from '../../model/index.js';
import { callIn, callInFrames } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';

/**
 * Resizes the window. Lengths that follow its height keep what they were. No frame is drawn between the sizes, so the page observes only the
 * last one.
 */
export async function pinLengths(page: Page, from: Size, to: Size): Promise<void> {
  await callIn(page, watchLengths);
  await page.setViewportSize(to);
  const isFollowing = await callIn(page, ({ memory }) => memory.lengths?.compare());
  if (!isFollowing) return;
  await page.setViewportSize(from);
  await callIn(page, ({ memory }) => memory.lengths?.read());
  await page.setViewportSize(to);
  await callIn(page, ({ memory }) => memory.lengths?.pin());
}

/** Detaches what is not a length from the height of the window, in all frames. Call it before the window grows. */
export async function detachFromHeight(page: Page): Promise<void> {
  await callInFrames(page, detachDocument);
}

/**
 * Gives media queries about the height of the window the result that they have now, in all style sheets that a script may read. A background
 * that is fixed to the window becomes one of its element: it would be as tall as the window.
 */
function detachDocument({ memory, listRoots, findAll }: Tools): void {
  const isOfHeight = /height|aspect-ratio|orientation/;
  const fix = (media: MediaList) => {
    if (isOfHeight.test(media.mediaText)) media.mediaText = matchMedia(media.mediaText).matches ? 'all' : 'not all';
  };
  const visit = (sheet: CSSStyleSheet | CSSGroupingRule) => {
    try {
      for (const rule of sheet.cssRules) {
        if (rule instanceof CSSMediaRule) fix(rule.media);
        if (rule instanceof CSSGroupingRule) visit(rule);
        if (rule instanceof CSSImportRule) {
          fix(rule.media);
          if (rule.styleSheet) visit(rule.styleSheet);
        }
      }
    } catch {
      // A style sheet of another origin.
    }
  };
  for (const root of listRoots())
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      fix(sheet.media);
      visit(sheet);
    }
  for (const element of findAll<HTMLElement>('body *'))
    if (getComputedStyle(element).backgroundAttachment.includes('fixed'))
      memory.override(element, { 'background-attachment': 'scroll' });
}

/**
 * Finds the elements that follow the height of the window: their boxes differ between two heights. The computed values of their lengths say
 * why: those in units of the window differ; percentages and `auto` do not.
 */
function watchLengths({ memory, findAll }: Tools): void {
  const properties = [
    ...['height', 'min-height', 'max-height', 'top', 'bottom', 'margin-top', 'margin-bottom', 'padding-top'],
    ...['padding-bottom', 'font-size', 'line-height', 'row-gap', 'flex-basis', 'grid-template-rows', 'grid-auto-rows'],
    ...['transform', 'translate', 'background-size', 'background-position-y', 'block-size', 'width', 'max-width'],
  ];
  const elements = findAll('*');
  const boxOf = (element: Element) => {
    const { top, height, width } = element.getBoundingClientRect();
    const parent = element.parentElement?.getBoundingClientRect().top ?? 0;
    return [height, width, top - parent] as const;
  };
  const before = elements.map(boxOf);
  const valuesOf = (element: Element) => {
    const map = element.computedStyleMap();
    return properties.map((name) => map.get(name)?.toString() ?? '');
  };
  const note = (element: HTMLElement | SVGElement) => {
    const { height, top, position } = getComputedStyle(element);
    return { element, values: valuesOf(element), usedHeight: height, usedTop: top, position };
  };
  let following: (HTMLElement | SVGElement)[] = [];
  let noted: ReturnType<typeof note>[] = [];
  memory.lengths = {
    compare() {
      following = elements.filter((element, index): element is HTMLElement | SVGElement => {
        if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
        const old = before[index];
        const hasMoved = old && boxOf(element).some((length, at) => Math.abs(length - (old[at] ?? 0)) > 0.01);
        return hasMoved || getComputedStyle(element).position === 'fixed';
      });
      return following.length > 0;
    },
    read() {
      noted = following.map(note);
    },
    pin() {
      for (const { element, values, usedHeight, usedTop, position } of noted) {
        const now = valuesOf(element);
        // A computed value that differs has a unit of the window.
        for (const [index, name] of properties.entries())
          if (now[index] !== values[index] && values[index] !== undefined)
            memory.override(element, { [name]: values[index] });
        const isRoot = element === document.documentElement;
        const isPlaced = position === 'fixed' || (position === 'absolute' && isOfWindow(element));
        const style = getComputedStyle(element);
        // In a page without a doctype, a percentage of an ancestor without a height is one of the window.
        const isQuirk = document.compatMode === 'BackCompat' && now[0]?.includes('%');
        // Percentages of the window: the document resolves them, and elements that are placed in the window.
        const isResolved = isPlaced || isQuirk || (isRoot && now[0] !== 'auto');
        if (isResolved && style.height !== usedHeight) memory.override(element, { height: usedHeight });
        if (isPlaced && !isAtEnd(element, position) && style.top !== usedTop && usedTop !== 'auto')
          memory.override(element, { top: usedTop, bottom: 'auto' });
      }
    },
  };
  /**
   * What is fixed to the end of the window, such as a bar, goes to the end of the page: there, it covers only what it covers for a visitor, too.
   */
  function isAtEnd(element: Element, position: string): boolean {
    const map = element.computedStyleMap();
    return position === 'fixed' && `${map.get('top')}` === 'auto' && `${map.get('bottom')}` !== 'auto';
  }
  /** An absolute element without a positioned ancestor follows the window. */
  function isOfWindow(element: Element): boolean {
    const parent = element instanceof HTMLElement ? element.offsetParent : null;
    return parent === null || (parent === document.body && getComputedStyle(document.body).position === 'static');
  }
}
