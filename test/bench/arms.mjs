import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repeatableFlags } from '../../.build/page/browser/launch.js';
import { mustRun, root } from '../../scripts/run.mjs';
import { WEBKIT_CONFIG } from '../webkit-window.mjs';
import { useOptionsOf } from './open-browser.mjs';

const OFFLINE = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'];
const BACKSTOP = 'backstopjs@6.3.25';
export const WORKERS = Number(process.env.BENCH_WORKERS ?? 2);

const SPEC = "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\n";

const OURS = `[['proofsheet/reporter'], ['dot']]`;

/** The arm that shows where the floor is: an image of each page, and nothing else. */
export const BARE = 'images alone';

/**
 * Prepares what is measured side by side: each a folder with the same pages, a command that makes baselines, and one that
 * compares with them.
 *
 * @param {{ folder: string, site: string, pages: string[], browser: string }} bench
 */
export async function prepareArms(bench) {
  // The others are of Chromium.
  if (bench.browser !== 'chromium') return [prepareProofsheet(bench), preparePlain(bench)];
  return [prepareProofsheet(bench), preparePlain(bench), ...(await prepareBackstop(bench)), prepareBare(bench)];
}

/**
 * Prepares a run of ours. `fields` are further fields of `defaults`, `source` is the line of the list that says where the pages are, and
 * `top` has further lines, as they stand in YAML. `fieldsOf` gives the fields of one page. `name` is that of the arm and of its folder.
 * `browser` is its name.
 */
export function prepareProofsheet({
  folder,
  site,
  pages,
  browser = 'chromium',
  fields = 'strict: false',
  source = `baseURL: ${site}`,
  top = '',
  fieldsOf = () => ({}),
  name = 'proofsheet',
  spec = SPEC,
}) {
  const place = makeFolder(folder, name);
  const urls = pages.map(
    (path, index) => `  - ${JSON.stringify({ name: `page-${index}`, url: `/${path}`, ...fieldsOf(index) })}\n`,
  );
  write(place, {
    'pages.yaml': `${source}\n${top}defaults: { fullSize: true, ${browser === 'webkit' ? 'scale: device, ' : ''}${fields} }\npages:\n${urls.join('')}`,
    'visual.spec.ts': spec,
    'playwright.config.ts': playwrightConfig(OURS, { browser }),
  });
  return playwrightArm(name, place);
}

/**
 * Prepares both tools for the specimens of `whole`.
 *
 * @returns arms that also have the folder of their baselines, what a run writes (`results`), and `read`, which gives the status and the reason
 * of each shot by its name. Both tools have the statuses of ours.
 */
export function prepareSpecimens({ folder, site, specimens, browser }) {
  const network = OFFLINE.map((flag) => flag.replace('127.0.0.1', '127.0.0.1, EXCLUDE localhost'));
  const pages = specimens.map(({ name, fields }) => ({ name, url: `/${name}/`, ...fields }));
  const ours = makeFolder(folder, 'proofsheet');
  write(ours, {
    'pages.yaml': JSON.stringify({ baseURL: site, defaults: { fullSize: true }, pages }),
    'visual.spec.ts': SPEC,
    'playwright.config.ts': playwrightConfig(OURS, { network, browser }),
  });
  const theirs = makeFolder(folder, 'plain');
  write(theirs, {
    'plain.spec.ts': `import { expect, test } from '@playwright/test';
for (const { name, url, element, mask, ignore, actions = [] } of ${JSON.stringify(pages)}) test(name, async ({ page }) => {
  await page.goto(${JSON.stringify(site)} + url);
  for (const { click } of actions) await page.click(click);
  const left = [mask, ignore].flatMap((selector) => selector ? [page.locator(selector)] : []);
  const settings = { timeout: 20_000, mask: left };
  if (element) await expect(page.locator(element)).toHaveScreenshot(name + '.png', settings);
  else await expect(page).toHaveScreenshot(name + '.png', { ...settings, fullPage: true });
});
`,
    'playwright.config.ts': playwrightConfig(`[['json', { outputFile: 'results.json' }]]`, { network, browser }),
  });
  const report = join(ours, 'proofsheet-report');
  const results = join(theirs, 'results.json');
  return [
    {
      ...playwrightArm('proofsheet', ours),
      snapshots: join(ours, 'visual.spec.ts-snapshots'),
      results: [report],
      read: () => new Map(readJson(join(report, 'results.json')).shots.map((shot) => [shot.page, shot])),
    },
    {
      ...playwrightArm('toHaveScreenshot', theirs),
      snapshots: join(theirs, 'plain.spec.ts-snapshots'),
      results: [results],
      read: () =>
        new Map(readJson(results).suites[0].specs.map((spec) => [spec.title, readMatcher(spec.tests[0].results[0])])),
    },
  ];
}

