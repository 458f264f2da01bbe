import type { Page } from '@playwright/test';
import { ProofsheetError } from '../model/index.js';
import { withTimeLimit } from './browser/timing.js';

export interface Deadline {
  /** Returns the remaining milliseconds, or a share of them: an integer, because Playwright prints it, and at least 1, because 0 is no limit. */
  remainingMs(share?: number): number;
  /** Waits for a step until the deadline. @throws ProofsheetError `page-timeout` with the step, such as "loading the page" */
  race<T>(step: string, work: Promise<T>): Promise<T>;
  /** Returns a deadline that additionally rejects every step when `event` rejects, with the same reason. */
  until(event: Promise<never>): Deadline;
}

/** Creates a deadline that ends `timeoutMs` milliseconds from now, for the page at `url`. Each step rejects when one of `events` does. */
export function createDeadline(
  timeoutMs: number,
  url: string,
  events: readonly Promise<never>[] = [],
  end: number = performance.now() + timeoutMs,
): Deadline {
  const remainingMs = (share = 1) => Math.max(1, Math.round((end - performance.now()) * share));
  return {
    remainingMs,
    race: (step, work) =>
      withTimeLimit(remainingMs(), Promise.race([...events, work]), () => {
        throw new ProofsheetError({
          code: 'page-timeout',
          where: url,
          found: `timeout of ${timeoutMs / 1000} s exceeded while ${step}`,
          advice: 'Raise `timeout`, or find out what the page waits for.',
        });
      }),
    until: (event) => createDeadline(timeoutMs, url, [...events, event], end),
  };
}

/** Runs `work`, which would hang after a crash of the renderer. @throws ProofsheetError `page-crashed` */
export async function untilCrash<T>(page: Page, work: () => Promise<T>): Promise<T> {
  let crashed = () => {};
  const crash = new Promise<never>((_, reject) => {
    const advice = 'The page may need more memory than is available. Run it alone with --workers=1.';
    crashed = () =>
      reject(new ProofsheetError({ code: 'page-crashed', where: page.url(), found: 'the page crashed', advice }));
  });
  page.once('crash', crashed);
  try {
    return await Promise.race([work(), crash]);
  } finally {
    page.off('crash', crashed);
  }
}
