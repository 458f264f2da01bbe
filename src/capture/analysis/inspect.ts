import type { Page } from '@playwright/test';
import type { PageFindings, Unmeasured } from '../../model/analysis.js';
import { messageOf } from '../../model/errors.js';
import { findViolations } from './accessibility.js';
import { findCaptchaFrames } from './captcha.js';
import { readContent } from './content.js';
import { readTimings } from './timings.js';
import type { PageWatch } from './watch.js';

/** What to find out, and how long that may take. */
export interface Inspection {
  /** More than what the page says: its rules of accessibility, its times. */
  readonly quality: boolean;
  readonly capMs: number;
}

/** Finds out what an open page says and how it is made. What fails, or takes too long, costs its own part only. */
export async function inspectPage(page: Page, watch: PageWatch, wish: Inspection): Promise<PageFindings> {
  const unmeasured: Unmeasured[] = [];
  const end = performance.now() + wish.capMs;
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      // A page that hangs in one part hangs in the next.
      return await within((end - performance.now()) / 2, work());
    } catch (error) {
      unmeasured.push({ what, why: messageOf(error).split('\n')[0]?.slice(0, 200) ?? '' });
      return null;
    }
  };
  // Before what is put into the page: its errors are no errors of the page.
  const consoleErrors = watch.consoleErrors();
  const content = await attempt('its content', () => readContent(page));
  const timings = wish.quality ? await attempt('its times', () => readTimings(page)) : null;
  const violations = wish.quality ? await attempt('its accessibility', () => findViolations(page)) : null;
  const weight = await attempt('its weight', () => watch.weight());
  return {
    httpStatus: watch.httpStatus(),
    content,
    captchas: [...new Set([...(content?.captchas ?? []), ...findCaptchaFrames(page)])],
    consoleErrors,
    weight: weight ?? { requests: 0, bytes: 0 },
    timings,
    violations,
    unmeasured,
  };
}

/** @throws Error where it takes longer. */
async function within<T>(capMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${Math.round(capMs / 1000)} s`)), capMs);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
