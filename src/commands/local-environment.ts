import { engineVersion } from '../compare/index.js';
import { DEFAULTS, type Environment } from '../model/index.js';
import { openBrowser, readBrowserEnvironment } from '../page/index.js';

/** Launches the browser that a run uses, and reads its environment. @throws ProofsheetError `browser-missing` */
export async function readLocalEnvironment(): Promise<{ environment: Environment; notice: string | null }> {
  const { browser, choice } = await openBrowser();
  try {
    const drawing = await readBrowserEnvironment(browser, 1);
    return { environment: { ...drawing, engine: engineVersion(DEFAULTS.engine) }, notice: choice.notice };
  } finally {
    await browser.close();
  }
}
