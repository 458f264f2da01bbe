import { chromium, devices, expect } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../../src/browser/launch.js';
import { captureOpenPage } from '../../../src/capture/capture-page.js';
import { readBrowserEnvironment } from '../../../src/capture/environment.js';
import { resolveSettings } from '../../../src/page-list/resolve/resolve-shot.js';
import { readImage, startServer, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

const LINES = 'Hamburgefonstiv 0123456789\n'.repeat(60);
const TEXT = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy']
  .flatMap((family) => ['en', 'ru', 'ja', 'ar'].map((lang) => ({ family, lang })))
  .map(({ family, lang }) => `<span lang="${lang}" style="font: 31px ${family}">Hamburgefonstiv 0123456789</span><br>`)
  .join('');
const PAGE = html(`<main><pre style="font: 20px monospace; margin: 0">${LINES}</pre>${TEXT}</main>`);

/** Runs in the page. */
function measureText() {
  const boxes = [...document.querySelectorAll('pre, span')].map((one) => one.getBoundingClientRect());
  return { height: document.documentElement.scrollHeight, sizes: boxes.map((box) => `${box.width}x${box.height}`) };
}

test('an image beyond the window leaves the fonts of its page as they are', async () => {
  const other = await startServer(() => PAGE);
  const frame = `<iframe src="http://localhost:${other.server.port}/" width="900" height="300"></iframe>`;
  const own = await startServer(() => PAGE.replace('</body>', `${frame}</body>`));
  // As the browser of a test of one's own is launched: it draws nothing beyond its window by itself.
  const wish = {
    browserName: 'chromium',
    channel: undefined,
    executablePath: undefined,
    headless: true,
    remote: false,
  };
  const { executablePath } = chooseBrowser(wish, process);
  const args = [...repeatableFlags([]), '--site-per-process'];
  const browser = await chromium.launch({ args, ...(executablePath && { executablePath }) });
  const environment = await readBrowserEnvironment(browser, 1);
  const help = {
    timeoutMs: 30_000,
    drawsBeyondWindow: false,
    isExpected: () => false,
    readImage: async (bytes: Buffer) => readImage(bytes),
    longPolls: new Map(),
  };
  for (const options of [{ viewport: { width: 1280, height: 720 } }, devices['iPhone 15']]) {
    for (const selector of [null, 'main']) {
      const page = await browser.newPage(options);
      await page.goto(own.server.url);
      const measure = () => Promise.all(page.frames().map((one) => one.evaluate(measureText)));
      const before = await measure();
      expect(before).toHaveLength(2);
      const { capture: settings } = resolveSettings({ fullSize: true });
      const subject = { page, locator: selector === null ? null : page.locator(selector) };
      const { capture } = await captureOpenPage(subject, settings, help);
      expect(await measure(), `after an image of ${selector ?? 'the page'}`).toEqual(before);
      if (selector === null) expect(capture.image.size.height).toBe(before[0]?.height);
      expect({ ...capture.environment, scale: 1 }).toEqual(environment);
      await page.close();
    }
  }
  await browser.close();
  other.close();
  own.close();
});
