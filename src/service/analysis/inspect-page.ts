import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ConsoleMessage, Page, Request } from '@playwright/test';
import type axe from 'axe-core';
import { messageOf } from '../../model/index.js';
import { watchNavigations, withTimeLimit } from '../../page/index.js';
import {
  type PageFindings,
  type Timings,
  timingsSchema,
  type Unmeasured,
  type Violation,
  violationsSchema,
  type Weight,
} from '../protocol/analyze.js';
import { findCaptchas, readContent } from './content.js';

/** Options of {@link inspectPage}. */
export interface Inspection {
  /** Additionally measures accessibility violations and timings. */
  readonly quality: boolean;
  /** Time limit of the inspection, in milliseconds. */
  readonly capMs: number;
}

/**
 * Reads the content and the quality data of an open page.
 *
 * A part that fails or takes too long is listed in `unmeasured`. The other parts are not affected.
 */
export async function inspectPage(page: Page, watch: PageWatch, options: Inspection): Promise<PageFindings> {
  const unmeasured: Unmeasured[] = [];
  const end = performance.now() + options.capMs;
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      // Half of the remaining time: a page that does not respond in one part does not respond in the next.
      const limitMs = (end - performance.now()) / 2;
      return await withTimeLimit(limitMs, work(), () => {
        throw new Error(`timeout of ${Math.round(limitMs / 1000)} s exceeded`);
      });
    } catch (error) {
      unmeasured.push({ what, why: messageOf(error).split('\n')[0]?.slice(0, 200) ?? '' });
      return null;
    }
  };
  // Read before scripts are injected, so that their errors do not count as errors of the page.
  const consoleErrors = watch.consoleErrors();
  const content = await attempt('the content', () => readContent(page));
  const timings = options.quality ? await attempt('the timings', () => readTimings(page)) : null;
  const violations = options.quality ? await attempt('the accessibility', () => findViolations(page)) : null;
  const weight = await attempt('the page weight', () => watch.weight());
  return {
    httpStatus: watch.httpStatus(),
    content,
    captchas: findCaptchas(page.frames().map((frame) => frame.url())),
    consoleErrors,
    weight: weight ?? { requests: 0, bytes: 0 },
    timings,
    violations,
    unmeasured,
  };
}

/**
 * Returns the accessibility violations that axe-core reports for a page. Ignores frames and incomplete results.
 *
 * @throws Error if the page returns a value of another shape.
 */
export async function findViolations(page: Page): Promise<Violation[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Hides the AMD and CommonJS globals of the page: axe-core would register itself there.
  const wrapped = `(() => { const define = undefined, module = undefined, exports = undefined; ${source}\n})()`;
  return violationsSchema.parse(await page.evaluate<unknown>(`${wrapped}; (${String(runAxe)})()`));
}

declare global {
  interface Window {
    /** The global that axe-core defines. */
    axe?: typeof axe;
  }
}

/** Runs in the page. */
async function runAxe() {
  const runner = window.axe;
  if (!runner) throw new Error('axe-core did not load');
  delete window.axe;
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

/**
 * Reads navigation and paint timings from the browser's performance entries. @throws Error if a value is not a number.
 */
export async function readTimings(page: Page): Promise<Timings> {
  return timingsSchema.parse(await page.evaluate(collectTimings));
}

/** Runs in the page. Only observers receive the largest contentful paint; buffered entries arrive immediately. */
async function collectTimings() {
  const largest = await new Promise<number | null>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? null));
    // Without a paint there is no entry.
    setTimeout(() => resolve(null), 200);
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  });
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const paints = performance.getEntriesByType('paint');
  const paintAt = (name: string) => paints.find((paint) => paint.name === name)?.startTime;
  // An event that has not happened yet has the time 0.
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

/** Collects console errors and network traffic of a page while it loads. */
export interface PageWatch {
  /** Returns the HTTP status of the document; 0 without a response. */
  httpStatus(): number;
  consoleErrors(): PageFindings['consoleErrors'];
  /** Returns the number of finished requests and the sum of their response sizes in bytes. */
  weight(): Promise<Weight>;
  stop(): void;
}

/** Maximum number of messages to record. Further messages are only counted. */
const MAX_MESSAGES = 20;
const MAX_CHARACTERS = 500;

/** Starts to watch a page. Call it before navigation. */
export function watchPage(page: Page): PageWatch {
  const first: string[] = [];
  let total = 0;
  const sizes: Promise<number>[] = [];
  const navigations = watchNavigations(page);
  const recordError = (text: string) => {
    total++;
    if (first.length < MAX_MESSAGES) first.push(text.slice(0, MAX_CHARACTERS));
  };
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') recordError(message.text());
  };
  const onError = (error: Error) => recordError(messageOf(error));
  const onFinished = (request: Request) => void sizes.push(sizeOf(request));
  page.on('console', onConsole);
  page.on('pageerror', onError);
  page.on('requestfinished', onFinished);
  return {
    httpStatus: navigations.status,
    consoleErrors: () => ({ total, first }),
    async weight() {
      const known = await Promise.all(sizes);
      return { requests: known.length, bytes: known.reduce((sum, size) => sum + size, 0) };
    },
    stop() {
      navigations.stop();
      page.off('console', onConsole);
      page.off('pageerror', onError);
      page.off('requestfinished', onFinished);
    },
  };
}

/** Returns the response size in bytes; 0 if it is unknown, for example after the page was closed. */
async function sizeOf(request: Request): Promise<number> {
  try {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    return Math.max(0, responseBodySize) + Math.max(0, responseHeadersSize);
  } catch {
    return 0;
  }
}
