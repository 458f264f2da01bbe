import type { Frame, Page } from '@playwright/test';
import type { HiddenElement } from '../../model/index.js';
import { callIn, callInFrames, callOf, callOn, framesOf, ignoreDetached } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import { createChanges } from './changes.js';
import { CONSENT_TOOLS, CONSENT_WORDS } from './consent-words.js';
import { findBanners } from './find-banners.js';
import { createReader } from './reader.js';
import { createPlace, createTree } from './tree.js';
import { hideBackdrops, unlockPage } from './unlock-page.js';

/**
 * Hides cookie banners and their backdrops in every frame of the page, and removes their scroll locks, without a click. A further call hides banners
 * that appeared since the last one. {@link listHidden} lists all of them.
 */
export async function hideCookieBanners(page: Page): Promise<void> {
  const owners = await Promise.all(
    framesOf(page).map(async (frame) => ((await hideIn(frame)) ? markOwner(frame) : null)),
  );
  for (const frame of new Set(owners)) if (frame) await hideIn(frame);
}

/** Lists what {@link hideCookieBanners} has hidden on the page. */
export async function listHidden(page: Page): Promise<HiddenElement[]> {
  return (await callInFrames(page, ({ memory }) => memory.cookies?.removed ?? [])).flat();
}

/** Undoes all changes of {@link hideCookieBanners}. */
export async function showCookieBanners(page: Page): Promise<void> {
  await callInFrames(page, showInFrame);
}

/** Init script that records closed shadow roots. A page cannot notice it. */
export const CLOSED_ROOTS_SCRIPT: string = callOf(recordClosedRoots);

/** The parts of the search, which run in the page. None passes a function to `Array.from`: old libraries replace it by one without this parameter. */
const PARTS = { createTree, createReader, createPlace, createChanges, findBanners, hideBackdrops, unlockPage };

/** Returns whether the whole document is a banner. If so, its frame element is to be hidden. */
async function hideIn(frame: Frame): Promise<boolean> {
  const isBanner = callIn(frame, hideInFrame, PARTS, CONSENT_WORDS, CONSENT_TOOLS);
  return (await isBanner.catch(ignoreDetached)) ?? false;
}

function hideInFrame(
  tools: Tools,
  parts: typeof PARTS,
  words: typeof CONSENT_WORDS,
  consentTools: typeof CONSENT_TOOLS,
): boolean {
  const { memory } = tools;
  if (!document.body) return false;
  memory.cookies ??= { undo: [], removed: [], hidden: new Set(), heights: [], consentFrames: new Set() };
  const state = memory.cookies;
  const tree = parts.createTree(tools);
  const reader = parts.createReader(tree, words);
  const place = parts.createPlace(tree);
  const changes = parts.createChanges(state);
  const isBanner =
    self !== top && (reader.classify(document.body).asks || reader.choiceOf(document.body) === 'consent');
  for (const [element, name] of parts.findBanners(state, tree, reader, place, consentTools))
    if (element instanceof HTMLElement)
      changes.hide(element, `${name} (${tree.describe(element)})`, tree.shownTextOf(element));
  for (const element of state.hidden)
    if (getComputedStyle(element).display !== 'none') element.style.setProperty('display', 'none', 'important');
  if (state.hidden.size > 0) {
    parts.hideBackdrops(state, tree, place, changes);
    parts.unlockPage(state, tree, reader, changes);
  }
  return isBanner;
}

function showInFrame({ memory }: Tools): void {
  for (const undo of memory.cookies?.undo.reverse() ?? []) undo();
  delete memory.cookies;
}

/** With a proxy, the name and source of `attachShadow` do not change. */
function recordClosedRoots({ memory: { closedRoots }, intercept }: Tools): void {
  intercept(Element.prototype, 'attachShadow', (root: ShadowRoot) => {
    if (root.mode === 'closed') closedRoots.push(new WeakRef(root));
  });
}

/** Marks the frame element as a banner in the parent frame. Returns the parent frame. */
async function markOwner(frame: Frame): Promise<Frame | null> {
  try {
    const owner = await frame.frameElement();
    await callOn(owner, ({ memory }, element) => void memory.cookies?.consentFrames.add(element));
    await owner.dispose();
    return frame.parentFrame();
  } catch (cause) {
    ignoreDetached(cause);
    return null;
  }
}
