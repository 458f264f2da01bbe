import type {
  BrokenResource,
  Capture,
  CaptureResult,
  EncodedImage,
  StructureRequest,
  Warning,
} from '../model/index.js';
import { withTimeLimit } from './browser/timing.js';
import type { CaptureContext } from './capture-context.js';
import { listHidden } from './cookies/hide-banners.js';
import { readEnvironment } from './environment.js';
import { readPageNames, warnOfErrorText } from './error-text.js';
import { checkImage, placementOf } from './screenshot/image-check.js';
import type { ScreenshotBackend, Subject } from './screenshot/screenshot-backend.js';
import type { Shown } from './show-all.js';
import type { TakenImage } from './stable-image.js';
import { readStructure } from './structure/read-structure.js';
import type { SourceMaps } from './structure/source-maps.js';
import { warnOfTexts } from './texts.js';

/** What is read of a page beside its image. */
export interface DescribeOptions {
  /** The source maps of earlier pages. Those of this page are added. @default there are none */
  readonly sourceMaps?: SourceMaps;
  /** Asks for the structure of the page. @default the structure is not read */
  readonly structure?: StructureRequest | null;
  /** Reads the format and size of an image. @throws ProofsheetError if the bytes are not an image. */
  readonly readImage: (bytes: Buffer) => Promise<EncodedImage>;
}

/** An image, and what is known about the page that it shows. */
export interface Seen extends TakenImage, Pick<Shown, 'window'> {
  readonly backend: ScreenshotBackend;
  readonly warnings: readonly Warning[];
  /** What the page did not load. */
  readonly broken: readonly BrokenResource[];
}

/** Describes the image of a page, and reads what belongs to it: masks, environment, title, structure. */
export async function describeCapture(
  context: CaptureContext,
  subject: Subject,
  options: DescribeOptions,
  url: string,
  { bytes, previous, attempts, prepared, backend, window, warnings, broken }: Seen,
): Promise<CaptureResult> {
  const { network, clock, deadline, stopwatch } = context;
  const image = await options.readImage(bytes);
  const { deviceScale } = backend;
  const checked = checkImage(context, subject, image, backend, prepared);
  const placement = () => placementOf(subject, context.settings, backend);
  const described = describeImage(context, deviceScale, checked);
  const { warnings: imageWarnings, ...description } = await stopwatch.time('screenshot', described);
  const excluded = [...description.masks, ...description.ignored];
  const isStable = previous === undefined;
  const shotImage = { image, excluded, placement, isStable, broken };
  const read = readStructure(context, options.structure ?? null, shotImage, options.sourceMaps ?? new Map());
  // It only explains a change, so a page that has used up its time is captured without it.
  const limited = withTimeLimit(deadline.remainingMs(1 / 2), read, () => null);
  const structureInTime = deadline.race('reading the structure', limited).catch((cause: unknown) => {
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
    attempts,
    ...(context.settings.texts.length > 0 && { texts: prepared.texts.shown, wrongTexts: prepared.texts.wrong }),
    isExact: clock.drawsFrames && !clock.hasOwnClocks(),
    missingResponses: network.missing(),
    lostResponses: network.lost(),
    warnings: [...warnings, ...imageWarnings, ...warnOfTexts(prepared.texts)],
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
