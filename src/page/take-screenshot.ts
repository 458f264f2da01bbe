import type { Page } from '@playwright/test';
import {
  type BrokenResource,
  type CaptureResult,
  messageOf,
  type Size,
  type Warning,
  withWarnings,
} from '../model/index.js';
import { readBrokenResources, warnOfBroken } from './broken-resources.js';
import { pause, withTimeLimit } from './browser/timing.js';
import type { CaptureContext } from './capture-context.js';
import { hideCookieBanners, listHidden } from './cookies/hide-banners.js';
import { readEnvironment } from './environment.js';
import { readPageNames, warnOfErrorText } from './error-text.js';
import { callIn } from './in-page/frames.js';
import { hasInteractions, problemOf } from './interactions.js';
import { letLive, letMovesEnd } from './live-page.js';
import { isNavigation } from './navigation.js';
import { forcePseudoStates } from './pseudo-states.js';
import { readRenderedTexts } from './rendered-texts.js';
import { createScreenshotBackend } from './screenshot/create-backend.js';
import { checkImage, placementOf, preparePageForImage } from './screenshot/image-check.js';
import { type Crop, cropPng, type ScreenshotBackend } from './screenshot/screenshot-backend.js';
import { showAll } from './show-all.js';
import { readStructure } from './structure/read-structure.js';
import { settleTexts, warnOfTexts } from './texts.js';
import { warnOfVanished } from './vanished.js';
import { warnOfHiding } from './window/expand-areas.js';
import { fillMissing, warnOfUnproven } from './window/fill-missing.js';
import { warnOfWheeled } from './window/wheeled-areas.js';

export interface CaptureStart {
  readonly url: string;
  readonly warnings: readonly Warning[];
  /** Checks the URL once the page is stable, and again after the last screenshot. */
  readonly check: () => void;
  /** Lets the page live before its image. A page that a test opened has lived. */
  readonly runsTimers: boolean;
}

/**
 * The moment of the image, in milliseconds of the page's time: the next multiple of `every`, because the waits take another time in each run, and
 * `after` more, because transitions mostly end at round times. `ahead` is for animated SVG images: one moves 1/60 s after a frame of the page, and
 * Chromium rounds that time to 0.1 ms, up or down by chance. With a page that is so much ahead of its frames, nothing is left to round.
 */
const MOMENT_MS = { every: 1_000, after: 37, ahead: 0.034 };

/**
 * Takes the image of an open page, one step after the other: the page lives, becomes stable, and shows all that is to be captured. Unless its image
 * is the expected one, the image is then compared with what a visitor sees.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare; LateNavigation.
 */
export async function takeScreenshot(
  context: CaptureContext,
  { url, warnings: earlier, check, runsTimers }: CaptureStart,
): Promise<CaptureResult> {
  const { page, clock, settings, network, deadline, stopwatch, isExpected } = context;
  await letLive(context, runsTimers);
  const first = await awaitStabilizers(context);
  check();
  // The window grows to the height that the page has with these texts.
  await deadline.race('replacing texts', settleTexts(context));
  await deadline.race('forcing the states of `pseudo`', forcePseudoStates(context));
  const shown = await stopwatch.settle('window', deadline.race('showing all of the page', showAll(context)));
  const { cutAt, windowSize } = shown;
  const waits = shown.mayHaveGrown ? withEarlier(await awaitStabilizers(context), first) : first;
  const broken = await deadline.race('listing broken resources', readBrokenResources(page, network));
  await deadline.race('letting the page live', letMovesEnd(context));
  const moment = clock.align(MOMENT_MS.every, MOMENT_MS.ahead).then(() => clock.pass(MOMENT_MS.after));
  await deadline.race('letting the page live', moment);
  const showsAreas = settings.fullSize && settings.expand !== false;
  const hiding = showsAreas ? await warnOfHiding(page) : [];
  const vanished = clock.isControlled && hasInteractions(settings) ? await warnOfVanished(page) : [];
  const backend = await deadline.race('preparing the screenshot', createScreenshotBackend(context, cutAt));
  const taken = await takeStable(context, backend);
  // A script may have changed the URL during the capture.
  check();
  const areas = [...warnOfCut(cutAt), ...shown.unmatched, ...hiding];
  const warnings = [...earlier, ...waits, ...warnOfBroken(broken), ...areas, ...vanished];
  const result = await describeImage(context, backend, taken, { url, viewport: windowSize, broken, warnings });
  if (!settings.fullSize || isExpected(taken.bytes)) return result;
  const isProvable = shown.hasGrown && settings.format === 'png' && backend.deviceScale === 1;
  const proven = isProvable ? await fillResult(context, result, windowSize, backend.crop?.()) : result;
  if (!clock.isControlled || !showsAreas) return proven;
  const turning = warnOfWheeled(page, clock).catch((cause: unknown) => warnOfFailure(page, cause));
  // Its warnings are worth no timeout of a page that has its image.
  const limited = withTimeLimit(deadline.remainingMs(1 / 2), turning, () => [warnOfUnproven('the page is too slow')]);
  const turned = await stopwatch.settle('proof', deadline.race('turning the mouse wheel', limited));
  return { ...proven, capture: withWarnings(proven.capture, turned) };
}

/** The image could not be proven. A page that left or was closed has no warning. */
function warnOfFailure(page: Page, cause: unknown): Warning[] {
  return isNavigation(cause) || page.isClosed() ? [] : [warnOfUnproven(problemOf(cause))];
}

