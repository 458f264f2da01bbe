import type { Page } from '@playwright/test';
import type { PageTime } from '../in-page/page-clock.js';
import { SLOW_TIMER_MS } from '../in-page/timers.js';
import type { Network } from '../network.js';
import { scroll } from './causes/scroll.js';
import { unsettledExchanges } from './pending-requests.js';

/** Maximum height to which a page may grow while it is scrolled, in CSS pixels. An endless feed is cut there. */
const MAX_FEED_HEIGHT = 20_000;

/** Maximum wait for the responses to the requests that began at one screen, in milliseconds. */
const RESPONSES_MS = 2_000;

/** How far controlled time is advanced at each screen, in milliseconds of the page: as long as a short timer may take. */
const CONTROLLED_SCREEN_MS = SLOW_TIMER_MS;

/**
 * Which timers of the page may react to scrolling, in milliseconds: repeating timers with a shorter period, and single calls
 * that are due sooner. A script that polls the scroll position is slower than that only if a visitor may see it lag.
 */
const REACTION_MS = { period: 500, due: SLOW_TIMER_MS };

type Reaction = typeof REACTION_MS;

/** Interval between two checks of open requests, in milliseconds. */
const CHECK_INTERVAL_MS = 50;

/** The result of {@link scrollThrough}. */
export interface ScrolledThrough {
  /** Height at which the image is cut because the page grew beyond {@link MAX_FEED_HEIGHT}; null for no limit. */
  readonly cutAt: number | null;
  /** The end of the page was reached in time. */
  readonly complete: boolean;
}

/**
 * Scrolls down by one viewport height at a time until the page stops growing, and back. Stays at each position until the
 * scripts of the page have reacted to it.
 *
 * @param always scrolls even if no script is known that reacts to scrolling.
 */
export async function scrollThrough(
  page: Page,
  network: Network,
  time: PageTime,
  always: boolean,
): Promise<ScrolledThrough> {
  const end = performance.now() + scroll.capMs;
  // Timers whose time is controlled are not recorded.
  const start = await page.evaluate(readStart, { always: always || time.isControlled, reactionMs: REACTION_MS });
  if (start === null) return { cutAt: null, complete: true };
  const { left, viewportHeight } = start;
  // A page that was taller before scrolling is not cut.
  const maxHeight = Math.max(MAX_FEED_HEIGHT, start.height);
  let { height } = start;
  const show = async (top: number) => {
    height = await showScreen(page, network, time, { left, top }, end);
  };
  for (let bottom = 0; ; ) {
    const heightBefore = height;
    let top = Math.max(0, bottom - viewportHeight);
    for (; top < Math.min(height, maxHeight) && performance.now() < end; top += viewportHeight)
      // The page is at its start now, and is shown there last.
      if (top !== start.top) await show(top);
    const complete = top >= Math.min(height, maxHeight);
    bottom = height;
    await show(start.top);
    if (!complete || bottom > maxHeight) return { cutAt: bottom > maxHeight ? maxHeight : null, complete };
    // Content that was added meanwhile was not scrolled through. A sticky header that expands at the top does not count.
    if (height <= Math.max(heightBefore, bottom)) return { cutAt: null, complete };
  }
}

interface Position {
  readonly left: number;
  readonly top: number;
}

/** A page that shows a position. */
interface Screen {
  /** Height of the page, in CSS pixels. */
  readonly height: number;
  /** Number of elements. It changes if a script adds content. */
  readonly elements: number;
  /** Time until each short timer has been called once, in milliseconds of the page; 0 if there is none. */
  readonly timersMs: number;
}

/**
 * Scrolls to a position and stays there until nothing is pending: frames, short timers, and the requests that began
 * there. Repeats this if a response changed the content. Returns the height of the page.
 *
 * @param end the time limit of the whole scroll, in milliseconds of `performance.now()`.
 */
async function showScreen(page: Page, network: Network, time: PageTime, position: Position, end: number) {
  const reachedAt = performance.now();
  const screenEnd = Math.min(end, reachedAt + RESPONSES_MS);
  const show = (isDrawn: boolean) => page.evaluate(showPosition, { ...position, isDrawn, reactionMs: REACTION_MS });
  for (let known: Screen | null = null; ; ) {
    let screen: Screen = await show(false);
    if (screen.height === known?.height && screen.elements === known.elements) return screen.height;
    // Timers whose time is controlled are not recorded.
    const timersMs = time.isControlled ? CONTROLLED_SCREEN_MS : screen.timersMs;
    if (timersMs > 0) {
      const { isDrawn } = await time.pass(timersMs);
      screen = await show(isDrawn);
    }
    if (!(await awaitResponses(network, reachedAt, screenEnd))) return screen.height;
    known = screen;
  }
}

/**
 * Waits for the responses to the requests that began at `since` or later, at most until `end`. Returns false if there
 * was nothing to wait for.
 */
