import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import { type CaptureSettings, codecOf, type ErrorCode } from '../../model/index.js';
import { inTime, pause, watchEnd } from './timing.js';

/**
 * Flags with which Chromium's headless shell draws a frame only when it is asked to, with everything that belongs to it: no layer, image
 * or animation of a frame comes from another thread at another time.
 */
const FRAME_FLAGS = [
  '--enable-begin-frame-control',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-image-animation-resync',
];

/** What of a page a browser lets us control. `frames`: its clock, and when a frame is drawn (Chromium's headless shell). `time`: its clock (Chromium). */
export type Control = 'frames' | 'time' | 'nothing';

/** A page whose clock is paused, unless it is granted time. */
export interface ControlledPage {
  readonly page: Page;
  readonly session: CDPSession;
  readonly control: Exclude<Control, 'nothing'>;
  /** The time when the page was opened, in milliseconds of its clock. */
  readonly startMs: number;
  /**
   * Draws a frame. The frames of all pages of a browser are drawn one after the other: two at a time end its GPU process. If only the clock
   * is controlled, gives the browser time to draw one.
   *
   * The image has `deviceScaleFactor` pixels for each CSS pixel.
   */
  draw(frame: FrameRequest): Promise<DrawnFrame>;
}

export interface DrawnFrame {
  /** False if it shows the same as the one before. */
  readonly hasDamage?: boolean;
  readonly screenshotData?: string;
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
  const end = done.catch(() => {});
  turns.set(browser, end);
  return done;
}

/** Opens a context that is not that of a page. Its turn keeps it from being taken for one. */
export function openOwnContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  return inTurn(opening, browser, () => browser.newContext(options));
}

/** Opens a context and a page. `controlled` is null if nothing of the page is controlled. */
export async function openControlledPage(
  browser: Browser,
  control: Control,
  openContext: () => Promise<BrowserContext>,
): Promise<{ readonly page: Page; readonly controlled: ControlledPage | null }> {
  if (control === 'frames') {
    const controlled = await inTurn(opening, browser, () => openFramePage(browser, openContext));
    return { page: controlled.page, controlled };
  }
  const context = await openContext();
  return closeOnError(context, async () => {
    const page = await context.newPage();
    if (control === 'nothing') return { page, controlled: null };
    const paused = await pauseClock(page);
    const draw = async ({ screenshot }: FrameRequest) => {
      await pause(FRAME_MS);
      if (!screenshot) return {};
      const { data } = await paused.session.send('Page.captureScreenshot', { ...screenshot, optimizeForSpeed: true });
      return { screenshotData: data };
    };
    return { page, controlled: { ...paused, control, draw } };
  });
}

/** Milliseconds by which two frames at one moment of a page differ: a frame that is not later than the last one may never be drawn. */
export const TICK_MS = 0.01;

/** How long a browser needs for a frame that it draws by itself, in milliseconds. */
const FRAME_MS = 20;

async function openFramePage(browser: Browser, openContext: () => Promise<BrowserContext>): Promise<ControlledPage> {
  const root = await sessionOf(browser);
  const listContexts = async () => (await root.send('Target.getBrowserContexts')).browserContextIds;
  const known = new Set(await listContexts());
  const context = await openContext();
  return closeOnError(context, async () => {
    const browserContextId = (await listContexts()).find((id) => !known.has(id));
    if (browserContextId === undefined) throw new Error('the browser does not list its contexts');
    const created = context.waitForEvent('page');
    // The error of the command is the one that counts.
    created.catch(() => {});
    await root.send('Target.createTarget', { url: 'about:blank', browserContextId, enableBeginFrameControl: true });
    const paused = await pauseClock(await created);
    let last = paused.startMs;
    const draw = ({ screenshot, frameTimeTicks, interval }: FrameRequest) => {
      last = Math.max(last + TICK_MS, frameTimeTicks);
      const request = {
        frameTimeTicks: last,
        interval,
        ...(screenshot && { screenshot: { ...screenshot, optimizeForSpeed: true } }),
      };
      return inTurn(drawing, browser, () => paused.session.send('HeadlessExperimental.beginFrame', request));
    };
    return { ...paused, control: 'frames', draw };
  });
}

async function pauseClock(page: Page): Promise<Pick<ControlledPage, 'page' | 'session' | 'startMs'>> {
  const session = await page.context().newCDPSession(page);
  const { virtualTimeTicksBase } = await session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
  return { page, session, startMs: virtualTimeTicksBase };
}

