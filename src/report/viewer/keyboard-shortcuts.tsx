import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A keyboard shortcut. `keys` are values of `KeyboardEvent.key`. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly description: string;
  readonly onPress: () => unknown;
  readonly onRelease?: () => unknown;
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Shows a modal dialog. Its buttons, Escape and `?` close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onKeyDown={(event) => event.key === '?' && event.currentTarget.close()}
    >
      <h2>{title}</h2>
      <form method="dialog">{children}</form>
    </dialog>
  );
}

function ShortcutsDialog(props: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={props.onClose}>
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
      <button type="submit">Close</button>
    </Dialog>
  );
}

/**
 * Listens to keyboard shortcuts while the component is mounted. Ignores key presses while a dialog is open. Returns the button and the dialog that
 * list them.
 */
export function useShortcuts(own: readonly Shortcut[]) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const shortcuts = [...own, { keys: ['?'], description: 'show or hide the keyboard shortcuts', onPress: open }];
  const now = useRef<readonly Shortcut[]>(shortcuts);
  now.current = shortcuts;
  // A layout effect runs before the page is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const find = ({ key }: KeyboardEvent) => now.current.find(({ keys }) => keys.includes(key));
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = find(event);
      if (!shortcut || isForOthers(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      shortcut.onPress();
    };
    const onKeyUp = (event: KeyboardEvent) => void find(event)?.onRelease?.();
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('keyup', onKeyUp);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keyup', onKeyUp);
    };
  }, []);
  const button = (
    <button type="button" class="help-button" aria-label="Keyboard shortcuts" onClick={open}>
      ?
    </button>
  );
  return { button, dialog: isOpen && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setOpen(false)} /> };
}

/** Checks whether a key press is for the browser, for a field, or for the focused button or link, which Enter activates. */
function isForOthers({ ctrlKey, metaKey, altKey, defaultPrevented, key, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return true;
  if (target instanceof HTMLInputElement) return ['search', 'text'].includes(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
