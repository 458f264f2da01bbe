import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Action, actionOf, type Binding } from './keys.js';

/** Calls back for every key of a table that is pressed, and when it is let go. */
export function useKeys(
  bindings: readonly Binding[],
  onPress: (action: Action) => void,
  onRelease: (action: Action) => void = () => {},
): void {
  const latest = useRef({ onPress, onRelease });
  latest.current = { onPress, onRelease };
  // Before anybody sees the page: a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    const down = (event: KeyboardEvent) => {
      const action = document.querySelector('dialog[open]') ? null : actionOf(event, bindings);
      if (action === null) return;
      event.preventDefault();
      latest.current.onPress(action);
    };
    const up = (event: KeyboardEvent) => {
      const found = bindings.find(({ keys }) => keys.includes(event.key));
      if (found) latest.current.onRelease(found.action);
    };
    window.addEventListener('keydown', down);
    window.addEventListener('keyup', up);
    return () => {
      window.removeEventListener('keydown', down);
      window.removeEventListener('keyup', up);
    };
  }, [bindings]);
}
