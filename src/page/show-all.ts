import type { CDPSession, Locator, Page } from '@playwright/test';
import {
  ProofsheetError,
  type PseudoState,
  type PseudoStates,
  type Size,
  VIEWPORT_BOUNDS,
  type Warning,
} from '../model/index.js';
import { isChromium } from './browser/page-control.js';
import type { CaptureContext } from './capture-context.js';
import { openRoots } from './in-page/frames.js';
import { fitsWindow } from './plain/plain-image.js';
import { expandNamed, isolateElement } from './window/expand-areas.js';
import { growWindow, REACTION_MS } from './window/grow-window.js';

/** A page of which all is shown that is to be captured. */
export interface Shown {
  /** Height at which an endless page is cut, in CSS pixels; null for no limit. */
  readonly cutAt: number | null;
  /** The window that was asked for. */
  readonly window: Size;
  /** Entries of `expand` that match nothing. */
  readonly unmatched: readonly Warning[];
}

/** Checks whether the window of a page may grow: Chromium's clock controls the page, so that it lives as long in each window. */
export function mayGrow({ page, clock }: Pick<CaptureContext, 'page' | 'clock'>): boolean {
  return clock.isControlled && isChromium(page);
}

/** Makes the window show all that is to be captured, as far as the driver can. */
export async function showAll(context: CaptureContext): Promise<Shown> {
  const { page, locator, clock, settings, deadline } = context;
  if (locator) await clock.awaiting(awaitElement(locator, deadline.remainingMs(1 / 2)));
  if (locator && mayGrow(context)) await isolateElement(locator);
  const { expand } = settings;
  const unmatched = typeof expand === 'boolean' ? [] : await expandNamed(page, expand);
  if (settings.contentHeight) {
    await clock.awaiting(fitViewportToContent(page));
    await clock.pass(REACTION_MS);
  }
  const window = page.viewportSize() ?? (await page.evaluate(() => ({ width: innerWidth, height: innerHeight })));
  const grows = mayGrow(context) && (settings.fullSize || locator !== null);
  if (!grows || settings.contentHeight || settings.format === 'pdf') return { window, cutAt: null, unmatched };
  if (!clock.drawsFrames && !(await fitsWindow(page))) return { window, cutAt: null, unmatched };
  const cutAt = await growWindow(context);
  const box = await locator?.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  // The page is not taller because of an element that is fixed.
  if (box && box.y + box.height > height) {
    await clock.awaiting(page.setViewportSize({ width: window.width, height: Math.ceil(box.y + box.height) }));
    await clock.pass(REACTION_MS);
  }
  return { window, cutAt, unmatched };
}

/** @throws ProofsheetError `page-selector` if the locator does not match exactly one visible element in time. */
async function awaitElement(locator: Locator, waitMs: number): Promise<void> {
  try {
    await locator.waitFor({ state: 'visible', timeout: waitMs });
  } catch {
    const count = await locator.count();
    throw new ProofsheetError({
      code: 'page-selector',
      where: locator.page().url(),
      found: `${locator} ${count === 1 ? 'is not visible' : `matches ${count} elements, expected 1`}`,
      advice: 'Use a locator that matches exactly one visible element.',
    });
  }
}

/** Resizes the viewport to the content. @throws ProofsheetError `page-too-tall` if the content exceeds the maximum. */
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

/** The classes that a visitor's mouse or keyboard sets together with another one. */
const TOGETHER: Readonly<Record<string, PseudoState>> = { active: 'hover', 'focus-visible': 'focus' };

/**
 * Forces the states of `pseudo`. Chromium forces them on all elements that match, without events. In another browser, the mouse or the focus
 * is put on the element, so only one can match.
 *
 * @throws ProofsheetError `page-selector` if a selector matches nothing, or several elements in a browser that takes one
 */
export async function forcePseudoStates({ page, clock, settings }: CaptureContext): Promise<void> {
  const states = Object.entries(settings.pseudo);
  if (states.length === 0) return;
  if (isChromium(page)) await forceByProtocol(page, settings.pseudo);
  else for (const [state, selectors] of states) await clock.during(imitate(page, state, selectors));
  // Transitions end.
  await clock.pass(REACTION_MS);
}

async function forceByProtocol(page: Page, states: PseudoStates): Promise<void> {
  // The states last as long as this session.
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  await session.send('DOM.getDocument', { depth: 0 });
  const classes = new Map<number, Set<string>>();
  for (const [state, selectors] of Object.entries(states)) {
    const nodes = await findNodes(session, selectors);
    if (nodes.length === 0) throw noMatch(page, state, `no element matches "${selectors.join(', ')}"`);
    const names = [state, TOGETHER[state] ?? state];
    for (const node of nodes) classes.set(node, new Set([...(classes.get(node) ?? []), ...names]));
  }
  for (const [nodeId, names] of classes)
    await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [...names] });
}

/** Returns the nodes of the document and its open shadow roots that match. */
async function findNodes(session: CDPSession, selectors: readonly string[]): Promise<number[]> {
  const expression = `(${String(openRoots)})().flatMap((root) => [...root.querySelectorAll(${JSON.stringify(selectors.join(','))})])`;
  const { result } = await session.send('Runtime.evaluate', { expression });
  const list = { objectId: result.objectId ?? '', ownProperties: true };
  const { result: items } = await session.send('Runtime.getProperties', list);
  const objects = items.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
  return Promise.all(objects.map(async (objectId) => (await session.send('DOM.requestNode', { objectId })).nodeId));
}

async function imitate(page: Page, state: string, selectors: readonly string[]): Promise<void> {
  const element = page.locator(selectors.join(','));
  const count = await element.count();
  if (count !== 1) {
    const browser = page.context().browser()?.browserType().name() ?? 'this browser';
    throw noMatch(page, state, `"${selectors.join(', ')}" matches ${count} elements, and ${browser} takes exactly 1`);
  }
  if (state === 'hover' || state === 'active') await element.hover({ force: true });
  else await element.focus();
  if (state === 'active') await page.mouse.down();
}

function noMatch(page: Page, state: string, found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: page.url(),
    found: `\`pseudo: ${state}\`: ${found}`,
    advice: 'Correct the selector, or wait until the page has the element.',
  });
}
