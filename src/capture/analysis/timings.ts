import type { Page } from '@playwright/test';
import { type Timings, timingsSchema } from '../../model/analysis.js';

/** Reads from the browser's own entries when a page came and was painted. @throws Error where they are no times. */
export async function readTimings(page: Page): Promise<Timings> {
  return timingsSchema.parse(await page.evaluate(collectTimings));
}

/** Runs in the page. The largest paint is told to observers only, and then at once. */
async function collectTimings() {
  const largest = await new Promise<number | null>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? null));
    // A page on which nothing was painted is told nothing.
    setTimeout(() => resolve(null), 200);
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  });
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const paints = performance.getEntriesByType('paint');
  const paintAt = (name: string) => paints.find((paint) => paint.name === name)?.startTime;
  // An event that is yet to come has the time 0.
  const round = (ms: number | null | undefined) => (ms ? Math.round(ms * 10) / 10 : null);
  return {
    firstByteMs: round(navigation?.responseStart),
    domContentLoadedMs: round(navigation?.domContentLoadedEventEnd),
    loadMs: round(navigation?.loadEventEnd),
    firstPaintMs: round(paintAt('first-paint')),
    firstContentfulPaintMs: round(paintAt('first-contentful-paint')),
    largestContentfulPaintMs: round(largest),
  };
}
