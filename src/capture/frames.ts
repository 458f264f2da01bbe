import type { Frame, Page } from '@playwright/test';

/**
 * Lists the frames that have a document. In one whose document has not come (a lazy one that was not scrolled to, one that
 * is never answered) there is nothing to do, and whatever is asked of it would be waited for without end.
 */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame === page.mainFrame() || frame.url() !== '');
}
