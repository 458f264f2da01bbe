import type { Page } from '@playwright/test';
import type { PageState } from '../../browser/page-state.js';
import { repeatDuring, type Stopwatch } from '../../browser/timing.js';
import type { Warning } from '../../model/capture.js';
import { ProofsheetError } from '../../model/errors.js';
import { VIEWPORT_BOUNDS } from '../../model/list/fields.js';
import type { CaptureSettings } from '../../model/shot.js';
import type { BrokenResource } from '../../model/structure.js';
import { readBrokenResources, warnOfBroken } from '../broken-resources.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import type { Deadline } from '../deadline.js';
import type { FrameClock } from '../frames/frame-clock.js';
import type { PageTime } from '../in-page/page-clock.js';
import type { Network } from '../network.js';
import type { PageStyles } from '../page-styles.js';
import { releaseAnimations } from './causes/animations.js';
import { scroll } from './causes/scroll.js';
import { scrollThrough } from './scroll-through.js';
import { type Pending, type Stabilizers, warningsOf } from './stabilizers.js';

/** The page, settings and services that are known before a page is opened. */
export interface PreparationContext {
  readonly page: Page;
  readonly state: PageState;
  /** The clock of the page, if its time and its frames are controlled; null for any other page. */
  readonly clock: FrameClock | null;
  readonly settings: CaptureSettings;
  readonly stabilizers: Stabilizers;
  readonly pageStyles: PageStyles;
  readonly network: Network;
  readonly deadline: Deadline;
  readonly stopwatch: Stopwatch;
}

/** The page, settings and services that one capture needs. */
export interface CaptureContext extends PreparationContext {
  readonly time: PageTime;
  /** The test opened the page, so the init scripts did not run in it. */
  readonly isOpenPage: boolean;
  /** Animations are held until the interactions start, or else until the page is stabilized. Controlled time advances them. */
  readonly holdsAnimations: boolean;
  /** Accepts a screenshot of one solid color. */
  readonly acceptsSolidColor: boolean;
}

/** The result of {@link stabilizePage}. */
export interface StablePage {
  readonly warnings: readonly Warning[];
  /** What the page did not load. */
  readonly broken: readonly BrokenResource[];
  /** Height at which an endless page is cut, in CSS pixels; null for no limit. */
  readonly cutAt: number | null;
}

/**
 * Stabilizes a page: applies `hide` and `remove`, scrolls through the page to trigger lazy content, and waits for
 * `delay`. Then waits until no cause of instability is left.
 *
 * @throws ProofsheetError `page-selector`, `page-timeout`, `page-too-tall`.
 */
export async function stabilizePage(captureContext: CaptureContext): Promise<StablePage> {
  const { page, state, settings, pageStyles, time, deadline, stopwatch, holdsAnimations } = captureContext;
  await stopwatch.settle('hide', deadline.race('applying `hide` and `remove`', pageStyles.apply(page)));
  // The style has ended all transitions: none of them runs for a short time that depends on the machine.
  if (holdsAnimations && !time.isControlled) await deadline.race('starting the animations', releaseAnimations(state));
  if (time.isControlled) await deadline.race('advancing the time', time.pass(CONTROLLED_MS.afterLoad));
  if (settings.hideCookie) {
    const hidden = deadline.race('hiding cookie banners', hideCookieBanners(page, state));
    await stopwatch.settle('hideCookie', hidden);
  }
  const scrolled = await scrollDown(captureContext);
  if (settings.delayMs > 0)
    await stopwatch.settle('delay', deadline.race('waiting for `delay`', time.pass(settings.delayMs)));
  let pending = await deadline.race('waiting for the page to become stable', waitUntilStable(captureContext));
  if (settings.contentHeight) {
    await deadline.race('measuring the height of the content', fitViewportToContent(page));
    pending = await deadline.race('waiting for the page to become stable', waitUntilStable(captureContext));
  }
  if (time.isControlled) {
    await deadline.race('advancing the time', time.align(CONTROLLED_MS.moment));
    pending = await deadline.race('waiting for the page to become stable', waitUntilStable(captureContext));
  }
  const { warnings, broken } = await deadline.race('checking the images', describePending(captureContext, pending));
  return { warnings: [...scrolled.warnings, ...warnings], broken, cutAt: scrolled.cutAt };
}

/**
 * How far controlled time is advanced once the page is loaded, and the moment of the capture: a multiple of this time, in
 * milliseconds of the page.
 */
const CONTROLLED_MS = { afterLoad: 3_000, moment: 10_000 };

/** Limits for repeating a wait, in milliseconds of the page: a shorter one had nothing pending, a longer one is not repeated. */
const WAIT_MS = { nothingPending: 50, notRepeated: 2_000 };

/** Waits again after each wait: loaded content may add frames and images that also need to load. */
async function waitUntilStable(captureContext: CaptureContext): Promise<Pending> {
  for (let waits = 1; ; waits++) {
    const start = performance.now();
    const { pending, skippedMs } = await awaitCauses(captureContext);
    const tookMs = performance.now() - start + skippedMs;
    if (waits === MAX_WAITS || tookMs < WAIT_MS.nothingPending || tookMs >= WAIT_MS.notRepeated) return pending;
  }
}