async function awaitResponses(network: Network, since: number, end: number): Promise<boolean> {
  for (let hasWaited = false; ; hasWaited = true) {
    const now = performance.now();
    const exchanges = network.exchanges().filter(({ isByScript, askedAt }) => isByScript && askedAt >= since);
    const isPending =
      unsettledExchanges(exchanges, now).length > 0 ||
      (await network.quiet(['image', 'script', 'stylesheet'], 0, since)).length > 0;
    if (!isPending || now >= end) return hasWaited;
    await network.change(Math.min(CHECK_INTERVAL_MS, end - now));
  }
}

/** The state of a page before it is scrolled, in CSS pixels. */
interface Start extends Position {
  readonly height: number;
  readonly viewportHeight: number;
}

/** Runs in the page. Returns null if scrolling cannot change the page. */
async function readStart({ always, reactionMs }: { always: boolean; reactionMs: Reaction }): Promise<Start | null> {
  const root = document.scrollingElement ?? document.documentElement;
  const { scrollWatchers, timers, native } = window.__proofsheet ?? {};
  const scrolls = (target: EventTarget) =>
    target === window ||
    target === document ||
    (target instanceof Element &&
      target.scrollHeight > target.clientHeight &&
      /auto|scroll/.test(getComputedStyle(target).overflowY));
  const isBelow = (target: Element) => target.isConnected && target.getBoundingClientRect().bottom > innerHeight;
  const hasHandler = () => [window, document].some(({ onscroll, onscrollend }) => onscroll ?? onscrollend);
  const listens = () => Array.from(scrollWatchers?.listening ?? []).some(scrolls);
  const observes = () =>
    Array.from(scrollWatchers?.observed.values() ?? []).some((targets) => Array.from(targets).some(isBelow));
  const polls = () =>
    (scrollWatchers?.loopFrames.size ?? 0) > 0 ||
    Array.from(timers?.active?.values() ?? []).some(({ dueAt, everyMs, isChained }) =>
      everyMs === null ? isChained && dueAt - performance.now() < reactionMs.period : everyMs < reactionMs.period,
    );
  if (root.scrollHeight <= innerHeight) return null;
  const reacts = () => always || hasHandler() || listens() || observes() || polls();
  // A frame or a timer that is due soon may be the start of a poll.
  const firstCallsMs = { dueWithin: 100, atMost: 300 };
  const mayPoll = () =>
    (scrollWatchers?.firstFrames.size ?? 0) > 0 ||
    Array.from(timers?.active?.values() ?? []).some(({ dueAt }) => dueAt - performance.now() <= firstCallsMs.dueWithin);
  const end = (native?.now() ?? 0) + firstCallsMs.atMost;
  while (native && !reacts() && mayPoll() && native.now() < end)
    await new Promise<void>((resolve) => void native.setTimeout(resolve, 10));
  if (!reacts()) return null;
  return { left: scrollX, top: scrollY, height: root.scrollHeight, viewportHeight: innerHeight };
}

/** The position to show, and how. */
interface ShownPosition extends Position {
  /** The page has rendered a frame at this position, unless it has scrolled since. */
  readonly isDrawn: boolean;
  readonly reactionMs: Reaction;
}

/** Runs in the page. Scrolls to a position, and waits for a frame there. */
async function showPosition({ left, top, isDrawn, reactionMs }: ShownPosition): Promise<Screen> {
  const { native, timers } = window.__proofsheet ?? {};
  // Not called as methods: native functions need the window as their receiver.
  const startTimer = native?.setTimeout ?? window.setTimeout;
  const startFrame = native?.requestAnimationFrame ?? window.requestAnimationFrame;
  const root = document.scrollingElement ?? document.documentElement;
  const nextTask = () => new Promise<void>((resolve) => void startTimer(resolve, 0));
  // Intersection observers are notified in a task that a frame adds after the first one here has been added.
  const notified = () => nextTask().then(nextTask);
  const previous = scrollY;
  scrollTo({ left, top, behavior: 'instant' });
  let before = Number.POSITIVE_INFINITY;
  if (isDrawn && scrollY === previous) {
    before = root.scrollHeight;
    await notified();
  }
  // If content collapses, the content below it moves into the viewport.
  while (root.scrollHeight < before) {
    before = root.scrollHeight;
    await new Promise((resolve) => void startFrame(resolve));
    await notified();
  }
  const now = performance.now();
  const waitsMs = Array.from(timers?.active?.values() ?? [])
    .filter(({ isHoldable }) => !(isHoldable && timers?.isHolding))
    .filter(({ dueAt, everyMs }) => (everyMs === null ? dueAt - now < reactionMs.due : everyMs < reactionMs.period))
    .map(({ dueAt, everyMs }) => everyMs ?? dueAt - now);
  return {
    height: root.scrollHeight,
    elements: document.getElementsByTagName('*').length,
    // Browsers delay nested timers to 4 ms.
    timersMs: waitsMs.length === 0 ? 0 : Math.ceil(Math.max(4, ...waitsMs)),
  };
}
