import type { ConsoleMessage, Page, Request } from '@playwright/test';
import { messageOf } from '../../model/errors.js';
import type { PageFindings, Weight } from '../../model/service/analyze.js';
import { watchNavigations } from '../navigation.js';

/** What a page says and asks for while it loads. */
export interface PageWatch {
  /** The status of the document, 0 where none answered. */
  httpStatus(): number;
  consoleErrors(): PageFindings['consoleErrors'];
  /** Sums up what has come over the network so far. */
  weight(): Promise<Weight>;
  stop(): void;
}

/** Messages told; the rest are counted. */
const MOST_TOLD = 20;
const MOST_CHARACTERS = 500;

/** Starts to watch, before the page is opened. */
export function watchPage(page: Page): PageWatch {
  const first: string[] = [];
  let total = 0;
  const sizes: Promise<number>[] = [];
  const navigations = watchNavigations(page);
  const note = (text: string) => {
    total++;
    if (first.length < MOST_TOLD) first.push(text.slice(0, MOST_CHARACTERS));
  };
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') note(message.text());
  };
  const onError = (error: Error) => note(messageOf(error));
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

/** A page that is gone tells no sizes: what is not known counts for nothing. */
async function sizeOf(request: Request): Promise<number> {
  try {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    return Math.max(0, responseBodySize) + Math.max(0, responseHeadersSize);
  } catch {
    return 0;
  }
}
