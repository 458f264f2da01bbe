import type { Page } from '@playwright/test';
import { ProofsheetError } from '../model/errors.js';

/** The wall clock of one capture: every step runs against it, so that none can hang the run. */
export interface Deadline {
  /**
   * Returns the milliseconds that are left, or a share of them, whole: Playwright prints them. At least 1: Playwright takes 0
   * for "no limit".
   */
  remainingMs(share?: number): number;
  /**
   * Waits for a step, but no longer than the deadline.
   *
   * @param step what is being done, as in "while loading the page".
   * @throws ProofsheetError `page-timeout` naming the step.
   */
  race<T>(step: string, work: Promise<T>): Promise<T>;
  /** Returns the same deadline, but that every step ends as well when `event` rejects, with its reason. */
  until(event: Promise<never>): Deadline;
}

/** Creates a deadline that ends in `timeoutMs` from now, for the page at `url`. */
export function createDeadline(timeoutMs: number, url: string): Deadline {
  return deadlineAt(performance.now() + timeoutMs, (step) => timedOut(url, timeoutMs, step), []);
}

function deadlineAt(
  end: number,
  expire: (step: string) => ProofsheetError,
  events: readonly Promise<never>[],
): Deadline {
  const remainingMs = (share = 1) => Math.max(1, Math.round((end - performance.now()) * share));
  return {
    remainingMs,
    async race(step, work) {
      let timer: NodeJS.Timeout | undefined;
      const expiry = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(expire(step)), remainingMs());
      });
      try {
        return await Promise.race([...events, work, expiry]);
      } finally {
        clearTimeout(timer);
      }
    },
    until: (event) => deadlineAt(end, expire, [...events, event]),
  };
}

/** Returns the error of a page that took longer than it may. */
export function timedOut(url: string, timeoutMs: number, step: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-timeout',
    where: url,
    found: `not captured within ${timeoutMs / 1000} s: it ended while ${step}`,
    advice: 'Raise `timeout` if the page is this slow, else look at what it waits for.',
  });
}

/**
 * Does something with a page, but ends when the page's renderer dies: it answers nothing any more, and the work would only
 * end with its deadline.
 *
 * @throws ProofsheetError `page-crashed`.
 */
export async function untilCrash<T>(page: Page, work: () => Promise<T>): Promise<T> {
  let crashed = () => {};
  const crash = new Promise<never>((_, reject) => {
    crashed = () =>
      reject(
        new ProofsheetError({
          code: 'page-crashed',
          where: page.url(),
          found: 'the page crashed its renderer',
          advice: 'It may need more memory than there is: try it alone with --workers=1.',
        }),
      );
  });
  page.once('crash', crashed);
  try {
    return await Promise.race([work(), crash]);
  } finally {
    page.off('crash', crashed);
  }
}
