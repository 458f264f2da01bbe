import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

/**
 * Flags with which Chromium's headless shell draws a frame only when it is asked to, with everything that belongs to it: no layer, image
 * or animation of a frame comes from another thread at another time.
 */
const FRAME_FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-image-animation-resync',
];

/** Adds the flags for {@link openFramePage} to the launch flags of a browser. */
export function frameFlags(flags: readonly string[]): string[] {
  return [...flags, ...FRAME_FLAGS];
}

/** A page whose clock is paused, and which draws no frame unless it is asked to. */
export interface FramePage {
  readonly page: Page;
  readonly session: CDPSession;
  /** The clock of the page. */
  readonly time: GrantedTime;
  /** Draws a frame. The frames of all pages of a browser are drawn one after the other: two at a time end its GPU process. */
  draw(frame: FrameRequest): Promise<{ readonly screenshotData?: string }>;
}

/** The clock of a page is paused unless the page is granted time. The state outlasts a capture, as the page may. */
export interface GrantedTime {
  /** The time when the page was opened, in milliseconds. */
  readonly startMs: number;
  /** The time that the page has used since, in milliseconds. */
  usedMs: number;
  /** The time of the last frame, in milliseconds. That of the next one must be greater. */
  lastTick: number;
  /** The time that the page has not used up yet; null if there is none. */
  granted: { readonly ms: number; readonly end: Promise<void> } | null;
  /** Called when the page has used up its time. */
  onUsed: () => void;
}

/** A frame to draw. Times are in milliseconds of the page's clock. */
export interface FrameRequest {
  readonly frameTimeTicks: number;
  readonly interval: number;
  readonly screenshot?: { readonly format: 'png' | 'jpeg' | 'webp'; readonly quality?: number };
}

/** What is done one after the other in each browser: pages are opened, because the context of a page is the new one, and frames are drawn. */
const opening = new WeakMap<Browser, Promise<unknown>>();
const drawing = new WeakMap<Browser, Promise<unknown>>();

function inTurn<T>(turns: WeakMap<Browser, Promise<unknown>>, browser: Browser, work: () => Promise<T>): Promise<T> {
  const done = (turns.get(browser) ?? Promise.resolve()).then(work);
  turns.set(
    browser,
    done.catch(() => {}),
  );
  return done;
}

/**
 * Opens a context and a page whose clock and frames are controlled.
 *
 * @param openContext - opens the context
 * @throws Error if the browser cannot do that.
 */
export function openFramePage(browser: Browser, openContext: () => Promise<BrowserContext>): Promise<FramePage> {
  return inTurn(opening, browser, () => openNext(browser, openContext));
}

async function openNext(browser: Browser, openContext: () => Promise<BrowserContext>): Promise<FramePage> {
  const root = await sessionOf(browser);
  const listContexts = async () => (await root.send('Target.getBrowserContexts')).browserContextIds;
  const known = new Set(await listContexts());
  const context = await openContext();
  try {
    const browserContextId = (await listContexts()).find((id) => !known.has(id));
    if (browserContextId === undefined) throw new Error('the browser does not list its contexts');
    const created = context.waitForEvent('page');
    // The error of the command is the one that counts.
    created.catch(() => {});
    const target = { url: 'about:blank', browserContextId, enableBeginFrameControl: true };
    await root.send('Target.createTarget', target);
    const page = await created;
    const session = await context.newCDPSession(page);
    const { virtualTimeTicksBase } = await session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    const draw = ({ screenshot, ...frame }: FrameRequest) => {
      const request = { ...frame, ...(screenshot && { screenshot: { ...screenshot, optimizeForSpeed: true } }) };
      return inTurn(drawing, browser, () => session.send('HeadlessExperimental.beginFrame', request));
    };
    const startMs = virtualTimeTicksBase;
    const time: GrantedTime = { startMs, usedMs: 0, lastTick: startMs, granted: null, onUsed: () => {} };
    session.on('Emulation.virtualTimeBudgetExpired', () => time.onUsed());
    return { page, session, time, draw };
  } catch (cause) {
    await context.close().catch(() => {});
    throw cause;
  }
}

const sessions = new WeakMap<Browser, Promise<CDPSession>>();

function sessionOf(browser: Browser): Promise<CDPSession> {
  const known = sessions.get(browser);
  if (known) return known;
  const session = browser.newBrowserCDPSession();
  sessions.set(browser, session);
  return session;
}

/** Checks whether a browser that was launched with {@link frameFlags} lets a page be controlled. Only the headless shell does. */
export async function controlsFrames(browser: Browser): Promise<boolean> {
  try {
    const { page, time, draw } = await openFramePage(browser, () => browser.newContext());
    const isDrawn = await draw({ frameTimeTicks: time.startMs + 1, interval: 1 }).then(
      () => true,
      () => false,
    );
    await page.context().close();
    return isDrawn;
  } catch {
    return false;
  }
}
