import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Rectangle } from '../../../model/image.js';

interface Properties {
  readonly label: string;
  readonly pane: RefObject<HTMLElement | null>;
  readonly onScroll?: () => void;
  readonly children: ComponentChildren;
}

/** A window onto a canvas; it is scrolled by keys as well. */
export function Pane({ label, pane, onScroll, children }: Properties) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
    <section class="pane" ref={pane} aria-label={label} tabIndex={0} {...(onScroll && { onScroll })}>
      {children}
    </section>
  );
}

/** Scrolls a pane so that a place of its canvas is in the middle, or its top near the top where it is larger. */
export function scrollToPlace(pane: HTMLElement | null, { x, y, width, height }: Rectangle, scale: number): void {
  if (!pane) return;
  const from = (start: number, length: number, room: number) =>
    start * scale - Math.max(MARGIN, (room - length * scale) / 2);
  pane.scrollTo({
    left: from(x, width, pane.clientWidth),
    top: from(y, height, pane.clientHeight),
    behavior: 'instant',
  });
}

/** How much is seen around a place at least, pixels. */
const MARGIN = 40;

/** Tells, now and whenever its size changes, by what scale a canvas fits into a pane; never larger than 1:1. */
export function useFit(pane: RefObject<HTMLElement | null>, width: number, onFit: (fit: number) => void): void {
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const measure = () => onFit(Math.min(1, element.clientWidth / width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane, width, onFit]);
}
