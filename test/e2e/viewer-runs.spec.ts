import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, mergeTests, type Page } from '@playwright/test';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, test as projectTest, type Site, SPEC } from './project.js';
import { test as reportTest } from './report-page.js';

const test = mergeTests(projectTest, reportTest);

/** Three pages of other heights below one header; `own` changes one of them besides. */
function write(site: Site, header: string, own: Record<string, string> = {}): void {
  for (const [index, name] of NAMES.entries()) {
    const lines = `<p>${name} is a page of its own.</p>`.repeat(3 + index * 9);
    const head = '<style>body{margin:0}header{height:60px;color:#fff}p{margin:12px}</style>';
    const body = `<header style="background:${header}">Acme</header><h1>${name}</h1>${own[name] ?? ''}${lines}`;
    site.write({ [`${name}.html`]: html(body, head) });
  }
}

const SINGLE_FILE = "['proofsheet/reporter', { singleFile: true }]";
const NAMES = ['home', 'docs', 'team'];

/** A project whose header changed on all pages; one page also has another change. Its report is a single file. */
async function changed(project: Project, site: Site): Promise<void> {
  const pages = NAMES.map((name) => `  - { name: ${name}, url: /${name}.html, fullSize: true }`).join('\n');
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages}\n`,
    'visual.spec.mjs': SPEC,
    'playwright.config.mjs': config(),
  });
  write(site, '#1d4ed8');
  await makeBaselines(project, site);
  project.write({ 'playwright.config.mjs': config().replace("['proofsheet/reporter']", SINGLE_FILE) });
  write(site, '#1e40af', { team: '<b>We are hiring.</b>' });
  expect(await project.test()).toExit(1);
}

async function openReport(browser: Browser, project: Project): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(project.path('proofsheet-report/index.html')).href);
  return page;
}

test('a header that changed on many pages is one group, without a page that also changed; the report is a single file', async ({
  browser,
  project,
  site,
}) => {
  await changed(project, site);
  const groups = project.results().shots.map(({ id, group }) => `${id}: ${group}`);
  expect(groups.sort()).toEqual(['docs: 1', 'home: 1', 'team: null']);
  const page = await openReport(browser, project);
  await expect(page.locator('.shot-cards > li')).toHaveCount(2);
  // The key comes before the browser has told of the new address.
  const link = page.locator('.shot-card', { hasText: 'The same change on 2 shots' }).getByRole('link');
  await link.evaluate(async (anchor: HTMLAnchorElement) => {
    anchor.click();
    await Promise.resolve();
    await Promise.resolve();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  });
  await expect(page.locator('.mark.current').first()).toBeInViewport();
  const after = page.getByRole('img', { name: /^after image/ });
  await expect.poll(() => after.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);

  // singleFile puts the images into the page, and the folder is as always.
  const links = project.files('proofsheet-report/screenshots');
  expect(links.length).toBeGreaterThan(8);
  const bytes = links.reduce(
    (sum, link) => sum + statSync(project.path(`proofsheet-report/screenshots/${link}`)).size,
    0,
  );
  expect(statSync(project.path('proofsheet-report/index.html')).size).toBeGreaterThan(bytes);
  await page.route(/screenshots/, (route) => route.abort());
  await page.goto(pathToFileURL(project.path('proofsheet-report/index.html')).href);
  await page.reload();
  const first = page.locator('.shot-card img').first();
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  expect(await first.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  await page.close();
});
