import { pause } from './browser/timing.js';
import type { CaptureContext } from './capture-context.js';
import { type PreparedPage, preparePageForImage } from './screenshot/image-check.js';
import type { ScreenshotBackend } from './screenshot/screenshot-backend.js';

/** The images of a page. */
export interface TakenImage {
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
export async function takeStable(context: CaptureContext, backend: ScreenshotBackend): Promise<TakenImage> {
  const { clock, settings, network, deadline, stopwatch, isExpected } = context;
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
    const paused = pause(pauseMs);
    // Scripts stand still between two images. What has a clock of its own moves, and then the page is seen to move.
    await stopwatch.settle('unchanged', network.hasOwnClocks() ? clock.during(paused) : clock.standing(() => paused));
    const next = await takeInTime();
    if (next.bytes.equals(last.bytes)) return { ...next, attempts };
    if (performance.now() > endsAt) return { ...next, previous: last.bytes, attempts };
    last = next;
  }
}
