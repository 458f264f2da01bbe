import { openBrowser } from '../../browser/open-browser.js';
import { readBrowserEnvironment } from '../../capture/environment.js';
import { engineVersion } from '../../compare/engines/engine.js';
import type { Environment } from '../../model/environment.js';
import { DEFAULTS } from '../../model/list/defaults.js';

/** Launches the browser that a run uses, and reads its environment. @throws ProofsheetError `browser-missing` */
export async function readLocalEnvironment(): Promise<{ environment: Environment; notice: string | null }> {
  const { browser, choice } = await openBrowser();
  try {
    const drawing = await readBrowserEnvironment(browser, 1);
    const environment = { ...drawing, headless: choice.headless, engine: engineVersion(DEFAULTS.engine) };
    return { environment, notice: choice.notice };
  } finally {
    await browser.close();
  }
}
