import { assertWithinLimit } from '../../image/inspect.js';
import type { CaptureResult, Warning } from '../../model/capture.js';
import { messageOf } from '../../model/errors.js';
import { codecOf, type Rectangle } from '../../model/image.js';
import type { SettleSwitches } from '../../model/list/settle.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';
import { isNavigation, LateNavigation } from '../navigation.js';
import { hasInteractions } from '../prepare-page.js';
import { awaitElement, readDeviceScale, type ScreenshotBackend, type Subject } from '../screenshot/backend.js';
import { createPdfBackend, createScreenshotSession } from '../screenshot/session.js';
import { describeCapture, type ImageOptions, type OpenedPage } from '../screenshot/take-capture.js';
import { type CaptureContext, describePending, fitViewportToContent } from '../stabilize/stabilize-page.js';
import { warnOfVanished } from '../vanished.js';
import { findMissing } from './find-missing.js';
import type { FrameClock } from './frame-clock.js';
import { growWindow, isolateElement, listHidingAreas } from './grow-window.js';
import { scrollDown } from './scroll-down.js';

/**
 * How long a page lives before its image, in milliseconds of its own time. Single timers of up to 5 s run, as they do for a visitor who
 * reads the page.
 */
const LIVED_MS = 5_000;

/** The first part of that time is drawn as often as on a screen, if the page counts its frames: steps of animations need a frame each. */
const SCREEN = { ms: 1_500, stepMs: 1000 / 60, laterStepMs: 100 };

/** The image shows the page at a multiple of this time, in milliseconds: how long the waits take depends on the machine. */
const FRAME_MS = 1_000;

/** The moment to which a page is brought after its interactions: a multiple of this time, in milliseconds. */
const MOMENT_MS = 10_000;

/**
 * Captures a page whose clock and frames are controlled, in these steps:
 *
 * 1. The page lives for {@link LIVED_MS} of its time. Time is paused while anything loads.
 * 2. It is scrolled through, if a script of it reacts to that, and lives for `delay`.
 * 3. The stabilizers wait for what has no clock: videos, images that failed, `aria-busy`.
 * 4. Its window grows until it shows all that is to be captured.
 * 5. Masks are painted, and one frame gives the image.
 * 6. If the image is not the expected one, it is compared with what a visitor sees window by window: {@link findMissing}.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare.
 */
export async function takeInFrames(
  captureContext: CaptureContext,
  clock: FrameClock,
  subject: Subject,
  options: ImageOptions,
  { url, warnings, check, runsTimers }: OpenedPage,
): Promise<CaptureResult> {
  const { page, state, settings, stabilizers, pageStyles, deadline, stopwatch } = captureContext;
  const waitUntilStill = async () => {
    if (settings.hideCookie) await clock.awaiting(hideCookieBanners(page, state));
    const { pending, waitedMs } = await clock.awaiting(stabilizers.wait(page));
    for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
    return describePending(captureContext, pending);
  };
  const live = async () => {
    await pageStyles.apply(page);
    const hasInteracted = hasInteractions(settings);
    if (hasInteracted) await clock.align(MOMENT_MS);
    if (hasInteracted) await alignAnimations(page);
    if (runsTimers) await passAsLived(page, clock, Math.max(LIVED_MS, settings.lateMs));
    if (settings.delayMs > 0) await clock.pass(settings.delayMs);
  };
  const lived = stopwatch.settle('live', deadline.race('letting the page live', live()));
  await lived.catch((cause: unknown) => {
    throw isNavigation(cause) ? new LateNavigation(messageOf(cause)) : cause;
  });
  const isWhole = settings.fullSize || settings.contentHeight || settings.format === 'pdf' || subject.locator !== null;
  if (isWhole && settings.settle.scroll && !hasInteractions(settings))
    await stopwatch.settle('scroll', deadline.race('scrolling through the page', scrollDown(page, clock)));
  let still = await deadline.race('waiting for the page to become stable', waitUntilStill());
  check();
  const grow = async () => {
    if (subject.locator) {
      await clock.awaiting(awaitElement(subject.locator, deadline.remainingMs(1 / 2)));
      await isolateElement(subject.locator);
    }
    if (settings.contentHeight) await clock.awaiting(fitViewportToContent(page));
    if (settings.contentHeight || settings.format === 'pdf' || !isWhole) return { cutAt: null };
    return growWindow(page, state, clock, !hasInteractions(settings));
  };
  const window = page.viewportSize();
  const { cutAt } = await stopwatch.settle('window', deadline.race('growing the window', grow()));
  if (isWhole) still = await deadline.race('waiting for the page to become stable', waitUntilStill());
  await deadline.race('drawing the page', clock.align(FRAME_MS));
  const backend =
    settings.format === 'pdf'
      ? createPdfBackend(page, clock.during)
      : await createFrameBackend(subject, captureContext, clock, cutAt);
  const hidingWarnings = settings.fullSize ? (await listHidingAreas(page)).map(warnOfHiding) : [];
  const vanished = hasInteractions(settings) ? await warnOfVanished(page) : [];
  const session = await createScreenshotSession(
    subject,
    captureContext,
    { ...still, cutAt },
    { drawsBeyondWindow: false, defersRaster: false, has3dTransforms: async () => false, ownBackend: backend },
  );
  const bytes = await stopwatch.time('screenshot', deadline.race('taking the screenshot', session.shoot()));
  // A script may have changed the URL during the capture.
  check();
  const seen = {
    bytes,
    shots: 1,
    warnings: [...warnings, ...still.warnings, ...cutWarning(cutAt), ...hidingWarnings, ...vanished],
    broken: still.broken,
    isExact: !clock.hasOwnClocks(),
  };
  const result = await describeCapture(captureContext, options, session, url, seen);
  const { image } = result.capture;
  const isGrown = window !== null && settings.fullSize && cutAt === null && image.size.height > window.height;
  if (!isGrown || options.isExpected(bytes) || backend.deviceScale !== 1 || settings.format !== 'png') return result;
  const found = deadline.race('looking at each part of the page', findMissing(page, clock, window, image));
  const missing = await stopwatch.settle('proof', found);
  return { ...result, capture: { ...result.capture, warnings: [...result.capture.warnings, ...missing] } };
}

