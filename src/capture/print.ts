import type { Page } from '@playwright/test';
import { normalisePdf } from '../image/pdf.js';
import type { Camera } from './screenshot.js';

/** The paper of a page that does not ask for one by `@page`. */
const PAPER = 'A4';

/**
 * Creates a camera that prints: the page as a PDF, with its backgrounds, on the paper that its style asks for.
 *
 * The same page gives the same bytes: the times that a browser writes into a PDF are taken out.
 */
export function createPrinter(page: Page): Camera {
  return {
    deviceScale: 1,
    redraw: async () => {},
    shoot: async () => normalisePdf(await page.pdf({ format: PAPER, printBackground: true, preferCSSPageSize: true })),
  };
}
