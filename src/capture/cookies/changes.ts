import type { Changes, CookieState } from './in-page.js';

/** Runs in the page. Gives the changes that can be made to it, and notes how each is taken back. */
export function createChanges(state: CookieState): Changes {
  const keep = (element: HTMLElement, property: string) => {
    const value = element.style.getPropertyValue(property);
    const priority = element.style.getPropertyPriority(property);
    const had = element.hasAttribute('style');
    state.undo.push(() => {
      if (value === '') element.style.removeProperty(property);
      else element.style.setProperty(property, value, priority);
      if (!had && element.getAttribute('style') === '') element.removeAttribute('style');
    });
  };

  const override = (element: HTMLElement, property: string, value: string) => {
    keep(element, property);
    element.style.setProperty(property, value, 'important');
  };

  /** A page that is told that its dialog was closed could take it for an answer. */
  const silently = (act: () => void) => {
    const events = ['beforetoggle', 'toggle', 'close', 'cancel', 'focus', 'focusin', 'focusout', 'blur'];
    const stop = (event: Event) => event.stopImmediatePropagation();
    for (const event of events) addEventListener(event, stop, true);
    act();
    // `close` and `toggle` are fired by a task of their own.
    setTimeout(() => {
      for (const event of events) removeEventListener(event, stop, true);
    }, 20);
  };

  const closeModal = (dialog: HTMLDialogElement) => {
    if (!dialog.matches(':modal')) return;
    silently(() => dialog.close());
    state.undo.push(() => {
      if (dialog.isConnected && !dialog.open) silently(() => dialog.showModal());
    });
  };

  return {
    hide(element, told) {
      // A page that shows it again is asked to undo only once.
      if (state.hidden.has(element)) return element.style.setProperty('display', 'none', 'important');
      const { height } = element.getBoundingClientRect();
      state.heights.push(height, ...[...element.children].map((child) => child.getBoundingClientRect().height));
      state.hidden.add(element);
      state.told.add(told);
      // Modal, it would keep the rest of the page inert while it is not to be seen.
      for (const dialog of [element, ...element.querySelectorAll('dialog')])
        if (dialog instanceof HTMLDialogElement) closeModal(dialog);
      override(element, 'display', 'none');
    },
    unset(element, properties) {
      const present = properties.filter((property) => element.style.getPropertyValue(property) !== '');
      for (const property of present) {
        keep(element, property);
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