function warnOfHiding({ name, hidden }: { readonly name: string; readonly hidden: number }): Warning {
  const message = `the area ${name} scrolls, and ${hidden} px of its content are not in the image`;
  return { code: 'content-hidden', message };
}

function cutWarning(cutAt: number | null): Warning[] {
  if (cutAt === null) return [];
  return [{ code: 'scroll', message: `the page kept growing: the screenshot is cut off at ${cutAt} px` }];
}

/** Switches off the stabilizers whose cause the clock removes. */
export function stabilizersInFrames(switches: SettleSwitches): SettleSwitches {
  return { ...switches, load: false, layout: false, motion: false, animations: false, gifs: false };
}

/** Draws frames as often as a screen does for a while, if the page counts them. */
async function passAsLived(page: CaptureContext['page'], clock: FrameClock, ms: number): Promise<void> {
  const counts = await evaluateInFrames<boolean>(page, 'window.__proofsheet?.asksForFrames === true');
  if (!counts.some(Boolean)) return clock.pass(ms);
  await clock.pass(SCREEN.ms, SCREEN.stepMs);
  await clock.pass(ms - SCREEN.ms, SCREEN.laterStepMs);
}

/** Starts endless animations at one moment: interactions may have started them at another one in each run. */
async function alignAnimations(page: CaptureContext['page']): Promise<void> {
  await evaluateInFrames(page, `(${String(restartEndless)})((${String(openRoots)})())`);
}

/** Runs in the page. */
function restartEndless(roots: readonly Root[]): void {
  for (const animation of roots.flatMap((root) => root.getAnimations()))
    if (animation.playState === 'running' && animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.startTime = document.timeline.currentTime;
}

/** Creates the backend that takes the image of one frame. */
async function createFrameBackend(
  { page, locator }: Subject,
  { state, settings }: Pick<CaptureContext, 'state' | 'settings'>,
  clock: FrameClock,
  cutAt: number | null,
): Promise<ScreenshotBackend> {
  const codec = codecOf(settings.format === 'pdf' ? 'png' : settings.format);
  const quality = codec === 'png' ? {} : { quality: settings.quality };
  const deviceScale = await readDeviceScale(page, state);
  const areaOf = async (): Promise<Rectangle | null> => {
    const window = page.viewportSize() ?? { width: 0, height: 0 };
    const box = locator ? await locator.boundingBox() : null;
    if (box) return roundOut(box);
    const session = await state.session();
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const width = settings.fullSize ? Math.max(window.width, Math.ceil(cssContentSize.width)) : window.width;
    const height = cutAt ?? window.height;
    const isWindow = width === window.width && height === window.height;
    return isWindow ? null : { x: 0, y: 0, width, height };
  };
  return {
    deviceScale,
    draw: null,
    redraw: async () => {},
    async shoot() {
      const area = await areaOf();
      const { width, height } = area ?? page.viewportSize() ?? { width: 0, height: 0 };
      const density = settings.scale === 'css' ? 1 : deviceScale;
      assertWithinLimit({ width: Math.round(width * density), height: Math.round(height * density) }, page.url());
      if (deviceScale === 1 && area === null) return clock.shoot(codec, settings.quality);
      const session = await state.session();
      if (deviceScale === 1 && area !== null) {
        const clip = { ...area, scale: 1 };
        const image = { format: codec, ...quality, clip, optimizeForSpeed: true, captureBeyondViewport: false };
        const { data } = await clock.during(session.send('Page.captureScreenshot', image));
        return Buffer.from(data, 'base64');
      }
      const own = { type: codec, ...quality, scale: settings.scale, animations: 'allow', caret: 'initial' } as const;
      return clock.during(page.screenshot({ ...own, ...(area && { clip: area }) }));
    },
  };
}

/** Playwright rounds the box of an element in the same way. */
function roundOut({ x, y, width, height }: Rectangle): Rectangle {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}
