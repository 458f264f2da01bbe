import type { Page, Response } from '@playwright/test';
import { messageOf } from '../model/errors.js';

/** Tells whether a step failed because the page has gone to another document, or loaded its own anew. */
export function isMove(cause: unknown): boolean {
  // A step in the old document may fail before the new one is announced.
  return cause instanceof PageMoved || /Execution context was destroyed/.test(messageOf(cause));
}

class PageMoved extends Error {}

/** Watches where a page goes by itself, once it was opened. */
export interface Visits {
  /** Rejects, as {@link isMove} knows it, when the page goes to another document. */
  next(): Promise<never>;
  /** Gives the status of the last document, 0 where none answered. */
  status(): number;
  stop(): void;
}

/** Starts to watch. A change of the address alone, by script, is not a visit. */
export function watchVisits(page: Page): Visits {
  let status = 0;
  let move = () => {};
  const onResponse = (response: Response) => {
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) status = response.status();
  };
  const onDocument = () => move();
  page.on('response', onResponse);
  page.on('domcontentloaded', onDocument);
  return {
    next() {
      const moved = new Promise<never>((_, reject) => {
        move = () => reject(new PageMoved());
      });
      // It may happen when no step is under way.
      moved.catch(() => {});
      return moved;
    },
    status: () => status,
    stop() {
      page.off('response', onResponse);
      page.off('domcontentloaded', onDocument);
    },
  };
}
