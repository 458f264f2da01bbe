import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Lets a pointer drag the divider: tells where it is, 0..100 of the canvas' width. */
export function useDrag(
  pane: RefObject<HTMLElement | null>,
  isOn: boolean,
  onBalance: (balance: number) => void,
): void {
  useEffect(() => {
    const element = pane.current;
    if (!element || !isOn) return;
    const follow = (event: PointerEvent) => {
      const canvas = element.firstElementChild?.getBoundingClientRect();
      if (!canvas || event.buttons !== 1) return;
      onBalance(Math.min(100, Math.max(0, (100 * (event.clientX - canvas.left)) / canvas.width)));
    };
    element.addEventListener('pointerdown', follow);
    element.addEventListener('pointermove', follow);
    return () => {
      element.removeEventListener('pointerdown', follow);
      element.removeEventListener('pointermove', follow);
    };
  }, [pane, isOn, onBalance]);
}
