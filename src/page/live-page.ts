import type { Page } from '@playwright/test';
import { messageOf } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { callIn, callInFrames } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import { hasInteractions } from './interactions.js';
import { isNavigation, LateNavigation } from './navigation.js';
import type { Network } from './network.js';
import { LIVED_MS } from './page-clock.js';
import { MAX_GROWN_PX } from './window/expand-areas.js';

/** The first part of that time is drawn as often as on a screen, if the page counts its frames: steps of animations need a frame each. */
const SCREEN = { ms: 1_500, stepMs: 1000 / 60, laterStepMs: 100 };

/** How long what came late may move, in milliseconds of the page's time, and how often that is looked at. */
const LATE_MOVES = { maxMs: 2_000, lookMs: 250 };

/** For how long no message of a worker, a socket or an event stream comes, how long that is waited for, and how often it is looked at. */
const MESSAGES = { quietMs: 3_000, maxMs: 6_000, lookMs: 500 };

/** The moment to which a page is brought after its interactions: a multiple of this time, in milliseconds. */
const INTERACTED_MS = 10_000;

/**
 * Lets the page live until late content has arrived, and scrolls through it, if a script of it reacts to that.
 *
 * @throws LateNavigation if the page navigates meanwhile
 */
export async function letLive(context: CaptureContext, runsTimers: boolean): Promise<void> {
  const { settings, deadline, stopwatch } = context;
  const lived = deadline.race('letting the page live', passTime(context, runsTimers));
  await stopwatch.settle('live', lived).catch((cause: unknown) => {
    throw isNavigation(cause) ? new LateNavigation(messageOf(cause)) : cause;
  });
  if (capturesWhole(context) && settings.settle.scroll && !hasInteractions(settings))
    await stopwatch.settle('scroll', deadline.race('scrolling through the page', scrollDown(context)));
}

export function capturesWhole({ locator, settings }: CaptureContext): boolean {
  const { fullSize, contentHeight, format } = settings;
  return fullSize || contentHeight || format === 'pdf' || locator !== null;
}

async function passTime(context: CaptureContext, runsTimers: boolean): Promise<void> {
  const { page, clock, settings, pageStyles, network } = context;
  const sendFirstInput = () => callIn(page, ({ memory }) => memory.sendFirstInput());
  await Promise.all([pageStyles.apply(page), runsTimers && sendFirstInput()]);
  if (hasInteractions(settings) && runsTimers) {
    await clock.align(INTERACTED_MS);
    await callInFrames(page, restartEndless);
  }
  const livedMs = Math.max(settings.settle.layout ? LIVED_MS : 0, settings.lateMs);
  const uses = await noteUses(page, network);
  const hasFrames = uses.some(({ asksForFrames }) => asksForFrames);
  if (runsTimers && hasFrames) {
    await clock.pass(Math.min(SCREEN.ms, livedMs), SCREEN.stepMs);
    await clock.pass(livedMs - SCREEN.ms, SCREEN.laterStepMs);
  } else await clock.pass(runsTimers ? livedMs : 0);
  await clock.pass(settings.delayMs);
  // Its server may be ready by then.
  if (runsTimers && network.polls()) await clock.pass(livedMs);
  if (runsTimers && network.hasOwnClocks()) await awaitMessages(context);
  await noteUses(page, network);
  if (runsTimers && hasFrames) await callInFrames(page, noteLoop);
  await letMovesEnd(context);
}

/**
 * If a part of the page has a clock of its own, lets the page live until what it moved has come to its end: transitions and animations, and steps
 * that need an animation frame each, unless the page asks for frames all the time.
 */
export async function letMovesEnd({ page, clock, network }: CaptureContext): Promise<void> {
  if (!network.hasOwnClocks()) return;
  for (let livedMs = 0; livedMs < LATE_MOVES.maxMs; livedMs += LATE_MOVES.lookMs) {
    if (!(await callInFrames(page, readMoves)).includes(true)) return;
    await clock.pass(LATE_MOVES.lookMs, SCREEN.stepMs);
  }
  await callInFrames(page, noteLoop);
}

/** Lets the page live until no message has come for a while from what has a clock of its own. */
async function awaitMessages({ page, clock }: CaptureContext): Promise<void> {
  const read = ({ memory }: Tools) => memory.sinceMessage?.() ?? Number.POSITIVE_INFINITY;
  for (let livedMs = 0; livedMs < MESSAGES.maxMs; livedMs += MESSAGES.lookMs) {
    if (Math.min(...(await callInFrames(page, read))) > MESSAGES.quietMs) return;
    await clock.pass(MESSAGES.lookMs);
  }
}

/** Its loop of frames does not end. */
function noteLoop({ memory }: Tools): void {
  memory.hasLoop = true;
}

/** Returns whether a script waits for an animation frame, or an animation is running that ends. */
function readMoves({ memory, listAnimations }: Tools): boolean {
  const isEnding = ({ playState, effect }: Animation) =>
    playState === 'running' && Number(effect?.getComputedTiming().endTime) !== Number.POSITIVE_INFINITY;
  return (!memory.hasLoop && memory.pendingFrames.size > 0) || listAnimations().some(isEnding);
}

