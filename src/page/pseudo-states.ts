import type { CDPSession, Page } from '@playwright/test';
import { ProofsheetError, type PseudoState, type PseudoStates } from '../model/index.js';
import { isChromium } from './browser/page-control.js';
import type { CaptureContext } from './capture-context.js';
import { TOOLS } from './in-page/frames.js';
import { REACTION_MS } from './page-clock.js';

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
  const expression = `${TOOLS}.findAll(${JSON.stringify(selectors.join(','))})`;
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
