import { normalizePdf } from '../../image/index.js';
import type { CaptureSettings, Rectangle } from '../../model/index.js';
import { createFrameBackend } from '../frames/frame-backend.js';
import { createPlainBackend } from '../plain/plain-backend.js';
import type { BackendContext, ScreenshotBackend, Subject } from './screenshot-backend.js';
import { createStoryBackend } from './story-backend.js';

/**
 * Creates the backend for a page. The clock draws the frame that is the image, where it draws frames. Playwright takes the image of all other
 * pages, and of a part of a page.
 *
 * @param cutAt - maximum height of a full page, in CSS pixels; null for no limit
 */
export async function createScreenshotBackend(
  context: BackendContext,
  subject: Subject,
  cutAt: number | null,
): Promise<ScreenshotBackend> {
  const { page, clock, settings } = context;
  if (settings.format === 'pdf') return createPrinter(context);
  const deviceScale = await page.evaluate(() => window.devicePixelRatio);
  const create = (own: CaptureSettings, clip: Rectangle | null) =>
    clock.drawsFrames
      ? createFrameBackend({ ...context, settings: own }, subject, { cutAt, clip }, deviceScale)
      : createPlainBackend({ ...context, settings: own }, subject, clip, deviceScale);
  return settings.cropsStory ? createStoryBackend(context, subject, create) : create(settings, null);
}

/** The paper size of a page without `@page { size }`. */
const PAPER = 'A4';

/**
 * Creates a backend that prints the page as a PDF, with backgrounds and with the paper size of its style.
 *
 * Removes the timestamps that the browser writes into a PDF, so that the same page produces the same bytes.
 */
function createPrinter({ page, clock }: BackendContext): ScreenshotBackend {
  const options = { format: PAPER, printBackground: true, preferCSSPageSize: true };
  return { deviceScale: 1, shoot: async () => normalizePdf(await clock.during(page.pdf(options))) };
}
