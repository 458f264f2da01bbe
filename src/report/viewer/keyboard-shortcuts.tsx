import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Lists keyboard shortcuts in a dialog. `?`, Escape or the button closes it. */
export function ShortcutsDialog({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog shortcuts"
      aria-label="Keyboard shortcuts"
      onClose={onClose}
      onKeyDown={(event) => event.key === '?' && dialog.current?.close()}
    >
      <h2>Keyboard shortcuts</h2>
      <dl>
        {shortcuts.map(({ keys, description }) => (
          <div key={description}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

/** An action that a keyboard shortcut triggers. */
export type Action =
  | 'help'
  | 'search'
  | 'back'
  | 'open'
  | 'next'
  | 'previous'
  | 'next-region'
  | 'previous-region'
  | 'side'
  | 'slider'
  | 'onion'
  | 'diff'
  | 'flip'
  | 'slider-left'
  | 'slider-right'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-fit'
  | 'zoom-actual'
  | 'toggle-marks'
  | 'next-attempt'
  | 'approve'
  | 'reject'
  | 'approve-group'
  | 'reject-group'
  | 'undo';

/** A keyboard shortcut. `keys` are values of `KeyboardEvent.key`. */
export interface Shortcut {
  readonly action: Action;
  readonly keys: readonly string[];
  readonly description: string;
}

/** Keyboard shortcuts of the overview. */
export const OVERVIEW_SHORTCUTS: readonly Shortcut[] = [
  { action: 'next', keys: ['j'], description: 'next shot or group' },
  { action: 'previous', keys: ['k'], description: 'previous shot or group' },
  { action: 'open', keys: ['Enter'], description: 'open the shot' },
  { action: 'search', keys: ['/'], description: 'search' },
  { action: 'approve', keys: ['a'], description: 'approve the shot or the group' },
  { action: 'reject', keys: ['x'], description: 'reject the shot or the group' },
  { action: 'undo', keys: ['u'], description: 'undo the last decision' },
  { action: 'help', keys: ['?'], description: 'show or hide the keyboard shortcuts' },
];

/** Keyboard shortcuts of a shot page. */
export const SHOT_SHORTCUTS: readonly Shortcut[] = [
  { action: 'next', keys: ['j'], description: 'next shot' },
  { action: 'previous', keys: ['k'], description: 'previous shot' },
  { action: 'next-region', keys: ['n'], description: 'next region, at 1:1' },
  { action: 'previous-region', keys: ['p'], description: 'previous region' },
  { action: 'side', keys: ['s'], description: 'side by side' },
  { action: 'slider', keys: ['l'], description: 'slider' },
  { action: 'flip', keys: ['f'], description: 'flip (hold to show the before image)' },
  { action: 'onion', keys: ['o'], description: 'onion skin' },
  { action: 'diff', keys: ['d'], description: 'diff image' },
  { action: 'slider-left', keys: ['['], description: 'move the slider towards before' },
  { action: 'slider-right', keys: [']'], description: 'move the slider towards after' },
  { action: 'zoom-fit', keys: ['0'], description: 'fit to width' },
  { action: 'zoom-actual', keys: ['1'], description: 'actual size (1:1)' },
  { action: 'zoom-in', keys: ['+', '='], description: 'zoom in' },
  { action: 'zoom-out', keys: ['-'], description: 'zoom out' },
  { action: 'toggle-marks', keys: ['m'], description: 'show or hide the region marks' },
  { action: 'next-attempt', keys: ['t'], description: 'next attempt of a flaky shot' },
  { action: 'approve', keys: ['a'], description: 'approve the shot' },
  { action: 'reject', keys: ['x'], description: 'reject the shot' },
  { action: 'approve-group', keys: ['A'], description: 'approve the group' },
  { action: 'reject-group', keys: ['X'], description: 'reject the group' },
  { action: 'undo', keys: ['u'], description: 'undo the last decision' },
  { action: 'back', keys: ['Escape'], description: 'back to all shots' },
  { action: 'help', keys: ['?'], description: 'show or hide the keyboard shortcuts' },
];

/** Returns the action of a key press. Returns null for other keys, and while the user types in a field. */
function actionOf(event: KeyboardEvent, shortcuts: readonly Shortcut[]): Action | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if (isTextEntry(event.target)) return null;
  const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
  // Enter activates the focused button or link.
  if (shortcut?.action === 'open' && event.target !== document.body) return null;
  return shortcut?.action ?? null;
}

function isTextEntry(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === 'search';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/**
 * Listens to keyboard shortcuts while the component is mounted. Ignores key presses while a dialog is open.
 *
 * @param onRelease called when the key is released. @default no action
 */
export function useShortcuts(
  shortcuts: readonly Shortcut[],
  onPress: (action: Action) => void,
  onRelease: (action: Action) => void = () => {},
): void {
  const handlers = useRef({ onPress, onRelease });
  handlers.current = { onPress, onRelease };
  // A layout effect runs before the page is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = document.querySelector('dialog[open]') ? null : actionOf(event, shortcuts);
      if (action === null) return;
      event.preventDefault();
      handlers.current.onPress(action);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
      if (shortcut) handlers.current.onRelease(shortcut.action);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('keyup', onKeyUp);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keyup', onKeyUp);
    };
  }, [shortcuts]);
}
