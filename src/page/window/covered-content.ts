import type { Tools } from '../in-page/tools.js';

/**
 * Runs in a page whose window shows all of it. Lists texts and pictures that a fixed element covers in the first window, and that a visitor sees
 * once the page is scrolled.
 *
 * @param firstHeight - the height of the window that was asked for, in CSS pixels
 */
export function listCovered({ findAll, isInside, isShown, nameOf }: Tools, firstHeight: number): string[] {
  const isFixed = (element: Element) => getComputedStyle(element).position === 'fixed';
  // What is fixed to the end of the window is at the end of the page, and covers there what it always covers.
  const isInFirst = (element: Element) => element.getBoundingClientRect().bottom <= firstHeight;
  const covers = findAll('body *').filter((element) => isFixed(element) && isShown(element) && isInFirst(element));
  if (covers.length === 0) return [];
  const isPicture = (element: Element) => element.matches('img, svg, canvas, video, iframe, input');
  const hasText = (element: Element) =>
    Array.from(element.childNodes).some((node) => node instanceof Text && node.data.trim() !== '');
  const boxOf = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return (isPicture(element) ? element : range).getBoundingClientRect();
  };
  const topAt = (x: number, y: number) => {
    let top = document.elementFromPoint(x, y);
    for (;;) {
      const inner = top?.shadowRoot?.elementFromPoint(x, y);
      if (!inner || inner === top) return top;
      top = inner;
    }
  };
  const isOpaque = (element: Element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return isPicture(element) || backgroundColor.startsWith('rgb(') || backgroundImage !== 'none';
  };
  const parts = findAll('body *').filter((element) => (isPicture(element) || hasText(element)) && isShown(element));
  return covers.flatMap((cover) => {
    const { left, right, top, bottom } = cover.getBoundingClientRect();
    const covered = parts.find((part) => {
      const box = boxOf(part);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (x < left || x > right || y < top || y > bottom || box.width === 0 || isInside(part, cover)) return false;
      // What begins at the top of the window never comes out from under a header, and what is too far down never from under a bar.
      if (box.height > top || box.bottom - top > innerHeight - firstHeight) return false;
      const hit = topAt(x, y);
      if (!hit || !isInside(hit, cover)) return false;
      for (let one: Element | null = hit; one; one = one === cover ? null : one.parentElement)
        if (isOpaque(one)) return true;
      return false;
    });
    return covered ? [`${nameOf(cover)} covers ${nameOf(covered)}, which is seen when the page is scrolled`] : [];
  });
}
