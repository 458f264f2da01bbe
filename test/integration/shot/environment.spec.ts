import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import type { Environment } from '../../../src/model/environment.js';
import { html } from '../../e2e/project.js';
import { type ListRun, test } from '../runs.js';

const PAGES = ['a'];
function listOf(url: string): string {
  return `baseURL: ${url}
defaults: { width: 300, height: 200, environment: separate }
pages: [${PAGES.map((page) => `/${page}`)}]
`;
}

/** Gives the environment of a run. */
function environmentOf(run: ListRun): Environment {
  const { environment } = run.shot('a');
  if (!environment) throw new Error('nothing was captured');
  return environment;
}

test('`environment: separate` stores baselines per environment, and fonts are part of the environment', async ({
  launchOptions,
  page,
  runs,
  serve,
}) => {
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>`));
  const list = listOf(site.url);
  const first = await runs.run(list, { mode: 'changed' });
  expect(first.passed).toBe(true);
  const { os, arch, browserVersion, headless, fonts } = environmentOf(first);
  expect(['shell', 'new']).toContain(headless);
  const here = [os, arch, 'chromium', browserVersion, headless, fonts].join('-');
  expect(runs.baselines()).toEqual(PAGES.map((name) => `${here}/${name}.png`));
  const matchOwn = async (own: Page, mode: 'changed' | 'none') => {
    await own.goto(`${site.url}/a`);
    return (await runs.match(own, 'own', { environment: 'separate' }, mode)).record.status;
  };
  expect(await matchOwn(page, 'changed')).toBe('new');
  expect(runs.baselines()).toContain(`${here}/own.png`);

  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-fonts-'));
  const family = execFileSync('fc-match', ['-f', '%{family[0]}', 'sans-serif'], { encoding: 'utf8' });
  writeFileSync(join(folder, 'fonts.conf'), withoutFont(family));
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const browser = await chromium.launch({ ...launchOptions, env });
  try {
    const elsewhere = await runs.run(list, { browser });
    expect(elsewhere.passed).toBe(false);
    expect(elsewhere.statuses).toEqual(PAGES.map((name) => `${name}: new`));
    expect(await matchOwn(await browser.newPage(), 'none')).toBe('new');
    expect(environmentOf(elsewhere).fonts).toMatch(/^[0-9a-f]{12}$/);
    expect(environmentOf(elsewhere).fonts).not.toBe(fonts);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
  expect((await runs.run(list)).passed, 'and here all is as it was').toBe(true);
  expect(await matchOwn(page, 'none')).toBe('passed');
});

test('with other fonts, the same page is redrawn, and a change is named', async ({ launchOptions, runs, serve }) => {
  const family = execFileSync('fc-match', ['-f', '%{family[0]}', 'sans-serif'], { encoding: 'utf8' });
  let style = '';
  const text = 'Fonts differ from machine to machine, and lines of a text wrap at other words. '.repeat(4);
  const page = (more: string) =>
    html(
      `<style>body { font-family: '${family}', monospace } ${style}</style><h1>Prices</h1>${more}<button>Buy</button><p>${text}</p><footer>End of the page</footer>`,
    );
  let more = '<input value="Search">';
  const site = await serve(() => page(more));
  const list = `baseURL: ${site.url}\ndefaults: { width: 400, height: 300 }\npages: [/a]\n`;
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);

  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-fonts-'));
  writeFileSync(join(folder, 'fonts.conf'), withoutFont(family));
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const browser = await chromium.launch({ ...launchOptions, env });
  try {
    const same = await runs.run(list, { browser });
    expect(same.shot('a')).toMatchObject({ status: 'passed', redrawn: 'not-compared' });
    expect(same.shot('a').summary?.mismatchPixels).toBeGreaterThan(1000);
    const byPixels = await runs.run(list.replace('{ width', '{ environment: warn, width'), { browser });
    expect(byPixels.statuses).toEqual(['a: changed']);

    style = 'button { color: #c00 }';
    const restyled = await runs.run(list, { browser });
    expect(restyled.shot('a')).toMatchObject({ status: 'changed', causes: [{ kind: 'restyled', property: 'color' }] });
    style = '';
    more = '<input value="Search"><p>One more</p>';
    const inserted = await runs.run(list, { browser });
    expect(inserted.shot('a')).toMatchObject({ status: 'changed', causes: [{ kind: 'inserted', element: 'p' }] });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

/** A configuration of fonts that lacks one family. */
function withoutFont(family: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern><patelt name="family"><string>${family}</string></patelt></pattern></rejectfont></selectfont>
</fontconfig>`;
}
