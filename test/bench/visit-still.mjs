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
