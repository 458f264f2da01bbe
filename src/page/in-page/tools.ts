import type { createMemory, PageMemory } from './memory.js';

export type Root = Document | ShadowRoot;

export type Tools = ReturnType<typeof createTools>;

/** Runs in the page. */
export function createTools(create: typeof createMemory) {
  const memory: PageMemory = window.__proofsheet ?? create();
  // A page that lists its globals does not find them.
  Object.defineProperty(window, '__proofsheet', { value: memory, writable: true, enumerable: false });
  Object.defineProperty(window, '__proofsheetTools', { value: () => createTools(create), writable: true });
  /**
   * Puts a proxy in the place of a function or a class of the browser, if there is one, and tells of its calls, with what it returned, and its
   * first two values.
   */
  const intercept = <Result, Receiver, First, Second>(
    owner: object,
    name: string,
    note: (result: Result, receiver: Receiver, first: First, second: Second) => void,
  ) => {
    const original: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof original !== 'function') return;
    const value = new Proxy(original, {
      apply(target, receiver, args) {
        const result = Reflect.apply(target, receiver, args);
        note(result, receiver, args[0], args[1]);
        return result;
      },
      construct(target, args, newTarget) {
        const result = Reflect.construct(target, args, newTarget);
        note(result, result, args[0], args[1]);
        return result;
      },
    });
    Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  };
  let roots: Root[] | null = null;
  /** Lists the document and all shadow roots within it, also closed ones, outer ones first, as they are at the first call. */
  const listRoots = (): readonly Root[] => {
    if (roots) return roots;
    const closed = memory.closedRoots.flatMap((reference) => reference.deref() ?? []);
    roots = [document, ...closed.filter((root) => root.isConnected)];
    for (const root of roots)
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
    return roots;
  };
  /** Lists the elements of the document and its shadow roots that match. */
  const findAll = <Found extends Element = Element>(selector: string): Found[] =>
    listRoots().flatMap((root) => [...root.querySelectorAll<Found>(selector)]);
  /** Lists the elements that show something by themselves: a picture, a field, or a text. */
  const findLeaves = () => findAll('img, svg, canvas, video, iframe, input, button, :not(:has(*)):not(:empty)');
  /** Lists the animations of the document and its shadow roots. */
  const listAnimations = () => listRoots().flatMap((root) => root.getAnimations());
  /** Returns what contains a node where it is drawn: its slot, or the host of its shadow root. */
  const parentOf = (node: Node): Node | null => {
    const parent = (node instanceof Element && node.assignedSlot) || node.parentNode;
    return parent instanceof ShadowRoot ? parent.host : parent;
  };
  const isInside = (inner: Node, outer: Element): boolean => {
    for (let node: Node | null = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  /** Checks whether an element may stay in its place while the page is scrolled. */
  const isPinned = (element: Element) => /fixed|sticky/.test(getComputedStyle(element).position);
  const isInPinned = (node: Node | null): boolean =>
    node instanceof Element && (isPinned(node) || isInPinned(parentOf(node)));
  /** Names an element for a message, such as `div#menu`, `nav.top.dark`, `main#feed > div` or, in a shadow root, `order-list > div#rows`. */
  const nameOf = (element: Element): string => {
    const tag = element.tagName.toLowerCase();
    const name = element.id ? `${tag}#${element.id}` : [tag, ...Array.from(element.classList).slice(0, 2)].join('.');
    const outer = element.getRootNode() instanceof ShadowRoot || name === 'div' ? parentOf(element) : null;
    return outer instanceof Element && outer !== document.body ? `${nameOf(outer)} > ${name}` : name;
  };
  const found = { listRoots, findAll, findLeaves, listAnimations };
  return { memory, intercept, ...found, parentOf, isInside, isShown, isPinned, isInPinned, nameOf };
}
