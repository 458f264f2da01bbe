import type { Frame, Page } from '@playwright/test';
import { createTools, type Tools } from './tools.js';

const TOOLS = `(${String(createTools)})()`;

/** Source text of an expression: the document and its shadow roots. */
export const ROOTS = `${TOOLS}.listRoots()`;

/** Lists the frames that have a document. Evaluating in another one, such as a lazy one, never resolves. */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame === page.mainFrame() || frame.url() !== '');
}

/** Evaluates an expression, given as source text, in every frame that has a document, except those that the page removes meanwhile. */
export async function evaluateInFrames<T>(page: Page, source: string): Promise<T[]> {
  return source === '' ? [] : inEachFrame(page, (frame) => frame.evaluate<T>(source));
}

/** A function for the page. It is sent as source text, so it can call only its values, and what {@link createTools} creates. */
type InPage<Values extends readonly unknown[], Result> = (tools: Tools, ...values: Values) => Result | Promise<Result>;

/** Calls a function in every frame, as {@link callIn} and {@link evaluateInFrames} do. */
export function callInFrames<Values extends readonly unknown[], Result>(
  page: Page,
  run: InPage<Values, Result>,
  ...values: Values
): Promise<Result[]> {
  return inEachFrame(page, (frame) => callIn(frame, run, ...values));
}

/** Calls a function in a page or a frame, with any number of values. They may be functions. */
export function callIn<Values extends readonly unknown[], Result>(
  target: Page | Frame,
  run: InPage<Values, Result>,
  ...values: Values
): Promise<Result> {
  const sources = values.map((value) => (typeof value === 'function' ? String(value) : JSON.stringify(value)));
  return target.evaluate<Result>(`(${String(run)})(${[TOOLS, ...sources].join(', ')})`);
}

/** Does work in every frame, as {@link evaluateInFrames} does. */
export async function inEachFrame<T>(page: Page, work: (frame: Frame) => Promise<T>): Promise<T[]> {
  const ended = framesOf(page).map((frame) => work(frame).then((value) => [value], ignoreDetached));
  return (await Promise.all(ended)).flatMap((value) => value ?? []);
}

export function ignoreDetached(cause: unknown): undefined {
  if (!/detached|Execution context was destroyed/.test(String(cause))) throw cause;
}