/** Prepares a run of Playwright's own matcher. With the `test` of Playwright alone, an installed Firefox opens no page. */
export function preparePlain({ folder, site, pages, browser = 'chromium' }) {
  const text = `import { expect, test } from '${browser === 'firefox' || browser === 'webkit' ? 'proofsheet' : '@playwright/test'}';
${JSON.stringify(pages)}.forEach((path, index) => test(path, async ({ page }) => {
  await page.goto(${JSON.stringify(site)} + '/' + path);
  await expect(page).toHaveScreenshot('page-' + index + '.png', { fullPage: true, timeout: 20_000 });
}));
`;
  return prepareSpec('toHaveScreenshot', folder, 'plain', text, { browser });
}

/** Prepares a run of one spec file of Playwright Test alone. `options.flags` are further ones of the browser. */
function prepareSpec(name, folder, file, text, options = {}) {
  const place = makeFolder(folder, file);
  write(place, { [`${file}.spec.ts`]: text, 'playwright.config.ts': playwrightConfig(`[['dot']]`, options) });
  return playwrightArm(name, place);
}

/**
 * Prepares a run that takes the fastest image we know of each page, in a page that is used again, and does nothing else: it
 * waits for nothing, compares nothing, and cleans nothing up. No run of Playwright Test can be faster than that.
 */
function prepareBare({ folder, site, pages }) {
  const text = `import { test as base } from '@playwright/test';
const test = base.extend({
  camera: [async ({ browser }, use) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await use({ page, session: await page.context().newCDPSession(page) });
  }, { scope: 'worker' }],
});
for (const path of ${JSON.stringify(pages)}) test(path, async ({ camera: { page, session } }) => {
  await page.goto(${JSON.stringify(site)} + '/' + path);
  const { cssContentSize: { width, height } } = await session.send('Page.getLayoutMetrics');
  const clip = { x: 0, y: 0, width, height, scale: 1 };
  await session.send('Page.captureScreenshot', { clip, captureBeyondViewport: false, optimizeForSpeed: true });
});
`;
  return prepareSpec(BARE, folder, 'bare', text, { flags: repeatableFlags([]) });
}

/** Prepares a run that opens each page in a context of its own and takes one image of it, in any browser. It waits for nothing after `load`. */
export function prepareLoop({ folder, site, pages, browser }) {
  const text = `import { test as base } from '@playwright/test';
const test = base.extend({
  own: [async ({ playwright, browserName }, use) => {
    const browser = await playwright[browserName].launch();
    await use(browser);
    await browser.close();
  }, { scope: 'worker' }],
});
for (const path of ${JSON.stringify(pages)}) test(path, async ({ own }) => {
  const context = await own.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(${JSON.stringify(site)} + '/' + path);
  await page.screenshot({ fullPage: true });
  await context.close();
});
`;
  return prepareSpec(BARE, folder, 'loop', text, { browser });
}

/** Prepares a run of as many tests that fail and do nothing else: what the test runner itself takes for that. */
export function prepareFailing({ folder, pages }) {
  const text = `import { expect, test } from '@playwright/test';
for (let index = 0; index < ${pages.length}; index++) test('page-' + index, () => expect(1).toBe(2));
`;
  return prepareSpec('failing tests alone', folder, 'failing', text);
}

/** Prepares a run of as many tests that do nothing: no run of Playwright Test can be faster. */
export function prepareEmpty({ folder, pages }) {
  const text = `import { test } from '@playwright/test';
for (let index = 0; index < ${pages.length}; index++) test('page-' + index, () => {});
`;
  return prepareSpec('empty tests', folder, 'empty', text);
}

