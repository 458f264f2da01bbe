import type { Frame, Page } from '@playwright/test';

/**
 * Lists the frames that have a document. In one whose document has not come (a lazy one that was not scrolled to, one that
 * is never answered) there is nothing to do, and whatever is asked of it would be waited for without end.
 */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame === page.mainFrame() || frame.url() !== '');
}

/**
 * Evaluates an expression, given as source text, in every frame that has a document.
 *
 * @returns the values, in no order; a frame that the page removes meanwhile has none.
 */
export async function evaluateInFrames<T>(page: Page, source: string): Promise<T[]> {
  const values: T[] = [];
  const evaluate = async (frame: Frame) => void values.push(await frame.evaluate<T>(source));
  if (source !== '') await Promise.all(framesOf(page).map((frame) => evaluate(frame).catch(ignoreDetached)));
  return values;
}

/** A frame that is gone needs nothing; a frame that is still there does. */
function ignoreDetached(cause: unknown): void {
  if (!/detached|Execution context was destroyed/.test(String(cause))) throw cause;
}

/** Returns the document of a page as it stands, as HTML. */
export function readDocument(page: Page): Promise<string> {
  return page.content();
}