/** Lets a page live while work runs in it, after its capture: its time passes, and frames are drawn. */
export async function liveDuring<T>({ session, startMs, draw }: ControlledPage, work: () => Promise<T>): Promise<T> {
  const done = work();
  const { isEnded, end } = watchEnd(done);
  // Later than any frame of the capture.
  for (let tick = startMs + DAY_MS; !isEnded(); tick += FRAME_MS) {
    const frame = session
      .send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget: FRAME_MS })
      .then(() => draw({ frameTimeTicks: tick, interval: FRAME_MS }));
    // The page may be closed.
    await frame.catch(() => {});
    await Promise.race([end, pause(FRAME_MS)]);
  }
  return done;
}

const DAY_MS = 86_400_000;

/** Maximum time for the image, in milliseconds: a page that failed may not respond. */
const FAILURE_MS = 3_000;

/** After these errors, there is no page to see. */
const WITHOUT_PAGE: readonly ErrorCode[] = ['page-crashed', 'page-unreachable'];

/**
 * Takes an image of the window of a page that could not be captured, so that a reader sees what the page shows instead. Null if there is nothing to
 * see, and of a page with `mask`: what is secret may not be found in it.
 */
export async function captureFailure(
  page: Page,
  controlled: ControlledPage | null,
  { format, mask }: CaptureSettings,
  code: ErrorCode,
): Promise<Buffer | null> {
  const isNothing = WITHOUT_PAGE.includes(code) || page.isClosed() || page.url() === 'about:blank';
  if (format === 'pdf' || mask.length > 0 || isNothing) return null;
  const shoot = () => page.screenshot({ type: codecOf(format), timeout: FAILURE_MS });
  return inTime(FAILURE_MS, controlled ? liveDuring(controlled, shoot) : shoot());
}

async function closeOnError<T>(context: BrowserContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    await context.close().catch(() => {});
    throw cause;
  }
}

const sessions = new WeakMap<Browser, Promise<CDPSession>>();

function sessionOf(browser: Browser): Promise<CDPSession> {
  const session = sessions.get(browser) ?? browser.newBrowserCDPSession();
  sessions.set(browser, session);
  return session;
}

export interface LaunchedBrowser {
  readonly browser: Browser;
  readonly control: Control;
}

/** Launches a local Chromium that lets as much of its pages be controlled as it can. On macOS, and with a window, frames are not controlled. */
export async function launchControlled(
  launch: (flags: string[]) => Promise<Browser>,
  flags: readonly string[],
  isHeaded: boolean,
): Promise<LaunchedBrowser> {
  if (isHeaded || process.platform === 'darwin') return { browser: await launch([...flags]), control: 'time' };
  // Animated images and SMIL animations follow the frames.
  const moving = flags.map((flag) => flag.replace(/,imageAnimationPolicy=2\b/, ''));
  const browser = await launch(joinFlags('--enable-features=', FEATURES, [...moving, ...FRAME_FLAGS]));
  if (await drawsOnRequest(browser)) return { browser, control: 'frames' };
  await browser.close();
  return { browser: await launch([...flags]), control: 'time' };
}

/**
 * Features of Chromium. The first two repeat what Playwright enables, because only the last such flag counts.
 *
 * `RenderDocument`: a document replaces another one in the same frame, as in Chromium before version 142. Otherwise, each document gets a new
 * frame, in which the mouse is at (0, 0), so that what is there is drawn as hovered. A run also takes 16 % more processor time. See
 * `docs/render_document.md` of Chromium.
 */
const FEATURES = [
  'CDPScreenshotNewSurface',
  'SkipListAccountsWithoutGaiaCookies',
  'RenderDocument:level/crashed-frame',
];

/** Joins the values of all flags with a prefix, after `first`: only the last such flag counts. */
export function joinFlags(prefix: string, first: readonly string[], flags: readonly string[]): string[] {
  const isJoined = (flag: string) => flag.startsWith(prefix);
  const values = flags.filter(isJoined).map((flag) => flag.slice(prefix.length));
  return [...flags.filter((flag) => !isJoined(flag)), prefix + [...first, ...values].join(',')];
}

/** Returns what a browser that somebody else launched lets us control. */
export function controlOf(browser: Browser): Control {
  return browser.browserType().name() === 'chromium' ? 'time' : 'nothing';
}

export function isChromium(page: Page): boolean {
  return page.context().browser()?.browserType().name() === 'chromium';
}

async function drawsOnRequest(browser: Browser): Promise<boolean> {
  try {
    const { page, startMs, draw } = await openFramePage(browser, () => browser.newContext());
    await draw({ frameTimeTicks: startMs + 1, interval: 1 });
    await page.context().close();
    return true;
  } catch {
    return false;
  }
}
