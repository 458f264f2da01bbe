import type { Page } from '@playwright/test';

/** Gives the document of a page as it stands, as HTML. */
export function readDocument(page: Page): Promise<string> {
  return page.content();
}
