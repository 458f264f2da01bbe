import type { Page } from '@playwright/test';
import { type CaptureSettings, codecOf, type ErrorCode } from '../model/index.js';
import { type ControlledPage, liveDuring } from './browser/page-control.js';
import { inTime } from './browser/timing.js';

/** Maximum time for the image, in milliseconds: a page that failed may not respond. */
const MAX_MS = 3_000;

/** After these errors, there is no page to see. */
const WITHOUT_PAGE: readonly ErrorCode[] = ['page-crashed', 'page-unreachable'];

/**
 * Takes an image of the window of a page that could not be captured, so that a reader sees what the page shows instead.
 *
 * @returns null if there is nothing to see. A page with `mask` has no such image: what is secret may not be found in it.
 */
export async function captureFailure(
  page: Page,
  controlled: ControlledPage | null,
  { format, mask }: CaptureSettings,
  code: ErrorCode,
): Promise<Buffer | null> {
  const isNothing = WITHOUT_PAGE.includes(code) || page.isClosed() || page.url() === 'about:blank';
  if (format === 'pdf' || mask.length > 0 || isNothing) return null;
  const shoot = () => page.screenshot({ type: codecOf(format), timeout: MAX_MS });
  return inTime(MAX_MS, controlled ? liveDuring(controlled, shoot) : shoot());
}
