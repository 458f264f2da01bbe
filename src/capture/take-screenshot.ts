import type { Page } from '@playwright/test';
import { pause, withTimeLimit } from '../browser/timing.js';
import type { Capture, CaptureResult, Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { EncodedImage, Size } from '../model/image.js';
import { VIEWPORT_BOUNDS } from '../model/list/fields.js';
import type { BrokenResource, StructureRequest } from '../model/structure.js';
import { readBrokenResources, warnOfBroken } from './broken-resources.js';
import type { CaptureContext } from './capture-context.js';
import { hideCookieBanners, listHidden } from './cookies/hide-banners.js';
import { readEnvironment } from './environment.js';
import { readPageNames, warnOfErrorText } from './error-text.js';
import { expandNamed, isolateElement, warnOfHiding } from './frames/expand-areas.js';
import { fillMissing } from './frames/fill-missing.js';
import { growWindow } from './frames/grow-window.js';
import { evaluateInFrames, openRoots, type Root } from './in-page/frames.js';
import { isNavigation, LateNavigation } from './navigation.js';
import { hasInteractions } from './prepare-page.js';
import { awaitElement, createScreenshotBackend, type ScreenshotBackend, type Subject } from './screenshot/backend.js';
import { checkImage, type PreparedPage, placementOf, preparePageForImage } from './screenshot/image-check.js';
import { scrollDown } from './scroll-down.js';
import { warningsOf } from './stabilize/stabilizers.js';
import { readStructure } from './structure/read-structure.js';
import type { SourceMaps } from './structure/source-maps.js';
import { warnOfVanished } from './vanished.js';

/** What decides how the image of an open page is taken. */
export interface ImageOptions {
  /** Checks whether an image equals the baseline byte for byte. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** The source maps of earlier pages. Those of this page are added. @default there are none */
  readonly sourceMaps?: SourceMaps;
  /** Asks for the structure of the page. @default the structure is not read */
  readonly structure?: StructureRequest | null;
  /** Reads the format and size of an image. @throws ProofsheetError if the bytes are not an image. */
  readonly readImage: (bytes: Buffer) => Promise<EncodedImage>;
}

/** The page at the start of its capture. */
export interface OpenedPage {
  readonly url: string;
  readonly warnings: readonly Warning[];
  /** Checks the URL once the page is stable, and again after the last screenshot. */
  readonly check: () => void;
  /** Lets the page live before its image. A page that a test opened has lived. */
  readonly runsTimers: boolean;
}

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
 * Takes the image of an open page, in these steps:
 *
 * 1. The page lives for {@link LIVED_MS} of its time, and for `delay`. Time is paused while anything loads.
 * 2. It is scrolled through, if a script of it reacts to that.
 * 3. The stabilizers wait for what has no clock: videos, images that failed, `aria-busy`.
 * 4. If its frames are controlled, its window grows until it shows all that is to be captured.
 * 5. Masks are painted, and the backend takes the image.
 * 6. What belongs to the image is read. If it is not the expected one, it is compared with what a visitor sees window by window:
 *    {@link fillMissing}.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare; LateNavigation.
 */
export async function takeScreenshot(
  context: CaptureContext,
  subject: Subject,
  options: ImageOptions,
  opened: OpenedPage,
): Promise<CaptureResult> {
  const { page, clock, settings, deadline, stopwatch } = context;
  const { url, check } = opened;
  const isWhole = settings.fullSize || settings.contentHeight || settings.format === 'pdf' || subject.locator !== null;
  const lived = stopwatch.settle('live', deadline.race('letting the page live', live(context, opened)));
  await lived.catch((cause: unknown) => {
    throw isNavigation(cause) ? new LateNavigation(messageOf(cause)) : cause;
  });
  if (isWhole && settings.settle.scroll && !hasInteractions(settings))
    await stopwatch.settle('scroll', deadline.race('scrolling through the page', scrollDown(context)));
  const first = await awaitStabilizers(context);
  check();
  const shown = deadline.race('showing all of the page', showAll(context, subject));
  const { cutAt, window, unmatched } = await stopwatch.settle('window', shown);
  const still = isWhole && clock.drawsFrames ? withEarlier(await awaitStabilizers(context), first) : first;
  await deadline.race('letting the page live', clock.align(FRAME_MS));
  const hidden = settings.fullSize && settings.expand !== false ? await warnOfHiding(page) : [];
  const vanished = clock.isControlled && hasInteractions(settings) ? await warnOfVanished(page) : [];
  const backend = await deadline.race('preparing the screenshot', createScreenshotBackend(context, subject, cutAt));
  const shot = await takeStable(context, backend, options.isExpected);
  // A script may have changed the URL during the capture.
  check();
  const areas = [...cutWarning(cutAt), ...unmatched, ...hidden];
  const warnings = [...opened.warnings, ...still.warnings, ...warnOfBroken(still.broken), ...areas, ...vanished];
  const seen = { ...shot, backend, window, warnings, broken: still.broken };
  const result = await describeResult(context, subject, options, url, seen);
  const { image } = result.capture;
  const isGrown = clock.drawsFrames && settings.fullSize && image.size.height > window.height;
  const isProven = cutAt !== null || options.isExpected(shot.bytes);
  if (!isGrown || isProven || backend.deviceScale !== 1 || settings.format !== 'png') return result;
  // A page that takes long, or that leaves meanwhile, has its image.
  const asIs = { image, warnings: [] };
  // Masks and ignored areas are known of the image only.
  const paints = settings.mask.length === 0 && settings.ignore.selectors.length === 0;
  const filling = fillMissing(page, clock, window, image, paints).catch(() => asIs);
  const filled = await stopwatch.settle(
    'proof',
    withTimeLimit(deadline.remainingMs(1 / 2), filling, () => asIs),
  );
  const allWarnings = [...result.capture.warnings, ...filled.warnings];
  return { ...result, capture: { ...result.capture, image: filled.image, warnings: allWarnings } };
}

/** Lets the page live until late content has arrived. */
async function live({ page, clock, settings, pageStyles }: CaptureContext, { runsTimers }: OpenedPage): Promise<void> {
  await pageStyles.apply(page);
  if (clock.isControlled && hasInteractions(settings) && runsTimers) {
    await clock.align(MOMENT_MS);
    await restartAnimations(page);
  }
  const livedMs = Math.max(settings.settle.layout ? LIVED_MS : 0, settings.lateMs);
  if (runsTimers && (await countsFrames(page))) {
    await clock.pass(Math.min(SCREEN.ms, livedMs), SCREEN.stepMs);
    await clock.pass(livedMs - SCREEN.ms, SCREEN.laterStepMs);
  } else await clock.pass(runsTimers ? livedMs : 0);
  await clock.pass(settings.delayMs);
}

async function countsFrames(page: Page): Promise<boolean> {
  const frames = await evaluateInFrames<boolean>(page, 'window.__proofsheet?.asksForFrames === true');
  return frames.some(Boolean);
}

/** Starts endless animations at one moment: interactions may have started them at another one in each run. */
async function restartAnimations(page: Page): Promise<void> {
  await evaluateInFrames(page, `(${String(restartEndless)})((${String(openRoots)})())`);
}

/** Runs in the page. */
function restartEndless(roots: readonly Root[]): void {
  for (const animation of roots.flatMap((root) => root.getAnimations()))
    if (animation.playState === 'running' && animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.startTime = document.timeline.currentTime;
}

/** What is known about a page that was waited for. */
interface Still {
  /** What did not end in time. */
  readonly warnings: readonly Warning[];
  /** What the page did not load. */
  readonly broken: readonly BrokenResource[];
}

/** Adds what an earlier wait gave up: a later one does not wait for it again. */
function withEarlier(still: Still, earlier: Still): Still {
  const isNew = ({ code }: Warning) => still.warnings.every((warning) => warning.code !== code);
  return { ...still, warnings: [...still.warnings, ...earlier.warnings.filter(isNew)] };
}

/** Hides cookie banners, and waits for the stabilizers. */
async function awaitStabilizers(context: CaptureContext): Promise<Still> {
  const { page, state, clock, settings, stabilizers, network, deadline, stopwatch } = context;
  const wait = async (): Promise<Still> => {
    if (settings.hideCookie) await stopwatch.settle('hideCookie', clock.awaiting(hideCookieBanners(page, state)));
    const { pending, waitedMs } = await clock.awaiting(stabilizers.wait(page));
    for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
    const broken = await readBrokenResources(page, network);
    return { warnings: warningsOf(pending), broken };
  };
  return deadline.race('waiting for the page to become stable', wait());
}

/** A page of which all is shown that is to be captured. */
interface Shown {
  /** Height at which an endless page is cut, in CSS pixels; null for no limit. */
  readonly cutAt: number | null;
  /** The window that was asked for. */
  readonly window: Size;
  /** Entries of `expand` that match nothing. */
  readonly unmatched: readonly Warning[];
}

/** Makes the window show all that is to be captured, as far as the driver can. */
async function showAll(
  { page, state, clock, settings, deadline }: CaptureContext,
  { locator }: Subject,
): Promise<Shown> {
  if (locator) await clock.awaiting(awaitElement(locator, deadline.remainingMs(1 / 2)));
  if (locator && clock.drawsFrames) await isolateElement(locator);
  const { expand } = settings;
  const unmatched = typeof expand === 'boolean' ? [] : await expandNamed(page, expand);
  if (settings.contentHeight) {
    await clock.awaiting(fitViewportToContent(page));
    await clock.pass(FRAME_MS);
  }
  const window = page.viewportSize() ?? (await page.evaluate(windowSize));
  const grows = clock.drawsFrames && (settings.fullSize || locator !== null);
  if (!grows || settings.contentHeight || settings.format === 'pdf') return { window, cutAt: null, unmatched };
  const cutAt = await growWindow(page, state, clock, {
    scrolls: !hasInteractions(settings),
    expands: expand !== false,
  });
  const box = await locator?.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  // The page is not taller because of an element that is fixed.
  if (box && box.y + box.height > height) {
    await clock.awaiting(page.setViewportSize({ width: window.width, height: Math.ceil(box.y + box.height) }));
    await clock.pass(FRAME_MS);
  }
  return { window, cutAt, unmatched };
}

/** Resizes the viewport to the content. @throws ProofsheetError `page-too-tall` if the content exceeds the maximum. */
async function fitViewportToContent(page: Page): Promise<void> {
  const content = await page.evaluate(contentSize);
  if (content.height > VIEWPORT_BOUNDS.height.max)
    throw new ProofsheetError({
      code: 'page-too-tall',
      where: page.url(),
      found: `the content is ${content.height} px tall; the maximum height of a viewport is ${VIEWPORT_BOUNDS.height.max} px`,
      advice: 'Use `fullSize: true` with a fixed `height` instead of `height: null`.',
    });
  await page.setViewportSize({ width: content.width, height: Math.max(VIEWPORT_BOUNDS.height.min, content.height) });
}

/** Runs in the page. `scrollHeight` is at least the viewport height, so a shorter page is measured by its box. */
function contentSize(): { width: number; height: number } {
  const root = document.scrollingElement ?? document.documentElement;
  const boxHeight = document.documentElement.getBoundingClientRect().bottom + scrollY;
  return { width: innerWidth, height: Math.ceil(root.scrollHeight > innerHeight ? root.scrollHeight : boxHeight) };
}

/** The images of a page. */
interface TakenImage {
  readonly bytes: Buffer;
  /** The image before the last one, of a page that did not become stable. */
  readonly previous?: Buffer;
  readonly attempts: number;
  readonly prepared: PreparedPage;
}

/** Pauses between two images of a page whose frames are not controlled, in milliseconds. The last one repeats. They are irregular: a page that repeats is seen in each state. */
const PAUSES_MS = [100, 250, 500, 330, 170];

/** How long a page whose frames are not controlled has until two images in a row are equal, in milliseconds. */
const BUDGET_MS = 5_000;

/**
 * Takes one image if the frames of the page are controlled: nothing moves between two of them. Otherwise, takes images until two in a row
 * are equal, or one is the expected one.
 */
async function takeStable(
  context: CaptureContext,
  backend: ScreenshotBackend,
  isExpected: ImageOptions['isExpected'],
): Promise<TakenImage> {
  const { clock, settings, deadline, stopwatch } = context;
  const take = async () => {
    const prepared = await preparePageForImage(context);
    return { bytes: await backend.shoot(), prepared };
  };
  const takeInTime = () => stopwatch.time('screenshot', deadline.race('taking the screenshot', take()));
  const endsAt = performance.now() + Math.min(BUDGET_MS, deadline.remainingMs(1 / 2));
  let last = await takeInTime();
  if (clock.drawsFrames || settings.format === 'pdf' || isExpected(last.bytes)) return { ...last, attempts: 1 };
  for (let attempts = 2; ; attempts++) {
    const pauseMs = PAUSES_MS[Math.min(attempts - 2, PAUSES_MS.length - 1)] ?? 0;
    await stopwatch.settle('unchanged', clock.during(pause(pauseMs)));
    const next = await takeInTime();
    if (next.bytes.equals(last.bytes)) return { ...next, attempts };
    if (performance.now() > endsAt) return { ...next, previous: last.bytes, attempts };
    last = next;
  }
}

function cutWarning(cutAt: number | null): Warning[] {
  if (cutAt === null) return [];
  return [{ code: 'scroll', message: `the page kept growing: the screenshot is cut off at ${cutAt} px` }];
}

/** An image, and what is known about the page that it shows. */
interface Seen extends TakenImage, Still, Pick<Shown, 'window'> {
  readonly backend: ScreenshotBackend;
}

/** Describes the image of a page, and reads what belongs to it. */
async function describeResult(
  context: CaptureContext,
  subject: Subject,
  options: ImageOptions,
  url: string,
  { bytes, previous, attempts, prepared, backend, window, warnings, broken }: Seen,
): Promise<CaptureResult> {
  const { network, clock, deadline, stopwatch } = context;
  const image = await options.readImage(bytes);
  const { deviceScale } = backend;
  const checked = checkImage(context, subject, image, deviceScale, prepared);
  const placement = () => placementOf(subject, context.settings, deviceScale);
  const described = describeImage(context, deviceScale, checked);
  const { warnings: imageWarnings, ...description } = await stopwatch.time('screenshot', described);
  const excluded = [...description.masks, ...description.ignored];
  const isStable = previous === undefined;
  const shotImage = { image, excluded, placement, isStable, broken };
  const read = readStructure(context, options.structure ?? null, shotImage, options.sourceMaps ?? new Map());
  const structureInTime = deadline.race('reading the structure', read).catch((cause: unknown) => {
    // An unstable page has used up its time. It is unstable also without its structure.
    if (isStable) throw cause;
    return null;
  });
  const structure = await stopwatch.time('screenshot', structureInTime);
  const capture = {
    ...description,
    viewport: window,
    structure,
    image,
    takenAt: Date.now(),
    url,
    shots: attempts,
    isExact: clock.drawsFrames && !clock.hasOwnClocks(),
    missingResponses: network.missing(),
    lostResponses: network.lost(),
    warnings: [...warnings, ...imageWarnings],
  };
  return previous
    ? { kind: 'unstable', capture, previous: await options.readImage(previous) }
    : { kind: 'settled', capture };
}

/** Checks the final image, and reads what belongs to it. All reads run in parallel. */
async function describeImage(
  { page, clock, settings, deadline }: CaptureContext,
  deviceScale: number,
  checked: Promise<Pick<Capture, 'masks' | 'ignored' | 'warnings'>>,
): Promise<Pick<Capture, 'masks' | 'ignored' | 'environment' | 'hidden' | 'warnings'>> {
  const driver = clock.drawsFrames ? 'frames' : undefined;
  const [{ masks, ignored, warnings }, environment, names, hidden] = await Promise.all([
    deadline.race('checking the screenshot', checked),
    deadline.race('reading the environment', readEnvironment(page, deviceScale, driver)),
    settings.warnsOfErrorText ? deadline.race('reading the title', page.evaluate(readPageNames)) : null,
    settings.hideCookie ? deadline.race('listing what `hideCookie` hid', listHidden(page)) : null,
  ]);
  return {
    ...{ masks, ignored, environment, ...(hidden && { hidden }) },
    warnings: [...(names ? warnOfErrorText(names) : []), ...warnings],
  };
}

/** Runs in the page. */
function windowSize(): Size {
  return { width: innerWidth, height: innerHeight };
}
