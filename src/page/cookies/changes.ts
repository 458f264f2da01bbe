import type { Changes, CookieState } from './in-page.js';

/** Runs in the page. Creates the functions that change the page. Each change adds its undo function to the state. */
export function createChanges(state: CookieState): Changes {
  const MAX_TEXT = 80;
  const saveProperty = (element: HTMLElement, property: string) => {
    const value = element.style.getPropertyValue(property);
    const priority = element.style.getPropertyPriority(property);
    const hadStyle = element.hasAttribute('style');
    state.undo.push(() => {
      if (value === '') element.style.removeProperty(property);
      else element.style.setProperty(property, value, priority);
      if (!hadStyle && element.getAttribute('style') === '') element.removeAttribute('style');
    });
  };

  const override = (element: HTMLElement, property: string, value: string) => {
    saveProperty(element, property);
    element.style.setProperty(property, value, 'important');
  };

  /** Runs a function without its dialog and focus events. The page could interpret `close` as an answer of the user. */
  const withoutEvents = (act: () => void) => {
    const events = ['beforetoggle', 'toggle', 'close', 'cancel', 'focus', 'focusin', 'focusout', 'blur'];
    const stop = (event: Event) => event.stopImmediatePropagation();
    for (const event of events) addEventListener(event, stop, true);
    act();
    const restore = () => {
      for (const event of events) removeEventListener(event, stop, true);
    };
    // The browser fires `close` and `toggle` in a separate task. On a busy machine the first timer may run before it.
    setTimeout(() => setTimeout(restore), 20);
  };

  const closeModal = (dialog: HTMLDialogElement) => {
    if (!dialog.matches(':modal')) return;
    withoutEvents(() => dialog.close());
    state.undo.push(() => {
      if (dialog.isConnected && !dialog.open) withoutEvents(() => dialog.showModal());
    });
  };

  return {
    hide(element, description, text) {
      // If the page showed the element again, its undo function already exists.
      if (state.hidden.has(element)) return element.style.setProperty('display', 'none', 'important');
      const { height } = element.getBoundingClientRect();
      state.heights.push(height, ...[...element.children].map((child) => child.getBoundingClientRect().height));
      state.hidden.add(element);
      state.removed.push({ element: description, text: text.slice(0, MAX_TEXT) });
      // A modal dialog keeps the rest of the page inert, even if it is hidden.
      for (const dialog of [element, ...element.querySelectorAll('dialog')])
        if (dialog instanceof HTMLDialogElement) closeModal(dialog);
      override(element, 'display', 'none');
    },
    unset(element, properties) {
      const present = properties.filter((property) => element.style.getPropertyValue(property) !== '');
      for (const property of present) {
        saveProperty(element, property);
        element.style.removeProperty(property);
      }
      return present.length > 0;
    },
    override,
    dropAttribute(element, name) {
      const value = element.getAttribute(name) ?? '';
      element.removeAttribute(name);
      state.undo.push(() => element.setAttribute(name, value));
    },
    dropClass(element, name) {
      element.classList.remove(name);
      state.undo.push(() => element.classList.add(name));
    },
    disable(sheet) {
      if (sheet.disabled) return;
      sheet.disabled = true;
      state.undo.push(() => {
        sheet.disabled = false;
      });
    },
  };
}
