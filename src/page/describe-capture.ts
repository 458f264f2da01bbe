import type { BrokenResource, CaptureResult, Warning } from '../model/index.js';
import { withTimeLimit } from './browser/timing.js';
import type { CaptureContext } from './capture-context.js';
import { listHidden } from './cookies/hide-banners.js';
import { readEnvironment } from './environment.js';
import { readPageNames, warnOfErrorText } from './error-text.js';
import { checkImage, placementOf } from './screenshot/image-check.js';
import type { ScreenshotBackend } from './screenshot/screenshot-backend.js';
import type { Shown } from './show-all.js';
import type { TakenImage } from './stable-image.js';
import { readStructure } from './structure/read-structure.js';
import { warnOfTexts } from './texts.js';

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
  url: string,
  { bytes, previous, attempts, prepared, backend, window, warnings, broken }: Seen,
): Promise<CaptureResult> {
  const { page, settings, network, clock, deadline, stopwatch, readImage } = context;
  const image = await readImage(bytes);
  const driver = clock.drawsFrames ? 'frames' : undefined;
  const reads = Promise.all([
    deadline.race('checking the screenshot', checkImage(context, image, backend, prepared)),
    deadline.race('reading the environment', readEnvironment(page, backend.deviceScale, driver)),
    settings.warnsOfErrorText ? deadline.race('reading the title', page.evaluate(readPageNames)) : null,
    settings.hideCookie ? deadline.race('listing what `hideCookie` hid', listHidden(page)) : null,
  ]);
  const [checked, environment, names, hidden] = await stopwatch.time('screenshot', reads);
  const excluded = [...checked.masks, ...checked.ignored];
  const isStable = previous === undefined;
  const placement = () => placementOf(context, backend);
  const shotImage = { image, excluded, placement, isStable, broken };
  const read = readStructure(context, shotImage);
  // It only explains a change, so a page that has used up its time is captured without it.
  const limited = withTimeLimit(deadline.remainingMs(1 / 2), read, () => null);
  const structureInTime = deadline.race('reading the structure', limited).catch((cause: unknown) => {
    // An unstable page has used up its time. It is unstable also without its structure.
    if (isStable) throw cause;
    return null;
  });
  const capture = {
    ...{ masks: checked.masks, ignored: checked.ignored, environment, ...(hidden && { hidden }) },
    ...{ viewport: window, image, url, attempts },
    structure: await stopwatch.time('screenshot', structureInTime),
    takenAt: Date.now(),
    ...(settings.texts.length > 0 && { texts: prepared.texts.shown, wrongTexts: prepared.texts.wrong }),
    isExact: clock.drawsFrames && !network.hasOwnClocks(),
    missingResponses: network.missing(),
    lostResponses: network.lost(),
    warnings: [
      ...warnings,
      ...(names ? warnOfErrorText(names) : []),
      ...checked.warnings,
      ...warnOfTexts(prepared.texts),
    ],
  };
  return previous ? { kind: 'unstable', capture, previous: await readImage(previous) } : { kind: 'settled', capture };
}
