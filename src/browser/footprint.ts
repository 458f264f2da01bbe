import type { BrowserContext, Frame, Page, Request } from '@playwright/test';

/** What a page does that cannot be wiped away after it. */
export interface Footprint {
  /** Gives the one origin that the page has documents of; null where it did what cannot be wiped away. */
  origin(): string | null;
  /** Ends when no answer is to come any more, which may be never. */
  answered(): Promise<void>;
  /** Begins anew, for another page in the same context. */
  reset(): void;
}

/**
 * Watches a page, from before it is opened: documents of a second origin, a second page, a worker (it may give passwords of
 * its own), a service worker, an answer that is still to come when the page is left (it may set a cookie).
 */
export function watchFootprint(context: BrowserContext, page: Page): Footprint {
  const origins = new Set<string>();
  const pending = new Set<Request>();
  const waiting: (() => void)[] = [];
  const end = (request: Request) => {
    pending.delete(request);
    if (pending.size === 0) for (const go of waiting.splice(0)) go();
  };
  let isDeep = false;
  const deepen = () => {
    isDeep = true;
  };
  page.on('framenavigated', (frame: Frame) => {
    const origin = originOf(frame.url());
    if (origin !== null) origins.add(origin);
  });
  page.on('worker', deepen);
  page.on('crash', deepen);
  context.on('page', deepen);
  context.on('serviceworker', deepen);
  context.on('request', (request) => {
    // Nobody waits for the answer of a ping, and it comes when the page is gone.
    if (request.resourceType() === 'ping' || hasPassword(request.url())) deepen();
    pending.add(request);
  });
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return {
    origin() {
      const [origin, ...others] = origins;
      return isDeep || pending.size > 0 || others.length > 0 ? null : (origin ?? null);
    },
    async answered() {
      if (pending.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    reset() {
      origins.clear();
      pending.clear();
    },
  };
}

/** What has no origin of its own has that of the document it is in, or can store nothing. */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return origin === 'null' ? null : origin;
}

function hasPassword(url: string): boolean {
  if (!url.includes('@') || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