/** Reduces what Playwright's matcher said of a page to a status of ours and a reason. */
function readMatcher({ status, error }) {
  if (status === 'passed') return { status };
  const message = stripVTControlCharacters(error?.message ?? status);
  const [reason] = /stable screenshots|.*pixels .* are different.*|Expected an image.*/.exec(message) ?? [];
  if (!reason) return { status: 'error', reason: message.split('\n')[0] };
  return reason.startsWith('stable')
    ? { status: 'unstable', reason: 'not two equal screenshots' }
    : { status: 'changed', reason: reason.trim() };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The flags of Chromium do not apply to other browsers. */
function playwrightConfig(reporter, { browser = 'chromium', flags = [], network = OFFLINE }) {
  const { launchOptions, ...use } = useOptionsOf(browser);
  const isChromium = browser === 'chromium' || browser === 'full';
  const args = isChromium ? [...network, ...flags] : [];
  const options = JSON.stringify({ ...use, launchOptions: { ...launchOptions, args } });
  const first = browser === 'webkit' ? WEBKIT_CONFIG : '';
  return `${first}export default { fullyParallel: true, workers: ${WORKERS}, retries: 0, reporter: ${reporter}, use: ${options} };\n`;
}

function playwrightArm(name, cwd) {
  const test = ['node', [join(root, 'node_modules/@playwright/test/cli.js'), 'test']];
  return { name, cwd, approve: [test[0], [...test[1], '--update-snapshots=all']], compare: test };
}

/** Left out where it cannot be installed. */
async function prepareBackstop({ folder, site, pages }) {
  const { executablePath } = useOptionsOf('chromium').launchOptions;
  const place = join(folder, 'backstop');
  mkdirSync(place, { recursive: true });
  try {
    if (!existsSync(join(place, 'node_modules/backstopjs'))) {
      write(place, { 'package.json': '{ "private": true }' });
      await mustRun('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', BACKSTOP], {
        cwd: place,
        quiet: true,
      });
    }
  } catch (error) {
    process.stdout.write(`BackstopJS is left out: ${error.message}\n`);
    return [];
  }
  const config = {
    id: 'bench',
    viewports: [{ label: 'desktop', width: 1280, height: 720 }],
    scenarios: pages.map((path, index) => ({
      label: `page-${index}`,
      url: `${site}/${path}`,
      selectors: ['document'],
    })),
    paths: { bitmaps_reference: 'reference', bitmaps_test: 'test', html_report: 'html', ci_report: 'ci' },
    report: ['CI'],
    engine: 'puppeteer',
    engineOptions: { executablePath, headless: 'shell', args: ['--no-sandbox', ...OFFLINE] },
    asyncCaptureLimit: WORKERS,
    asyncCompareLimit: 50,
  };
  write(place, { 'backstop.json': JSON.stringify(config) });
  const cli = join(place, 'node_modules/backstopjs/cli/index.js');
  const command = (verb) => ['node', [cli, verb, '--config=backstop.json']];
  return [{ name: 'BackstopJS', cwd: place, approve: command('reference'), compare: command('test') }];
}

function makeFolder(folder, name) {
  const place = join(folder, name);
  mkdirSync(join(place, 'node_modules'), { recursive: true });
  mkdirSync(join(place, 'node_modules/@playwright'), { recursive: true });
  link(join(root, 'node_modules/@playwright/test'), join(place, 'node_modules/@playwright/test'));
  install(join(place, 'node_modules/proofsheet'));
  write(place, { 'package.json': '{ "private": true, "type": "module" }' });
  return place;
}

/** As npm would: of what is linked instead, the test runner takes each file for one of the user's own, and compiles it. */
function install(place) {
  rmSync(place, { recursive: true, force: true });
  for (const part of ['package.json', 'dist']) cpSync(join(root, part), join(place, part), { recursive: true });
  link(join(root, 'node_modules'), join(place, 'node_modules'));
}

function link(target, path) {
  if (!existsSync(path)) symlinkSync(target, path);
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
