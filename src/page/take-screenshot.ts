import type { CaptureResult, Size, Warning } from '../model/index.js';
import { readBrokenResources, warnOfBroken } from './broken-resources.js';
import type { CaptureContext } from './capture-context.js';
import { hideCookieBanners } from './cookies/hide-banners.js';
import { describeCapture } from './describe-capture.js';
import { warnOfHiding } from './frames/expand-areas.js';
import { fillMissing, fillsMissing } from './frames/fill-missing.js';
import { capturesWhole, letLive } from './live-page.js';
import { hasInteractions } from './prepare-page.js';
import { forcePseudoStates } from './pseudo-states.js';
import { createScreenshotBackend } from './screenshot/create-backend.js';
import { type Crop, cropPng } from './screenshot/screenshot-backend.js';
import { mayGrow, showAll } from './show-all.js';
import { takeStable } from './stable-image.js';
import { settleTexts } from './texts.js';
import { warnOfVanished } from './vanished.js';

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
 * The image shows the page this much after a multiple of `every`, in milliseconds: how long the waits take depends on the machine. Transitions
 * mostly begin and end at round times: at the very end of one, the image would show it or not, by chance.
 *
 * An animated SVG image moves 1/60 s after a frame of the page. Chromium rounds that time up or down to 0.1 ms, by chance. If the page is `ahead`
 * of its frames, it is a multiple of 0.1 ms.
 */
const MOMENT_MS = { every: 1_000, after: 37, ahead: 0.034 };

/**
 * Takes the image of an open page, in these steps:
 *
 * 1. {@link letLive}: the page lives for some seconds of its time, which is paused while anything loads.
 * 2. {@link awaitStabilizers}: what has no clock ends: fonts, videos, images that failed, `aria-busy`.
 * 3. {@link forcePseudoStates}: elements get the states of `pseudo`, such as hover.
 * 4. {@link showAll}: if its frames are controlled, its window grows until it shows all that is to be captured.
 * 5. {@link takeStable}: masks are painted, and the backend takes the image.
 * 6. {@link describeCapture}: what belongs to the image is read.
 * 7. {@link fillMissing}: if the image is not the expected one, it is compared with what a visitor sees window by window.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare; LateNavigation.
 */
export async function takeScreenshot(
  context: CaptureContext,
  { url, warnings: earlier, check, runsTimers }: OpenedPage,
): Promise<CaptureResult> {
  const { page, clock, settings, network, deadline, stopwatch, isExpected } = context;
  await letLive(context, runsTimers);
  const first = await awaitStabilizers(context);
  check();
  // The window grows to the height that the page has with these texts.
  await deadline.race('replacing texts', settleTexts(context));
  await deadline.race('forcing the states of `pseudo`', forcePseudoStates(context));
  const shown = deadline.race('showing all of the page', showAll(context));
  const { cutAt, window, unmatched } = await stopwatch.settle('window', shown);
  const mayHaveGrown = mayGrow(context) && capturesWhole(context);
  const waits = mayHaveGrown ? withEarlier(await awaitStabilizers(context), first) : first;
  const broken = await deadline.race('listing broken resources', readBrokenResources(page, network));
  const moment = clock.align(MOMENT_MS.every, MOMENT_MS.ahead).then(() => clock.pass(MOMENT_MS.after));
  await deadline.race('letting the page live', moment);
  const hidden = settings.fullSize && settings.expand !== false ? await warnOfHiding(page) : [];
  const vanished = clock.isControlled && hasInteractions(settings) ? await warnOfVanished(page) : [];
  const backend = await deadline.race('preparing the screenshot', createScreenshotBackend(context, cutAt));
  const shot = await takeStable(context, backend);
  // A script may have changed the URL during the capture.
  check();
  const areas = [...cutWarning(cutAt), ...unmatched, ...hidden];
  const warnings = [...earlier, ...waits, ...warnOfBroken(broken), ...areas, ...vanished];
  const seen = { ...shot, backend, window, warnings, broken };
  const result = await describeCapture(context, url, seen);
  const needsNoFilling = backend.deviceScale !== 1 || isExpected(shot.bytes);
  return needsNoFilling ? result : fillResult(context, result, window, backend.crop?.() ?? null);
}

/** Adds what an earlier wait gave up: a later one does not wait for it again. */
function withEarlier(warnings: readonly Warning[], earlier: readonly Warning[]): Warning[] {
  const isNew = ({ code }: Warning) => warnings.every((warning) => warning.code !== code);
  return [...warnings, ...earlier.filter(isNew)];
}

/** Hides cookie banners, and waits for the stabilizers. Returns a warning for each that did not end in time. */
async function awaitStabilizers(context: CaptureContext): Promise<Warning[]> {
  const { page, clock, settings, stabilizers, deadline, stopwatch } = context;
  const wait = async (): Promise<Warning[]> => {
    if (settings.hideCookie) await stopwatch.settle('hideCookie', clock.awaiting(hideCookieBanners(page)));
    const { warnings, waitedMs } = await clock.awaiting(stabilizers.wait(page));
    for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
    return warnings;
  };
  return deadline.race('waiting for the page to become stable', wait());
}

function cutWarning(cutAt: number | null): Warning[] {
  if (cutAt === null) return [];
  return [{ code: 'scroll', message: `the page kept growing: the screenshot is cut off at ${cutAt} px` }];
}

/** Fills in what is missing in the image of a window that grew. A page that leaves meanwhile keeps its image. */
async function fillResult(
  { page, clock, settings, deadline, stopwatch }: CaptureContext,
  result: CaptureResult,
  window: Size,
  crop: Crop | null,
): Promise<CaptureResult> {
  const { image, warnings } = result.capture;
  const whole = crop?.whole ?? image;
  const isGrown = clock.drawsFrames && settings.fullSize && whole.size.height > window.height;
  if (!isGrown || settings.format !== 'png') return result;
  const filling = fillMissing(page, clock, window, whole, fillsMissing(settings), deadline).catch(() => ({
    image: whole,
    warnings: [],
  }));
  const filled = await stopwatch.settle('proof', deadline.race('looking for missing content', filling));
  const isFilled = filled.image !== whole;
  const bytes = isFilled && crop ? await cropPng(filled.image.bytes, crop.area) : filled.image.bytes;
  return {
    ...result,
    capture: {
      ...result.capture,
      image: isFilled ? { ...image, bytes } : image,
      warnings: [...warnings, ...filled.warnings],
    },
  };
}
