import type { Page } from '@playwright/test';
import { ProofsheetError } from '../../model/index.js';

/** Maximum height of a captured page, in CSS pixels. */
export const MAX_HEIGHT = 60_000;

/** The advice for a page that is taller. */
export const SHORTER = 'Capture one `element`, or only the viewport with `fullSize: false`.';

/** Returns the error `page-too-tall`. */
export function tooTall(page: Page, height: number, limit: string, advice: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-too-tall',
    where: page.url(),
    found: `the page is ${height} px tall; ${limit}`,
    advice,
  });
}
