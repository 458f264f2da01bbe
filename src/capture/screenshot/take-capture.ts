import type { Capture, CaptureResult, Warning } from '../../model/capture.js';
import type { CaptureTime } from '../../model/environment.js';
import { messageOf } from '../../model/errors.js';
import type { EncodedImage, Size } from '../../model/image.js';
import type { BrokenResource, StructureRequest } from '../../model/structure.js';
import { listHidden } from '../cookies/hide-banners.js';
import { readEnvironment } from '../environment.js';
import { readPageNames, warnOfErrorText } from '../error-text.js';
import { createTimerReader } from '../in-page/timers.js';
import { isNavigation, LateNavigation } from '../navigation.js';
import { createPendingWork, type LongPolls, type Patience } from '../stabilize/pending-requests.js';
import { type CaptureContext, stabilizePage } from '../stabilize/stabilize-page.js';
import { type StabilityCheck, takeFinalShot } from '../stabilize/stable-screenshot.js';
import { readStructure } from '../structure/read-structure.js';
import type { SourceMaps } from '../structure/source-maps.js';
import type { Subject } from './backend.js';
import {
  create3dTransformsCheck,
  createScreenshotSession,
  type Has3dTransforms,
  type ScreenshotSession,
} from './session.js';

/** What decides how the image of an open page is taken. */
export interface ImageOptions {
  /** How time passes in the page. @default real */
  readonly time?: CaptureTime;
  /** The browser was launched with options that let it render beyond the viewport. */
  readonly drawsBeyondWindow: boolean;
  /** The page is seen in a window or in a recording, so it is drawn at all times. @default false */
  readonly isSeen?: boolean;
  /** Checks whether an image equals the baseline byte for byte. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** How long responses are waited for while the page equals what is expected. @default short */
  readonly patience?: Patience;
  /** The requests that stayed open on earlier pages. Those of this page are added. */
  readonly longPolls: LongPolls;
  /** The source maps of earlier pages. Those of this page are added. @default there are none */
  readonly sourceMaps?: SourceMaps;
  /** Asks for the structure of the page. @default the structure is not read */
  readonly structure?: StructureRequest | null;
  /** Reads the format and size of an image. @throws ProofsheetError if the bytes are not an image. */
  readonly readImage: (bytes: Buffer) => Promise<EncodedImage>;
}

/** The page is drawn only for screenshots. */
export function defersRaster({ drawsBeyondWindow, isSeen }: ImageOptions): boolean {
  return drawsBeyondWindow && !isSeen;
}

/** Number of consecutive screenshots that must match, by whether the page has 3D transforms. */
const REQUIRED_MATCHES = { with3d: 4, without3d: 2 };

/** The page at the start of its capture. */
export interface OpenedPage {
  readonly url: string;
  readonly warnings: readonly Warning[];
  /** Checks the URL once the page is stable, and again after the last screenshot. */
  readonly check: () => void;
  /** Skips the timers that are due before the first screenshot. */
  readonly runsTimers: boolean;
}

/**
 * Stabilizes a page, takes screenshots until one is accepted, and describes the image.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare; LateNavigation.
 */
export async function takeCapture(
  captureContext: CaptureContext,
  subject: Subject,
  options: ImageOptions,
  { url, warnings, check, runsTimers }: OpenedPage,
): Promise<CaptureResult> {
  const { deadline, stopwatch } = captureContext;
  const stablePage = await stabilizePage(captureContext);
  check();
  const has3dTransforms = create3dTransformsCheck(captureContext.page);
  const session = createScreenshotSession(subject, captureContext, stablePage, {
    drawsBeyondWindow: options.drawsBeyondWindow,
    defersRaster: defersRaster(options),
    has3dTransforms,
  });
  const screenshotSession = await stopwatch.time('screenshot', deadline.race('preparing the screenshot', session));
  const { stopAnimations } = screenshotSession;
  const stabilityCheck = createStabilityCheck(captureContext, options, { has3dTransforms, stopAnimations, runsTimers });
  const finalShot = takeFinalShot(screenshotSession, stabilityCheck, deadline, stopwatch);
  const shot = await finalShot.catch((cause: unknown) => {
    throw isNavigation(cause) ? new LateNavigation(messageOf(cause)) : cause;
  });
  // A script may have changed the URL during the capture.
  check();
  const { broken } = stablePage;
  const seen = { ...shot, broken, warnings: [...warnings, ...stablePage.warnings], isExact: false };
  return describeCapture(captureContext, options, screenshotSession, url, seen);
}

