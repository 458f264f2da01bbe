import type { Page } from '@playwright/test';
import { ProofsheetError } from '../model/errors.js';

/**
 * Does something with a page, but ends when the page's renderer dies: it answers nothing any more, and the work would only
 * end with its deadline.
 *
 * @throws ProofsheetError `page-crashed`.
 */
export async function untilCrash<T>(page: Page, work: () => Promise<T>): Promise<T> {
  let crashed = () => {};
  const crash = new Promise<never>((_, reject) => {
    crashed = () =>
      reject(
        new ProofsheetError({
          code: 'page-crashed',
          where: page.url(),
          found: 'the page crashed its renderer',
          advice: 'It may need more memory than there is: try it alone with --workers=1.',
        }),
      );
  });
  page.once('crash', crashed);
  try {
    return await Promise.race([work(), crash]);
  } finally {
    page.off('crash', crashed);
  }
}