async function noteUses(page: Page, network: Network) {
  const uses = await callInFrames(page, readUses);
  for (const one of uses) network.noteUses(one);
  return uses;
}

function readUses({ memory: { asksForFrames, asksForWork, hasSharedWorker } }: Tools) {
  return { asksForFrames, asksForWork, hasSharedWorker };
}

/** Starts endless animations at one moment: interactions may have started them at another one in each run. */
function restartEndless({ listAnimations }: Tools): void {
  for (const animation of listAnimations())
    if (animation.playState === 'running' && animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.startTime = document.timeline.currentTime;
}

/** Maximum number of positions: an endless page is not scrolled to its end. */
const MAX_POSITIONS = 60;

/** How long the page lives at each position, in milliseconds of its time, and how many frames it draws meanwhile. */
const POSITION_MS = { lived: 300, step: 100 };

/**
 * Scrolls down a page by one window at a time, as a visitor would, and back. A page whose frames are controlled is scrolled only if a script of it
 * may react to that: its window shows all of it later.
 */
async function scrollDown({ page, clock }: CaptureContext): Promise<void> {
  const start = await callIn(page, readStart, !clock.drawsFrames);
  if (start === null) return;
  const { left, top, windowHeight } = start;
  const show = async (position: number) => {
    await callIn(page, scrollToPosition, left, position);
    await clock.pass(POSITION_MS.lived, POSITION_MS.step);
    // More content may have come.
    return callIn(page, ({ memory }) => (memory.scroller ?? document.documentElement).scrollHeight);
  };
  let { height } = start;
  let keepsGrowing = false;
  for (let count = 1; count < MAX_POSITIONS && count * windowHeight < height; count++) {
    // A feed without end is scrolled no further than it is captured.
    if (keepsGrowing && count * windowHeight > MAX_GROWN_PX) {
      await callIn(page, ({ memory }) => {
        memory.isEndless = true;
      });
      break;
    }
    const newHeight = await show(count * windowHeight);
    keepsGrowing = newHeight > height;
    height = newHeight;
  }
  for (let count = 0; count < MAX_POSITIONS; count++) {
    const position = await callIn(page, findUnseen);
    if (position === null) break;
    await show(position);
  }
  await show(top);
}

/**
 * Returns null if no script of the page may react to scrolling. In a page that does not scroll itself, the area in the middle of the window is
 * meant, such as the main part of an application.
 */
function readStart({ memory }: Tools, always: boolean) {
  const root = document.scrollingElement ?? document.documentElement;
  const isPage = root.scrollHeight > innerHeight;
  const scrolls = (area: Element) =>
    area.scrollHeight > area.clientHeight && /auto|scroll/.test(getComputedStyle(area).overflowY);
  let scroller = isPage ? root : document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  while (scroller && !isPage && !scrolls(scroller)) scroller = scroller.parentElement;
  if (!scroller) return null;
  memory.scroller = scroller;
  const targets: readonly EventTarget[] = isPage ? [window, document] : [scroller];
  const hasHandler =
    [window, document].some(({ onscroll, onscrollend }) => onscroll ?? onscrollend) ||
    (scroller instanceof HTMLElement && Boolean(scroller.onscroll));
  const listens = Array.from(memory.scrollListeners).some((target) => targets.includes(target));
  const isBelow = (target: Element) => target.isConnected && target.getBoundingClientRect().bottom > innerHeight;
  const observes = Array.from(memory.observed.values()).some((targets) => Array.from(targets.keys()).some(isBelow));
  const reacts = always || hasHandler || listens || observes || memory.loopFrames.size > 0;
  if (!reacts) return null;
  const { scrollLeft, scrollTop, scrollHeight, clientHeight } = scroller;
  return { left: scrollLeft, top: scrollTop, height: scrollHeight, windowHeight: isPage ? innerHeight : clientHeight };
}

/**
 * Returns where an element is in the middle of the window that its observer has not seen yet; null if there is none. A visitor scrolls past it,
 * also if the observer looks at a line of the window only.
 */
function findUnseen({ memory }: Tools): number | null {
  const { scrollTop, clientHeight, scrollHeight } = memory.scroller ?? document.documentElement;
  for (const [{ root }, targets] of memory.observed) {
    if (root instanceof Element) continue;
    for (const [target, wasSeen] of targets) {
      if (wasSeen) continue;
      const { left, right, top, bottom } = target.getBoundingClientRect();
      const position = scrollTop + (top + bottom - clientHeight) / 2;
      const isReached = position > 0 && position < scrollHeight - clientHeight;
      if (!isReached || right <= Math.max(left, 0) || left >= innerWidth) continue;
      targets.set(target, true);
      return position;
    }
  }
  return null;
}

function scrollToPosition({ memory }: Tools, left: number, top: number): void {
  (memory.scroller ?? document.documentElement).scrollTo({ left, top, behavior: 'instant' });
}
