import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

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
