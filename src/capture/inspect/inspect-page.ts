import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { messageOf } from '../../model/errors.js';
import {
  type PageFindings,
  type Timings,
  timingsSchema,
  type Unmeasured,
  type Violation,
  violationsSchema,
} from '../../model/service/analyze.js';
import { findCaptchaFrames, readContent } from './content.js';
import type { PageWatch } from './watch-page.js';

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

/**
 * Finds what of a page breaks the rules of accessibility that axe-core knows for certain. Frames are left out.
 *
 * @throws Error where the page answers with something else.
 */
export async function findViolations(page: Page): Promise<Violation[]> {
  const source = await (axeSource ?? readAxe());
  // A page that loads modules by a `define` of its own would be given it instead.
  const wrapped = `(() => { const define = undefined, module = undefined, exports = undefined; ${source}\n})()`;
  return violationsSchema.parse(await page.evaluate<unknown>(`${wrapped}; (${String(runAxe)})()`));
}

let axeSource: Promise<string> | null = null;

/** Read once, and only where it is asked for. */
function readAxe(): Promise<string> {
  axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}

/** Where axe-core puts itself. */
interface Marked {
  axe?: typeof axe;
}

/** Runs in the page. */
async function runAxe() {
  const marked = globalThis as Marked;
  const runner = marked.axe;
  if (!runner) throw new Error('axe-core is not there');
  delete marked.axe;
  const { violations } = await runner.run(document, { resultTypes: ['violations'], iframes: false, elementRef: false });
  return violations.map(({ id, impact, help, helpUrl, nodes }) => ({
    rule: id,
    impact: impact ?? null,
    help,
    helpUrl,
    elements: nodes.length,
    example: nodes[0] ? nodes[0].target.flat().join(' ') : null,
  }));
}

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
