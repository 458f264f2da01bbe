import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Shows all keys in a dialog; `?`, Escape or its button closes it. */
export function Help({ bindings, onClose }: { bindings: readonly Binding[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog help"
      aria-label="Keys"
      onClose={onClose}
      onKeyDown={(event) => event.key === '?' && dialog.current?.close()}
    >
      <h2>Keys</h2>
      <dl>
        {bindings.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

/** What a key does. */
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
  | 'less'
  | 'more'
  | 'fit'
  | 'actual'
  | 'in'
  | 'out'
  | 'marks'
  | 'attempt'
  | 'approve'
  | 'reject'
  | 'approve-group'
  | 'reject-group'
  | 'undo';

/** A line of the help: the keys, and what they do. */
export interface Binding {
  readonly action: Action;
  readonly keys: readonly string[];
  readonly what: string;
}

/** Keys of the overview. */
export const SHEET_KEYS: readonly Binding[] = [
  { action: 'next', keys: ['j'], what: 'next shot or group' },
  { action: 'previous', keys: ['k'], what: 'previous shot or group' },
  { action: 'open', keys: ['Enter'], what: 'open it' },
  { action: 'search', keys: ['/'], what: 'search' },
  { action: 'approve', keys: ['a'], what: 'approve the shot or the group' },
  { action: 'reject', keys: ['x'], what: 'reject it' },
  { action: 'undo', keys: ['u'], what: 'take the last decision back' },
  { action: 'help', keys: ['?'], what: 'show or hide these keys' },
];

/** Keys of one shot. */
export const SHOT_KEYS: readonly Binding[] = [
  { action: 'next', keys: ['j'], what: 'next shot' },
  { action: 'previous', keys: ['k'], what: 'previous shot' },
  { action: 'next-region', keys: ['n'], what: 'next region, at 1:1' },
  { action: 'previous-region', keys: ['p'], what: 'previous region' },
  { action: 'side', keys: ['s'], what: 'side by side' },
  { action: 'slider', keys: ['l'], what: 'slider' },
  { action: 'flip', keys: ['f'], what: 'flip: hold it to see before' },
  { action: 'onion', keys: ['o'], what: 'onion skin' },
  { action: 'diff', keys: ['d'], what: 'diff' },
  { action: 'less', keys: ['['], what: 'move the slider or the onion skin towards before' },
  { action: 'more', keys: [']'], what: 'move it towards after' },
  { action: 'fit', keys: ['0'], what: 'fit to the width' },
  { action: 'actual', keys: ['1'], what: 'one to one' },
  { action: 'in', keys: ['+', '='], what: 'larger' },
  { action: 'out', keys: ['-'], what: 'smaller' },
  { action: 'marks', keys: ['m'], what: 'show or hide the marks of regions' },
  { action: 'attempt', keys: ['t'], what: 'next attempt of a flaky shot' },
  { action: 'approve', keys: ['a'], what: 'approve the shot' },
  { action: 'reject', keys: ['x'], what: 'reject the shot' },
  { action: 'approve-group', keys: ['A'], what: 'approve its whole group' },
  { action: 'reject-group', keys: ['X'], what: 'reject its whole group' },
  { action: 'undo', keys: ['u'], what: 'take the last decision back' },
  { action: 'back', keys: ['Escape'], what: 'back to all shots' },
  { action: 'help', keys: ['?'], what: 'show or hide these keys' },
];

/** Returns what a key does; null: nothing of ours, as while somebody types. */
export function actionOf(event: KeyboardEvent, bindings: readonly Binding[]): Action | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if (isTyping(event.target)) return null;
  const found = bindings.find(({ keys }) => keys.includes(event.key));
  // Enter on a button or a link is that button's.
  if (found?.action === 'open' && event.target !== document.body) return null;
  return found?.action ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === 'search';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

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
