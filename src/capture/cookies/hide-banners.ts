import type { CDPSession, Frame, Page } from '@playwright/test';
import { messageOf } from '../../model/errors.js';
import { framesOf } from '../in-page/frames.js';
import { createChanges } from './changes.js';
import { CONSENT_TOOLS, CONSENT_WORDS } from './consent-words.js';
import { findBanners, findSuspects } from './find-banners.js';
import type { Banner, Changes, CookieState, FrameFindings, Reader, Tree } from './in-page.js';
import { createPlace } from './place.js';
import { createReader } from './reader.js';
import { createTree } from './tree.js';
import { hideBackdrops, unlockPage } from './unlock-page.js';

/**
 * Hides what asks for consent to cookies in every frame of the page, with its backdrop and its lock on scrolling.
 *
 * Nothing is clicked, nothing is answered, and nothing leaves the page. Called again it hides what came since.
 * @returns what is hidden on the page by now, in words; empty when there is nothing.
 */
export async function hideCookieBanners(page: Page): Promise<readonly string[]> {
  const found = new Map(await Promise.all(framesOf(page).map(async (frame) => [frame, await hideIn(frame)] as const)));
  const owners = await Promise.all(Array.from(found, ([frame, { isBanner }]) => (isBanner ? markOwner(frame) : null)));
  const again = new Set(owners.filter((frame) => frame !== null));
  const main = page.mainFrame();
  if ((found.get(main)?.suspects ?? 0) > 0 && (await openClosedRoots(page))) again.add(main);
  for (const frame of again) found.set(frame, await hideIn(frame));
  return [...new Set(Array.from(found.values()).flatMap(({ told }) => told))];
}

/** Shows again all that was hidden, and puts back what was changed for it. */
export async function showCookieBanners(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(showInFrame).catch(ignoreGone)));
}

/**
 * Script to put in before the page: it remembers closed shadow roots, and changes nothing that a page could notice.
 *
 * Without it they are found in Chromium only, and only in the main frame.
 */
export const COOKIE_INIT_SCRIPT: string = `(${String(rememberClosedRoots)})();`;

/** Where the page keeps what was done to it. */
interface Marked {
  __proofsheetCookies?: CookieState;
  __proofsheetClosedRoots?: WeakRef<ShadowRoot>[];
}

const NOTHING: FrameFindings = { told: [], isBanner: false, suspects: 0 };

// One round trip a frame for all of it: what runs in the page is put together from the sources of its parts.
const HIDE_SOURCE = `(() => {
  const state = (globalThis.__proofsheetCookies ??= (${String(createState)})());
  for (const root of globalThis.__proofsheetClosedRoots ?? []) if (root.deref()) state.closedRoots.add(root.deref());
  const tree = (${String(createTree)})(state);
  const reader = (${String(createReader)})(tree, ${JSON.stringify(CONSENT_WORDS)});
  const place = (${String(createPlace)})(tree);
  const changes = (${String(createChanges)})(state);
  return (${String(hideInFrame)})({
    state, tree, reader, changes,
    find: () => (${String(findBanners)})(state, tree, reader, place, ${JSON.stringify(CONSENT_TOOLS)}),
    findSuspects: () => (${String(findSuspects)})(state, tree),
    hideBackdrops: () => (${String(hideBackdrops)})(state, tree, place, changes),
    unlock: () => (${String(unlockPage)})(state, tree, reader, changes),
  });
})()`;

async function hideIn(frame: Frame): Promise<FrameFindings> {
  return (await frame.evaluate<FrameFindings>(HIDE_SOURCE).catch(ignoreGone)) ?? NOTHING;
}

/** Runs in the page. */
function createState(): CookieState {
  return {
    undo: [],
    told: new Set(),
    hidden: new Set(),
    heights: [],
    consentFrames: new Set(),
    closedRoots: new Set(),
    suspects: [],
    judged: new WeakSet(),
  };
}

