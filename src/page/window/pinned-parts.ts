import type { PinnedLook } from '../in-page/memory.js';
import type { Tools } from '../in-page/tools.js';

/** How long a page lives at each position that it is scrolled to, in milliseconds of its time: what appears there has appeared. */
export const LOOKED_MS = 800;

/** Renders the look of an element as a predicate. */
export function renderLook(text: string | null): string {
  return text === null ? 'looks different' : `shows "${text}"`;
}

/**
 * Notes what the window shows, while it shows all of the page as the image does. It does not matter whether `visibility` hides a part: pinned
 * parts are hidden while the page is scrolled. What an animation of the page moves does not count.
 */
export function watchPinned({ memory, isPinned, isInPinned, nameOf }: Tools): void {
  const properties = [
    'color',
    'background-color',
    'background-image',
    'opacity',
    'box-shadow',
    'transform',
    'translate',
  ];
  const textOf = (element: Element) =>
    Array.from(element.childNodes, (node) => (node instanceof Text ? node.data.trim().replace(/\s+/g, ' ') : '')).join(
      '',
    );
  /** A canvas may be drawn again for each position of the page. One that is drawn all the time moves by itself. */
  const drawingOf = (element: Element) => {
    if (!(element instanceof HTMLCanvasElement) || memory.loopFrames.size) return '';
    try {
      return isInPinned(element) ? element.toDataURL() : '';
    } catch {
      return ''; // It has a picture of another site.
    }
  };
  /** Null if the element is not seen, or moves by itself. */
  const lookOf = (element: Element) => {
    const moves = element.getAnimations().some(({ timeline }) => timeline === document.timeline);
    if (moves || !element.checkVisibility({ opacityProperty: true })) return null;
    const style = getComputedStyle(element);
    // The place of what is pinned follows the window.
    const place = isPinned(element) ? [] : ['top', 'margin-top'];
    const values = [...properties, ...place].map((name) => style.getPropertyValue(name));
    return [textOf(element), ...values, drawingOf(element)].join('\n');
  };
  const elements = Array.from(document.querySelectorAll('body *'));
  const looks = new Map(elements.map((element) => [element, lookOf(element)]));
  const known = new Set(looks.values());
  const texts = new Set(elements.flatMap((element) => (looks.get(element) ? textOf(element) : [])));
  /** With what their attributes said of `visibility`. */
  const hidden = new Map<HTMLElement, readonly [value: string, priority: string]>();
  let usual = new Set<Element>();
  const isNew = (element: Element) => {
    const look = lookOf(element);
    // A script may write the same again.
    return looks.has(element) ? look !== null && look !== looks.get(element) : !known.has(look);
  };
  const pinnedLook = (part: Element, changed: readonly Element[]): PinnedLook => {
    const text = changed.map(textOf).find((one) => one.length > 1 && !texts.has(one));
    return { name: nameOf(part), text: text?.slice(0, 60) ?? null };
  };
  memory.pinned = {
    hide() {
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        if (!isPinned(element)) continue;
        const { style } = element;
        if (!hidden.has(element))
          hidden.set(element, [style.getPropertyValue('visibility'), style.getPropertyPriority('visibility')]);
        style.setProperty('visibility', 'hidden', 'important');
      }
    },
    show() {
      for (const [{ style }, [value, priority]] of hidden) style.setProperty('visibility', value, priority);
    },
    showCanvases(panel) {
      for (const canvas of panel.querySelectorAll('canvas'))
        if (hidden.has(canvas)) canvas.style.removeProperty('visibility');
    },
    list: () =>
      Array.from(document.querySelectorAll<HTMLElement>('body *')).flatMap((part) => {
        if (!hidden.has(part) || !isPinned(part)) return [];
        const changed = [part, ...part.querySelectorAll('*')].filter(isNew);
        return changed.length === 0 ? [] : [pinnedLook(part, changed)];
      }),
    listBeside(panel, isStart) {
      const all = Array.from(document.querySelectorAll('body *'));
      const beside = all.filter((one) => !panel.contains(one) && !one.contains(panel) && isNew(one));
      if (isStart) usual = new Set(beside);
      return beside.flatMap((one) => (usual.has(one) ? [] : [pinnedLook(one, [one])]));
    },
  };
}