const MAX_WAITS = 3;

/** Waits for all causes in parallel: those in the page, and the open requests. */
async function awaitCauses(captureContext: CaptureContext): Promise<{ pending: Pending; skippedMs: number }> {
  const { page, settings, stabilizers, network, time, stopwatch } = captureContext;
  const start = performance.now();
  const { result, skippedMs } = await skipDuring(time, stabilizers.wait(page));
  const { pending: inside, waitedMs } = result;
  for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
  const left = (capMs: number) => Math.max(0, start + capMs - performance.now());
  // CSS images are not elements of the document. The URL of a font that does not load is only known from its request.
  const [images, fonts] = await Promise.all([
    settings.settle.images ? stopwatch.settle('images', network.quiet(['image'], left(REQUESTS_MS.images))) : [],
    settings.settle.fonts ? stopwatch.settle('fonts', network.quiet(['font'], left(REQUESTS_MS.fonts))) : [],
  ]);
  const pending = {
    ...inside,
    images: [...new Set([...(inside.images ?? []), ...images])],
    fonts: fonts.length > 0 ? fonts : (inside.fonts ?? []),
  };
  return { pending, skippedMs };
}

/** Maximum wait for requests of images and fonts that the document does not report, in milliseconds. The others have the limit of their stabilizer. */
const REQUESTS_MS = { images: 2_000, fonts: 1_000 };

/** Skips the time of a page during a long wait, so that timers which change the page do not take their time. */
async function skipDuring<T>(time: PageTime, work: Promise<T>): Promise<{ result: T; skippedMs: number }> {
  let totalMs = 0;
  const result = await repeatDuring(work, SKIPPED_MS.after, async () => {
    const { skippedMs } = await time.skip(SKIPPED_MS.step);
    totalMs += skippedMs;
    return skippedMs > 0;
  });
  return { result, skippedMs: totalMs };
}

/** After which wait the time of a page is skipped, and how far at once, in milliseconds. */
const SKIPPED_MS = { after: 200, step: 500 };

/** Describes what is still pending after a wait, and what did not load. */
export async function describePending(
  { page, network }: Pick<CaptureContext, 'page' | 'network'>,
  pending: Pending,
): Promise<Pick<StablePage, 'warnings' | 'broken'>> {
  const broken = await readBrokenResources(page, network);
  return { warnings: [...warningsOf(pending), ...warnOfBroken(broken)], broken };
}

async function scrollDown(captureContext: CaptureContext): Promise<Omit<StablePage, 'broken'>> {
  const { page, settings, network, time, isOpenPage, deadline, stopwatch } = captureContext;
  const wholePage = settings.fullSize || settings.contentHeight || settings.format === 'pdf';
  if (!settings.settle.scroll || !wholePage) return { warnings: [], cutAt: null };
  const scrolled = deadline.race('scrolling through the page', scrollThrough(page, network, time, isOpenPage));
  const { cutAt, complete } = await stopwatch.settle('scroll', scrolled);
  const warnings = [
    ...(complete ? [] : [{ code: scroll.name, message: `${scroll.explanation}: ${page.url()}` }]),
    ...(cutAt === null
      ? []
      : [{ code: scroll.name, message: `the page kept growing: the screenshot is cut off at ${cutAt} px` }]),
  ];
  return { warnings, cutAt };
}

/** Resizes the viewport to the content. @throws ProofsheetError `page-too-tall` if the content exceeds the maximum. */
export async function fitViewportToContent(page: Page): Promise<void> {
  const content = await page.evaluate(contentSize);
  if (content.height > VIEWPORT_BOUNDS.height.max)
    throw new ProofsheetError({
      code: 'page-too-tall',
      where: page.url(),
      found: `the content is ${content.height} px tall; the maximum height of a viewport is ${VIEWPORT_BOUNDS.height.max} px`,
      advice: 'Use `fullSize: true` with a fixed `height` instead of `height: null`.',
    });
  await page.setViewportSize({ width: content.width, height: Math.max(VIEWPORT_BOUNDS.height.min, content.height) });
  await page.evaluate(untilFrame);
}

/** Runs in the page. Resolves after the next frame: the observers of the page know its new size then. */
function untilFrame(): Promise<void> {
  const { native } = window.__proofsheet ?? {};
  // Not called as methods: native functions need the window as their receiver.
  const startTimer = native?.setTimeout ?? window.setTimeout;
  const startFrame = native?.requestAnimationFrame ?? window.requestAnimationFrame;
  return new Promise((resolve) => void startFrame(() => void startTimer(resolve, 0)));
}

/** Runs in the page. `scrollHeight` is at least the viewport height, so a shorter page is measured by its box. */
function contentSize(): { width: number; height: number } {
  const root = document.scrollingElement ?? document.documentElement;
  const boxHeight = document.documentElement.getBoundingClientRect().bottom + scrollY;
  return { width: innerWidth, height: Math.ceil(root.scrollHeight > innerHeight ? root.scrollHeight : boxHeight) };
}
