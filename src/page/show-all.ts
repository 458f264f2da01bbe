import type { Locator, Page } from '@playwright/test';
import { ProofsheetError, type Size, VIEWPORT_BOUNDS, type Warning } from '../model/index.js';
import { isChromium } from './browser/page-control.js';
import type { CaptureContext } from './capture-context.js';
import { capturesWhole } from './live-page.js';
import { REACTION_MS } from './page-clock.js';
import { fitsWindow } from './plain/plain-image.js';
import { expandNamed, isolateElement } from './window/expand-areas.js';
import { growWindow } from './window/grow-window.js';

export interface Shown {
  readonly windowSize: Size;
  /** Something may be in view that was not before. */
  readonly mayHaveGrown: boolean;
  readonly hasGrown: boolean;
  /** Height at which an endless page is cut, in CSS pixels; null for no limit. */
  readonly cutAt: number | null;
  readonly unmatched: readonly Warning[];
}

/** Makes the window show all that is to be captured, as far as the driver can. */
export async function showAll(context: CaptureContext): Promise<Shown> {
  const { page, locator, clock, settings, deadline } = context;
  // Chromium's clock lets a page live as long in each window.
  const isGrowable = clock.isControlled && isChromium(page);
  if (locator) await clock.awaiting(awaitElement(locator, deadline.remainingMs(1 / 2)));
  if (locator && isGrowable) await isolateElement(locator);
  const { expand } = settings;
  const unmatched = typeof expand === 'boolean' ? [] : await expandNamed(page, expand);
  if (settings.contentHeight) {
    await clock.awaiting(fitViewportToContent(page));
    await clock.pass(REACTION_MS);
  }
  const windowSize = page.viewportSize() ?? (await page.evaluate(() => ({ width: innerWidth, height: innerHeight })));
  const mayHaveGrown = isGrowable && capturesWhole(context) && settings.format !== 'pdf';
  const grows = mayHaveGrown && !settings.contentHeight && (clock.drawsFrames || (await fitsWindow(page)));
  const cutAt = grows ? await growWindow(context) : null;
  const heightOf = () => page.viewportSize()?.height ?? 0;
  const box = grows ? await locator?.boundingBox() : null;
  // The page is not taller because of an element that is fixed.
  if (box && box.y + box.height > heightOf()) {
    await clock.awaiting(page.setViewportSize({ width: windowSize.width, height: Math.ceil(box.y + box.height) }));
    await clock.pass(REACTION_MS);
  }
  return { windowSize, mayHaveGrown, hasGrown: heightOf() > windowSize.height, cutAt, unmatched };
}

/** @throws ProofsheetError `page-selector` if the locator does not match exactly one visible element in time. */
async function awaitElement(locator: Locator, waitMs: number): Promise<void> {
  try {
    await locator.waitFor({ state: 'visible', timeout: waitMs });
  } catch {
    throw await notVisible(locator);
  }
}

/** Returns the error for a locator that does not match exactly one visible element. */
export async function notVisible(locator: Locator): Promise<ProofsheetError> {
  const count = await locator.count();
  return new ProofsheetError({
    code: 'page-selector',
    where: locator.page().url(),
    found: `${locator} ${count === 1 ? 'is not visible' : `matches ${count} elements, expected 1`}`,
    advice: 'Use a locator that matches exactly one visible element.',
  });
}

/** @throws ProofsheetError `page-too-tall` if the content exceeds the maximum */
async function fitViewportToContent(page: Page): Promise<void> {
  const content = await page.evaluate(contentSize);
  if (content.height > VIEWPORT_BOUNDS.height.max)
    throw new ProofsheetError({
      code: 'page-too-tall',
      where: page.url(),
      found: `the content is ${content.height} px tall; the maximum height of a viewport is ${VIEWPORT_BOUNDS.height.max} px`,
      advice: 'Use `fullSize: true` with a fixed `height` instead of `height: null`.',
    });
  await page.setViewportSize({ width: content.width, height: Math.max(VIEWPORT_BOUNDS.height.min, content.height) });
}

/** Runs in the page. `scrollHeight` is at least the viewport height, so a shorter page is measured by its box. */
function contentSize(): { width: number; height: number } {
  const root = document.scrollingElement ?? document.documentElement;
  const boxHeight = document.documentElement.getBoundingClientRect().bottom + scrollY;
  return { width: innerWidth, height: Math.ceil(root.scrollHeight > innerHeight ? root.scrollHeight : boxHeight) };
}
