import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** A keyboard shortcut. `keys` are values of `KeyboardEvent.key`. */
export interface Shortcut<Action extends string> {
  readonly action: Action;
  readonly keys: readonly string[];
  readonly description: string;
}

export const OVERVIEW_SHORTCUTS = [
  { action: 'next', keys: ['j', ']'], description: 'next shot or group' },
  { action: 'previous', keys: ['k', '['], description: 'previous shot or group' },
  { action: 'open', keys: ['Enter'], description: 'open the shot, or the first undecided one' },
  { action: 'search', keys: ['/'], description: 'search' },
  { action: 'approve', keys: ['a'], description: 'approve the shot or the group' },
  { action: 'reject', keys: ['x'], description: 'reject the shot or the group' },
  { action: 'undo', keys: ['u'], description: 'undo the newest decision' },
  { action: 'help', keys: ['?'], description: 'show or hide the keyboard shortcuts' },
] as const satisfies readonly Shortcut<string>[];

export const SHOT_SHORTCUTS = [
  { action: 'next', keys: ['j'], description: 'next shot' },
  { action: 'previous', keys: ['k'], description: 'previous shot' },
  { action: 'next-item', keys: [']'], description: 'next group, or single shot' },
  { action: 'previous-item', keys: ['['], description: 'previous group, or single shot' },
  { action: 'next-undecided', keys: ['Enter'], description: 'next group or shot without a decision' },
  { action: 'next-region', keys: ['n'], description: 'next region, at 1:1' },
  { action: 'previous-region', keys: ['p'], description: 'previous region' },
  { action: 'side', keys: ['s'], description: 'side by side' },
  { action: 'slider', keys: ['l'], description: 'slider' },
  { action: 'flip', keys: ['f'], description: 'flip (hold to show the before image)' },
  { action: 'onion', keys: ['o'], description: 'onion skin' },
  { action: 'diff', keys: ['d'], description: 'diff image' },
  { action: 'slider-left', keys: [','], description: 'move the slider towards before' },
  { action: 'slider-right', keys: ['.'], description: 'move the slider towards after' },
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
  { action: 'undo', keys: ['u'], description: 'undo the newest decision' },
  { action: 'back', keys: ['Escape'], description: 'back to all shots' },
  { action: 'help', keys: ['?'], description: 'show or hide the keyboard shortcuts' },
] as const satisfies readonly Shortcut<string>[];

export type ShotAction = (typeof SHOT_SHORTCUTS)[number]['action'];

/** Lists keyboard shortcuts in a dialog. `?`, Escape or the button closes it. */
export function ShortcutsDialog(props: { shortcuts: readonly Shortcut<string>[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog shortcuts"
      aria-label="Keyboard shortcuts"
      onClose={props.onClose}
      onKeyDown={(event) => event.key === '?' && dialog.current?.close()}
    >
      <h2>Keyboard shortcuts</h2>
      <dl>
        {props.shortcuts.map(({ keys, description }) => (
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

/**
 * Listens to keyboard shortcuts while the component is mounted. Ignores key presses while a dialog is open.
 *
 * @param onRelease called when the key is released. @default no action
 */
export function useShortcuts<Action extends string>(
  shortcuts: readonly Shortcut<Action>[],
  onPress: (action: Action) => void,
  onRelease: (action: Action) => void = () => {},
): void {
  const handlers = useRef({ onPress, onRelease });
  handlers.current = { onPress, onRelease };
  // A layout effect runs before the page is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const find = ({ key }: KeyboardEvent) => shortcuts.find(({ keys }) => keys.includes(key));
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = find(event);
      if (!shortcut || isForOthers(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      handlers.current.onPress(shortcut.action);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      const shortcut = find(event);
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

/** Checks whether a key press is for the browser, for a field, or for the focused button or link, which Enter activates. */
function isForOthers({ ctrlKey, metaKey, altKey, defaultPrevented, key, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return true;
  if (target instanceof HTMLInputElement) return ['search', 'text'].includes(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
