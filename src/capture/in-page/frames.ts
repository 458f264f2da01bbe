import type { Frame, Page } from '@playwright/test';
import { parseUrl } from '../../model/url.js';

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
 * @param accepts - leaves out the frames for which it returns false
 * @returns the values in no particular order, without those of frames that the page removes during the call.
 */
export async function evaluateInFrames<T>(
  page: Page,
  source: string,
  accepts: (frame: Frame) => boolean = () => true,
): Promise<T[]> {
  const values: T[] = [];
  const evaluate = async (frame: Frame) => void values.push(await frame.evaluate<T>(source));
  const frames = source === '' ? [] : framesOf(page).filter(accepts);
  await Promise.all(frames.map((frame) => evaluate(frame).catch(ignoreDetached)));
  return values;
}

/** Checks whether a frame contains one of another origin, at any depth. Such a frame may have a process of its own. */
export function hasCrossOriginFrame(frame: Frame): boolean {
  const origin = parseUrl(frame.url())?.origin;
  return frame.childFrames().some((child) => {
    const url = parseUrl(child.url());
    const hasOtherOrigin = url !== null && url.protocol !== 'about:' && url.origin !== origin;
    return hasOtherOrigin || hasCrossOriginFrame(child);
  });
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
