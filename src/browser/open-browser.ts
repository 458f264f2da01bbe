import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { type BrowserChoice, chooseBrowser, drawingFlags, noteDrawing, repeatableFlags } from './launch.js';

/** A browser that runs, and how it was chosen. */
export interface OpenBrowser {
  readonly browser: Browser;
  readonly choice: BrowserChoice;
}

type OwnOptions = Pick<LaunchOptions, 'args' | 'proxy' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'>;

/**
 * Launches a headless Chromium outside of a test run, as a run would.
 *
 * @param own flags of the caller's own, the proxy that all goes through, and whose matter the end of the browser is.
 * @throws ProofsheetError `browser-missing` when there is none, or none that starts.
 */
export async function openBrowser(own: OwnOptions = {}): Promise<OpenBrowser> {
  const wish = {
    browserName: 'chromium',
    headless: true,
    channel: undefined,
    executablePath: undefined,
    remote: false,
  };
  const choice = chooseBrowser(wish, process);
  const { executablePath } = choice;
  try {
    const args = drawingFlags(repeatableFlags(own.args ?? []));
    const browser = await chromium.launch({ ...own, ...(executablePath && { executablePath }), args });
    noteDrawing(browser);
    return { browser, choice };
  } catch (cause) {
    throw new ProofsheetError({
      code: 'browser-missing',
      where: executablePath ?? 'browser',
      found: `it does not start (${messageOf(cause).split('\n')[0]})`,
      advice: 'Run: npx playwright install --with-deps chromium',
    });
  }
}
