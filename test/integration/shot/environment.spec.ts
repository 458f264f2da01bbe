import { writeFileSync } from 'node:fs';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import type { Environment } from '../../../src/model/environment.js';
import { readEnvironment } from '../../../src/page/environment.js';
import { fontOf, withoutFont } from '../../e2e/fonts.js';
import { html } from '../../e2e/project.js';
import { test as base, type ListRun } from '../runs.js';

/** A browser that lacks the font of `sans-serif`. */
const test = base.extend<{ elsewhere: Browser }>({
  elsewhere: async ({ launchOptions }, use, info) => {
    const path = info.outputPath('fonts.conf');
    writeFileSync(path, withoutFont(fontOf('sans-serif')));
    const browser = await chromium.launch({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: path } });
    await use(browser);
    await browser.close();
  },
});

function environmentOf(run: ListRun): Environment {
  const { environment } = run.shot('a');
  if (!environment) throw new Error('nothing was captured');
  return environment;
}

test('`environment: separate` stores baselines per environment, and fonts are part of the environment', async ({
  elsewhere: browser,
  page,
  runs,
  serve,
}) => {
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>`));
  const list = `baseURL: ${site.url}\ndefaults: { width: 300, height: 200, environment: separate }\npages: [/a]\n`;
  const first = await runs.run(list, { mode: 'changed' });
  expect(first.passed).toBe(true);
  const { os, arch, browserVersion, headless, fonts } = environmentOf(first);
  expect(['shell', 'new']).toContain(headless);
  const here = [os, arch, 'chromium', browserVersion, headless, fonts].join('-');
  expect(runs.baselines()).toEqual([`${here}/a.png`]);
  const matchOwn = async (own: Page, mode: 'changed' | 'none') => {
    await own.goto(`${site.url}/a`);
    return (await runs.match(own, 'own', { environment: 'separate' }, mode)).record.status;
  };
  expect(await matchOwn(page, 'changed')).toBe('new');
  expect(runs.baselines()).toContain(`${here}/own.png`);

  const elsewhere = await runs.run(list, { browser });
  expect(elsewhere.passed).toBe(false);
  expect(elsewhere.statuses).toEqual(['a: new']);
  expect(await matchOwn(await browser.newPage(), 'none')).toBe('new');
  expect(environmentOf(elsewhere).fonts).toMatch(/^[0-9a-f]{12}$/);
  expect(environmentOf(elsewhere).fonts).not.toBe(fonts);
  expect((await runs.run(list)).passed, 'and here all is as it was').toBe(true);
  expect(await matchOwn(page, 'none')).toBe('passed');
});

test('with other fonts, the same page is redrawn, and a change is named', async ({
  elsewhere: browser,
  runs,
  serve,
}) => {
  let style = '';
  const text = 'Fonts differ from machine to machine, and lines of a text wrap at other words. '.repeat(4);
  const page = (more: string) =>
    html(
      `<style>body { font-family: '${fontOf('sans-serif')}', monospace } ${style}</style><h1>Prices</h1>${more}<button>Buy</button><p>${text}</p><footer>End of the page</footer>`,
    );
  let more = '<input value="Search">';
  const site = await serve(() => page(more));
  const list = `baseURL: ${site.url}\ndefaults: { width: 400, height: 300 }\npages: [/a]\n`;
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);

  const same = await runs.run(list, { browser });
  expect(same.shot('a')).toMatchObject({ status: 'passed', redrawn: 'not-compared' });
  expect(same.shot('a').summary?.mismatchPixels).toBeGreaterThan(1000);
  const byPixels = await runs.run(list.replace('{ width', '{ environment: warn, width'), { browser });
  expect(byPixels.statuses).toEqual(['a: changed']);

  style = 'button { color: #c00 }';
  const restyled = await runs.run(list, { browser });
  expect(restyled.shot('a')).toMatchObject({ status: 'changed', causes: [{ kind: 'restyled', property: 'color' }] });
  style = '';
  more = '<input value="Search.">';
  expect((await runs.run(list, { browser })).statuses, 'a form control counts by its mean color').toEqual([
    'a: passed',
  ]);
  expect((await runs.run(list)).statuses, 'in one environment, each pixel counts').toEqual(['a: changed']);
  more = '<input value="Search"><p>One more</p>';
  const inserted = await runs.run(list, { browser });
  expect(inserted.shot('a')).toMatchObject({ status: 'changed', causes: [{ kind: 'inserted', element: 'p' }] });
});

test('the environment is that of the remote browser, not of the client', async ({ playwright, launchOptions }) => {
  test.skip(process.platform !== 'linux', 'the browser of this machine is the far one');
  const server = await playwright.chromium.launchServer(launchOptions);
  const browser = await playwright.chromium.connect(server.wsEndpoint());
  const page = await browser.newPage();
  try {
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    expect(await readEnvironment(page, 1)).toMatchObject({ os: 'linux', arch: process.arch, browser: 'chromium' });
  } finally {
    Object.defineProperty(process, 'platform', { value: 'linux' });
    await browser.close();
    await server.close();
  }
});