/** The images of a page, and what is known about them. */
interface Seen {
  readonly bytes: Buffer;
  /** The image before the last one, of a page that did not become stable. */
  readonly previous?: Buffer;
  readonly shots: number;
  readonly warnings: readonly Warning[];
  readonly broken: readonly BrokenResource[];
  readonly isExact: boolean;
}

/** Describes the image of a page, and reads what belongs to it. */
export async function describeCapture(
  captureContext: CaptureContext,
  options: Pick<ImageOptions, 'readImage' | 'structure' | 'sourceMaps' | 'time'>,
  session: ScreenshotSession,
  url: string,
  { bytes, previous, shots, warnings, broken, isExact }: Seen,
): Promise<CaptureResult> {
  const { network, deadline, stopwatch } = captureContext;
  const image = await options.readImage(bytes);
  const described = describeImage(captureContext, session, image);
  const { warnings: imageWarnings, ...description } = await stopwatch.time('screenshot', described);
  const { placement } = session;
  const excluded = [...description.masks, ...description.ignored];
  const isStable = previous === undefined;
  const shotImage = { image, excluded, placement, isStable, broken };
  const structureRead = readStructure(
    captureContext,
    options.structure ?? null,
    shotImage,
    options.sourceMaps ?? new Map(),
  );
  const structureInTime = deadline.race('reading the structure', structureRead).catch((cause: unknown) => {
    // An unstable page has used up its time. It is unstable also without its structure.
    if (isStable) throw cause;
    return null;
  });
  const structure = await stopwatch.time('screenshot', structureInTime);
  const capture = {
    ...description,
    structure,
    image,
    takenAt: Date.now(),
    url,
    shots,
    time: options.time ?? 'real',
    isExact,
    missingResponses: network.missing(),
    lostResponses: network.lost(),
    warnings: [...warnings, ...imageWarnings],
  };
  return previous
    ? { kind: 'unstable', capture, previous: await options.readImage(previous) }
    : { kind: 'settled', capture };
}

/** Creates the conditions under which a screenshot is accepted. */
function createStabilityCheck(
  { page, settings, network, deadline, time }: CaptureContext,
  { isExpected, patience = 'short', longPolls }: ImageOptions,
  {
    has3dTransforms,
    stopAnimations,
    runsTimers,
  }: { has3dTransforms: Has3dTransforms } & Pick<ScreenshotSession, 'stopAnimations'> & Pick<OpenedPage, 'runsTimers'>,
): StabilityCheck {
  const { lateMs } = settings;
  // Controlled time is paused: no timer is due.
  const readTimers = time.isControlled ? async () => 0 : createTimerReader(page, network);
  return {
    ...createPendingWork(network, readTimers, { lateMs, longPolls, deadline }),
    isExpected,
    async skip(ms) {
      // While an animation runs, each step of skipped time would need a frame.
      await stopAnimations();
      return time.skip(ms);
    },
    runsTimers,
    patience,
    lateMs,
    // Two screenshots of elements with perspective may match by chance.
    requiredMatches: async () => ((await has3dTransforms()) ? REQUIRED_MATCHES.with3d : REQUIRED_MATCHES.without3d),
  };
}

/** Checks the final image, and reads what belongs to it. All reads run in parallel. */
async function describeImage(
  { page, clock, settings, deadline }: CaptureContext,
  { checkImage, deviceScale }: ScreenshotSession,
  image: EncodedImage,
): Promise<Pick<Capture, 'masks' | 'ignored' | 'viewport' | 'environment' | 'hidden' | 'warnings'>> {
  const [{ masks, ignored, warnings }, environment, names, viewport, hidden] = await Promise.all([
    deadline.race('checking the screenshot', checkImage(image)),
    deadline.race('reading the environment', readEnvironment(page, deviceScale, clock ? 'frames' : undefined)),
    settings.warnsOfErrorText ? deadline.race('reading the title', page.evaluate(readPageNames)) : null,
    page.viewportSize() ?? deadline.race('measuring the viewport', page.evaluate(windowSize)),
    settings.hideCookie ? deadline.race('listing what `hideCookie` hid', listHidden(page)) : null,
  ]);
  return {
    ...{ masks, ignored, viewport, environment, ...(hidden && { hidden }) },
    warnings: [...(names ? warnOfErrorText(names) : []), ...warnings],
  };
}

/** Runs in the page. */
function windowSize(): Size {
  return { width: innerWidth, height: innerHeight };
}