/** Runs in the page. */
function showInFrame(): void {
  const marked = globalThis as Marked;
  for (const undo of marked.__proofsheetCookies?.undo.reverse() ?? []) undo();
  delete marked.__proofsheetCookies;
}

/** Runs in the page. A proxy keeps the method's name and source as they are. */
function rememberClosedRoots(): void {
  const closed: WeakRef<ShadowRoot>[] = [];
  Object.defineProperty(globalThis, '__proofsheetClosedRoots', { value: closed });
  Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
    apply(attach, host, [init]) {
      const root: ShadowRoot = Reflect.apply(attach, host, [init]);
      if (root.mode === 'closed') closed.push(new WeakRef(root));
      return root;
    },
  });
}

/** Tells the frame's parent that all the frame shows is a banner, and gives that parent. */
async function markOwner(frame: Frame): Promise<Frame | null> {
  try {
    const owner = await frame.frameElement();
    await owner.evaluate((element) => {
      (globalThis as Marked).__proofsheetCookies?.consentFrames.add(element as Element);
    });
    await owner.dispose();
    return frame.parentFrame();
  } catch (cause) {
    ignoreGone(cause);
    return null;
  }
}

/**
 * Opens the closed shadow roots of the elements that may have one, by Chromium's own protocol: a script that waits for
 * them in the page would have to be there before the page, and could be noticed. Other browsers keep them closed.
 */
async function openClosedRoots(page: Page): Promise<boolean> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return false;
  const session = await page.context().newCDPSession(page);
  try {
    const opened = await openEach(session);
    return opened > 0;
  } catch (cause) {
    if (!/detached|destroyed|Cannot find|Could not find|No node|not belong|closed/i.test(messageOf(cause))) throw cause;
    return false;
  } finally {
    await session.detach().catch(messageOf);
  }
}

async function openEach(session: CDPSession): Promise<number> {
  let opened = 0;
  for (;;) {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression:
        '(() => { const s = __proofsheetCookies, e = s.suspects.pop(); if (e) s.judged.add(e); return e; })()',
    });
    // The page may have moved on meanwhile.
    if (exceptionDetails || result.objectId === undefined) return opened;
    const { node } = await session.send('DOM.describeNode', { objectId: result.objectId });
    for (const root of node.shadowRoots ?? []) {
      if (root.shadowRootType !== 'closed') continue;
      const { object } = await session.send('DOM.resolveNode', { backendNodeId: root.backendNodeId });
      if (object.objectId === undefined) continue;
      const functionDeclaration = 'function () { __proofsheetCookies.closedRoots.add(this); }';
      await session.send('Runtime.callFunctionOn', { objectId: object.objectId, functionDeclaration });
      opened++;
    }
  }
}

/** A frame that the page removed meanwhile has nothing to hide; a frame that is still there does. */
function ignoreGone(cause: unknown): undefined {
  if (/detached|Execution context was destroyed/.test(messageOf(cause))) return undefined;
  throw cause;
}

/** The parts that the page's own code is put together from. */
export interface HideParts {
  readonly state: CookieState;
  readonly tree: Tree;
  readonly reader: Reader;
  readonly changes: Changes;
  readonly find: () => Banner[];
  readonly findSuspects: () => void;
  readonly hideBackdrops: () => void;
  readonly unlock: () => void;
}

/** Runs in the page. Hides what asks for consent in this frame. */
export function hideInFrame(parts: HideParts): FrameFindings {
  const { state, tree, reader, changes } = parts;
  if (!document.body) return { told: [], isBanner: false, suspects: 0 };
  const isBanner = self !== top && reader.asksConsent(document.body);
  for (const { element, name } of parts.find())
    if (element instanceof HTMLElement) changes.hide(element, `${name} (${tree.describe(element)})`);
  for (const element of state.hidden)
    if (getComputedStyle(element).display !== 'none') element.style.setProperty('display', 'none', 'important');
  if (state.hidden.size > 0) {
    parts.hideBackdrops();
    parts.unlock();
  }
  if (self === top) parts.findSuspects();
  return { told: [...state.told], isBanner, suspects: state.suspects.length };
}
