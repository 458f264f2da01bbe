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
 * @returns the values in no particular order, without those of frames that the page removes during the call.
 */
export async function evaluateInFrames<T>(page: Page, source: string): Promise<T[]> {
  const values: T[] = [];
  const evaluate = async (frame: Frame) => void values.push(await frame.evaluate<T>(source));
  const frames = source === '' ? [] : framesOf(page);
  await Promise.all(frames.map((frame) => evaluate(frame).catch(ignoreDetached)));
  return values;
}

/** Rethrows all errors except those of detached frames. */
function ignoreDetached(cause: unknown): void {
  if (!/detached|Execution context was destroyed/.test(String(cause))) throw cause;
}

/** Returns the current document of a page as HTML. */
export function readDocument(page: Page): Promise<string> {
  return page.content();
}

/** A document or an open shadow root. */
export type Root = Document | ShadowRoot;

/**
 * Runs in the page. Lists a root and all open shadow roots within it, outer ones first. This is the only walk over all
 * elements of a document; frames have their own documents.
 */
export function openRoots(start: Root = document): Root[] {
  const roots = [start];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  return roots;
}
