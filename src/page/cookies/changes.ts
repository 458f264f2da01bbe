import type { CookieState } from '../in-page/memory.js';

export type Changes = ReturnType<typeof createChanges>;

/** Runs in the page. Creates the functions that change the page. Each change adds its undo function to the state. */
export function createChanges(state: CookieState) {
  const MAX_TEXT = 80;
  /** An empty value removes the property. */
  const override = (element: HTMLElement, property: string, value: string) => {
    const before = element.style.getPropertyValue(property);
    const priority = element.style.getPropertyPriority(property);
    const hadStyle = element.hasAttribute('style');
    state.undo.push(() => {
      element.style.setProperty(property, before, priority);
      if (!hadStyle && element.getAttribute('style') === '') element.removeAttribute('style');
    });
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
    hide(element: HTMLElement, description: string, text: string): void {
      // The page showed the element again.
      if (state.hidden.has(element)) return;
      const { height } = element.getBoundingClientRect();
      state.heights.push(height, ...[...element.children].map((child) => child.getBoundingClientRect().height));
      state.hidden.add(element);
      state.removed.push({ element: description, text: text.slice(0, MAX_TEXT) });
      // A modal dialog keeps the rest of the page inert, even if it is hidden.
      for (const dialog of [element, ...element.querySelectorAll('dialog')])
        if (dialog instanceof HTMLDialogElement) closeModal(dialog);
      override(element, 'display', 'none');
    },
    unset(element: HTMLElement, properties: readonly string[]): void {
      for (const property of properties)
        if (element.style.getPropertyValue(property) !== '') override(element, property, '');
    },
    override,
    dropAttribute(element: Element, name: string): void {
      const value = element.getAttribute(name) ?? '';
      element.removeAttribute(name);
      state.undo.push(() => element.setAttribute(name, value));
    },
    dropClass(element: Element, name: string): void {
      element.classList.remove(name);
      state.undo.push(() => element.classList.add(name));
    },
    disable(sheet: StyleSheet): void {
      if (sheet.disabled) return;
      sheet.disabled = true;
      state.undo.push(() => {
        sheet.disabled = false;
      });
    },
  };
}
