import { bringPages } from './pages.mjs';
import { spread } from './sample.mjs';

/** Names of pages that move by themselves. */
const MOVING = /carousel|owl|animat|viewer-360|loading/i;

/**
 * Brings pages that do not move by themselves: what is measured on them is the comparison.
 *
 * @param {string} corpus Folder of the pages.
 * @param {number} most
 * @returns {Promise<string[]>} Their paths.
 */
export async function bringStillPages(corpus, most) {
  const pages = await bringPages(corpus);
  return spread(
    pages.filter((path) => !MOVING.test(path)),
    most,
  );
}

/**
 * Opens a page of a site in a new context, without transitions, animations and requests to other hosts, and closes it after use.
 *
 * @template T
 * @param {import('@playwright/test').Browser} browser
 * @param {string} site Address of the site, without trailing slash.
 * @param {string} path
 * @param {(page: import('@playwright/test').Page) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function visitStill(browser, site, path, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    await page.route(
      (url) => !url.href.startsWith(site),
      (route) => route.abort(),
    );
    await page.goto(`${site}/${path}`);
    await page.addStyleTag({ content: '* { transition: none !important; animation: none !important }' });
    return await use(page);
  } finally {
    await context.close();
  }
}
