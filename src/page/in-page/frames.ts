import type { Frame, Page } from '@playwright/test';

/**
 * Lists the frames that have a document. A frame may have none yet: it is lazy and was not scrolled to, or its request
 * has no response. Evaluating in such a frame never resolves.
 */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame === page.mainFrame() || frame.url() !== '');
}

/**
 * Evaluates an expression, given as source text, in every frame that has a document.
 *
 * @returns the values in the order of the frames, without those of frames that the page removes during the call.
 */
export async function evaluateInFrames<T>(page: Page, source: string): Promise<T[]> {
  return source === '' ? [] : inEachFrame(page, (frame) => frame.evaluate<T>(source));
}

/** Calls a function in every frame that has a document, as {@link callIn} and {@link evaluateInFrames} do. */
export function callInFrames<Values extends readonly unknown[], Result>(
  page: Page,
  run: (...values: Values) => Result | Promise<Result>,
  ...values: Values
): Promise<Result[]> {
  return evaluateInFrames(page, sourceOfCall(run, ...values));
}

/** Calls a function in a page or a frame, with any number of values. Those that are functions are sent as source text, so that it can call them. */
export function callIn<Values extends readonly unknown[], Result>(
  target: Page | Frame,
  run: (...values: Values) => Result | Promise<Result>,
  ...values: Values
): Promise<Result> {
  return target.evaluate<Result>(sourceOfCall(run, ...values));
}

function sourceOfCall<Values extends readonly unknown[]>(run: (...values: Values) => unknown, ...values: Values) {
  const sources = values.map((value) => (typeof value === 'function' ? String(value) : JSON.stringify(value)));
  return `(${String(run)})(${sources.join(', ')})`;
}

/** Does work in every frame that has a document, as {@link evaluateInFrames} does. */
export async function inEachFrame<T>(page: Page, work: (frame: Frame) => Promise<T>): Promise<T[]> {
  const ended = framesOf(page).map((frame) => work(frame).then((value) => [value], ignoreDetached));
  return (await Promise.all(ended)).flatMap((value) => value ?? []);
}

/** Rethrows all errors except those of detached frames. */
export function ignoreDetached(cause: unknown): undefined {
  if (!/detached|Execution context was destroyed/.test(String(cause))) throw cause;
}

/** A document or a shadow root. */
export type Root = Document | ShadowRoot;

/**
 * Runs in the page. Lists the document and all shadow roots within it, also closed ones, outer ones first. Frames have their own
 * documents.
 */
export function openRoots(): Root[] {
  const closed = (window.__proofsheet?.closedRoots ?? []).flatMap((reference) => reference.deref() ?? []);
  const roots: Root[] = [document, ...closed.filter((root) => root.isConnected)];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  return roots;
}

/** Runs in the page. Returns what contains a node where it is drawn: its slot, or the host of its shadow root. */
export function parentInTree(node: Node): Node | null {
  const parent = (node instanceof Element && node.assignedSlot) || node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent;
}

/** Runs in the page. Checks whether a node is an element, or in it. */
export function isInside(inner: Node, outer: Element, parentOf: typeof parentInTree): boolean {
  for (let node: Node | null = inner; node; node = parentOf(node)) if (node === outer) return true;
  return false;
}

/** Runs in the page. Names an element for a message, such as `div#menu` or `nav.top.dark`. */
export function nameElement(element: Element): string {
  const name = element.tagName.toLowerCase();
  return element.id ? `${name}#${element.id}` : [name, ...Array.from(element.classList).slice(0, 2)].join('.');
}