async function describeImage(
  context: CaptureContext,
  backend: ScreenshotBackend,
  { bytes, previous, attempts, prepared }: Awaited<ReturnType<typeof takeStable>>,
  { url, viewport, broken, warnings }: { url: string; viewport: Size; broken: BrokenResource[]; warnings: Warning[] },
): Promise<CaptureResult> {
  const { page, settings, network, clock, deadline, stopwatch, readImage } = context;
  const image = await readImage(bytes);
  const driver = clock.drawsFrames ? 'frames' : undefined;
  const reads = Promise.all([
    deadline.race('checking the screenshot', checkImage(context, image, backend, prepared)),
    deadline.race('reading the environment', readEnvironment(page, backend.deviceScale, driver)),
    settings.warnsOfErrorText ? deadline.race('reading the title', page.evaluate(readPageNames)) : null,
    settings.hideCookie ? deadline.race('listing what `hideCookie` hid', listHidden(page)) : null,
    deadline.race('listing the texts of the page', readRenderedTexts(context)),
  ]);
  const [{ masks, ignored, warnings: found }, environment, names, hidden, rendered] = await stopwatch.time(
    'screenshot',
    reads,
  );
  const isStable = previous === undefined;
  const placement = () => placementOf(context, backend);
  const reading = readStructure(context, { image, excluded: [...masks, ...ignored], placement, isStable, broken });
  // It only explains a change, so a page that has used up its time is captured without it.
  const limited = withTimeLimit(deadline.remainingMs(1 / 2), reading, () => null);
  const structure = deadline.race('reading the structure', limited).catch((cause: unknown) => {
    // An unstable page has used up its time. It is unstable also without its structure.
    if (isStable) throw cause;
    return null;
  });
  const capture = {
    ...{ masks, ignored, environment, viewport, image, url, attempts },
    ...(hidden && { hidden }),
    ...(rendered && { rendered }),
    structure: await stopwatch.time('screenshot', structure),
    takenAt: Date.now(),
    ...(settings.texts.length > 0 && { texts: prepared.texts.shown, wrongTexts: prepared.texts.wrong }),
    isExact: clock.drawsFrames && !network.hasOwnClocks(),
    missingResponses: network.missing(),
    lostResponses: network.lost(),
    warnings: [...warnings, ...(names ? warnOfErrorText(names) : []), ...found, ...warnOfTexts(prepared.texts)],
  };
  return previous ? { kind: 'unstable', capture, previous: await readImage(previous) } : { kind: 'settled', capture };
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

function warnOfCut(cutAt: number | null): Warning[] {
  if (cutAt === null) return [];
  return [{ code: 'scroll', message: `the page kept growing: the screenshot is cut off at ${cutAt} px` }];
}

/** Pauses between two images of a page whose frames are not controlled, in milliseconds. The last one repeats. They are irregular: a page that repeats is seen in each state. */
const PAUSES_MS = [100, 250, 500, 330, 170];

/** How long a page whose frames are not controlled has until two images in a row are equal, in milliseconds. */
const BUDGET_MS = 5_000;

/**
 * Takes one image if the frames of the page are controlled: nothing moves between two of them. Otherwise, takes images until two in a row
 * are equal, or one is the expected one. `previous` is the image before the last one, of a page that did not become stable.
 */
async function takeStable(context: CaptureContext, backend: ScreenshotBackend) {
  const { clock, settings, network, deadline, stopwatch, isExpected } = context;
  const take = async () => {
    const prepared = await preparePageForImage(context);
    return { bytes: await backend.shoot(), prepared, previous: undefined };
  };
  const takeInTime = () => stopwatch.time('screenshot', deadline.race('taking the screenshot', take()));
  const endsAt = performance.now() + Math.min(BUDGET_MS, deadline.remainingMs(1 / 2));
  let last = await takeInTime();
  if (clock.drawsFrames || settings.format === 'pdf' || isExpected(last.bytes)) return { ...last, attempts: 1 };
  for (let attempts = 2; ; attempts++) {
    const paused = pause(PAUSES_MS[Math.min(attempts - 2, PAUSES_MS.length - 1)] ?? 0);
    // Scripts stand still between two images. What has a clock of its own moves, and then the page is seen to move.
    await stopwatch.settle('unchanged', network.hasOwnClocks() ? clock.during(paused) : clock.standing(() => paused));
    const next = await takeInTime();
    if (next.bytes.equals(last.bytes)) return { ...next, attempts };
    if (performance.now() > endsAt) return { ...next, previous: last.bytes, attempts };
    last = next;
  }
}

/** Fills in what is missing in the image of a window that grew. A page that leaves or closes meanwhile keeps its image. */
async function fillResult(
  context: CaptureContext,
  result: CaptureResult,
  windowSize: Size,
  crop: Crop | null = null,
): Promise<CaptureResult> {
  const { page, deadline, stopwatch } = context;
  const { image, warnings } = result.capture;
  const whole = crop?.whole ?? image;
  const filling = fillMissing(context, windowSize, whole)
    .catch((cause: unknown) => ({ image: whole, warnings: warnOfFailure(page, cause) }))
    .finally(() => callIn(page, ({ memory }) => memory.pinned?.show()).catch(messageOf));
  const filled = await stopwatch.settle('proof', deadline.race('looking for missing content', filling));
  const isFilled = filled.image !== whole;
  const bytes = isFilled && crop ? await cropPng(filled.image.bytes, crop.area) : filled.image.bytes;
  const seen = { image: isFilled ? { ...image, bytes } : image, warnings: [...warnings, ...filled.warnings] };
  return { ...result, capture: { ...result.capture, ...seen } };
}
