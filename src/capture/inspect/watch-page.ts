import type { ConsoleMessage, Page, Request } from '@playwright/test';
import { messageOf } from '../../model/errors.js';
import type { PageFindings, Weight } from '../../model/service/analyze.js';
import { watchNavigations } from '../navigation.js';

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
