import type { ElementHandle, Frame, Locator, Page } from '@playwright/test';
import { createMemory } from './memory.js';
import { createTools, type Tools } from './tools.js';

/** Source text of an expression: what a function for the page gets first. It needs nothing in the page, and is long. */
export const TOOLS = `(${String(createTools)})(${String(createMemory)})`;

/** The same in a document that has got {@link TOOLS} before. */
const KNOWN_TOOLS = 'window.__proofsheetTools()';

/** Lists the frames that have a document. Evaluating in another one, such as a lazy one, never resolves. */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame === page.mainFrame() || frame.url() !== '');
}

/**
 * A function for the page: whatever takes tools first runs there. It is sent as source text, so it can call only its values, and what
 * {@link createTools} creates.
 */
type InPage<Values extends readonly unknown[], Result> = (tools: Tools, ...values: Values) => Result | Promise<Result>;

/** Calls a function in every frame that has a document, except those that the page removes meanwhile. */
export function callInFrames<Values extends readonly unknown[], Result>(
  page: Page,
  run: InPage<Values, Result>,
  ...values: Values
): Promise<Result[]> {
  return inEachFrame(page, (frame) => callIn(frame, run, ...values));
}

/** Calls a function in a page or a frame, with any number of values. They may be functions, or contain some. */
export async function callIn<Values extends readonly unknown[], Result>(
  target: Page | Frame,
  run: InPage<Values, Result>,
  ...values: Values
): Promise<Result> {
  try {
    return await target.evaluate<Result>(callOf(run, ...values));
  } catch (cause) {
    // A page of a test has no init script.
    if (!/__proofsheetTools is not a function/.test(String(cause))) throw cause;
    return target.evaluate<Result>(`${TOOLS}; ${callOf(run, ...values)}`);
  }
}

/** Calls a function on an element, as {@link callIn} does. It gets the element after the tools. */
export function callOn<Values extends readonly unknown[], Result>(
  element: Locator | ElementHandle,
  run: (tools: Tools, element: HTMLElement, ...values: Values) => Result,
  ...values: Values
): Promise<Result> {
  const call = `return (${String(run)})(${[TOOLS, 'element', ...values.map(sourceOf)].join(', ')})`;
  const target: Pick<ElementHandle, 'evaluate'> = element;
  return target.evaluate(Object(new Function('element', call)));
}

/** Returns the source text of a call, as {@link callIn} makes it, for a document that has got {@link TOOLS} before. */
export function callOf<Values extends readonly unknown[]>(run: InPage<Values, unknown>, ...values: Values): string {
  return `(${String(run)})(${[KNOWN_TOOLS, ...values.map(sourceOf)].join(', ')});`;
}

/** Returns an init script that does calls of {@link callOf} in each document. */
export function initScriptOf(...calls: readonly string[]): string {
  return [`${TOOLS};`, ...calls].join('\n');
}

function sourceOf(value: unknown): string {
  if (typeof value === 'function') return String(value);
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  return `{ ${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${sourceOf(one)}`)} }`;
}

/** Does work in every frame, as {@link callInFrames} does. */
export async function inEachFrame<T>(page: Page, work: (frame: Frame) => Promise<T>): Promise<T[]> {
  const ended = framesOf(page).map((frame) => work(frame).then((value) => [value], ignoreDetached));
  return (await Promise.all(ended)).flatMap((value) => value ?? []);
}

export function ignoreDetached(cause: unknown): undefined {
  if (!/detached|Execution context was destroyed/.test(String(cause))) throw cause;
}
