import { useEffect, useRef } from 'preact/hooks';
import type { Binding } from './keys.js';

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
