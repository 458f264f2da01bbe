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

/** A page whose clock stands still, and which draws no frame, unless its session asks for it. */
export interface FramePage {
  readonly page: Page;
  readonly session: CDPSession;
  /** The time of the page, in milliseconds of its own clock. It stands still. */
  readonly startMs: number;
}

/** The browser contexts of each browser, by the ids that Chromium gives them. One page is opened at a time: its context is the new one. */
const opening = new WeakMap<Browser, Promise<unknown>>();

/**
 * Opens a context and a page whose clock and frames are controlled.
 *
 * @param openContext - opens the context
 * @throws Error if the browser cannot do that.
 */
export function openFramePage(browser: Browser, openContext: () => Promise<BrowserContext>): Promise<FramePage> {
  const before = opening.get(browser) ?? Promise.resolve();
  const opened = before.then(() => openNext(browser, openContext));
  opening.set(
    browser,
    opened.catch(() => {}),
  );
  return opened;
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
    return { page, session, startMs: virtualTimeTicksBase };
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
    const { page, session, startMs } = await openFramePage(browser, () => browser.newContext());
    const frame = session.send('HeadlessExperimental.beginFrame', { frameTimeTicks: startMs + 1, interval: 1 });
    const isDrawn = await frame.then(
      () => true,
      () => false,
    );
    await page.context().close();
    return isDrawn;
  } catch {
    return false;
  }
}
