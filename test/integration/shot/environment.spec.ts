import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { embedText, extractText } from '../../../src/image/metadata.js';
import type { Environment } from '../../../src/model/environment.js';
import { decodeBaselineRecord, encodeBaselineRecord } from '../../../src/model/environment.js';
import { html } from '../../e2e/project.js';
import { type ListRun, type Runs, test } from '../runs.js';

const PAGES = ['a', 'b', 'c'];
const OLD = { browserVersion: '99.0.1', fonts: '0123456789ab' };

/** Makes a baseline say that it was made in another environment; its picture stays as it is. */
function edit(runs: Runs, name: string, changes: Partial<Environment>): void {
  const path = runs.path(name);
  const { text, bare } = extractText(readFileSync(path), 'png');
  const record = decodeBaselineRecord(text ?? '');
  if (!record) throw new Error(`${name} carries no record`);
  const edited = { ...record, environment: { ...record.environment, ...changes } };
  writeFileSync(path, embedText(bare, 'png', encodeBaselineRecord(edited), name));
}

function listOf(url: string, rule: string): string {
  return `baseURL: ${url}
defaults: { width: 300, height: 200${rule} }
pages: [${PAGES.map((page) => `/${page}`)}]
`;
}

/** Gives the environment of a run. */
function environmentOf(run: ListRun): Environment {
  const { environment } = run.shot('a');
  if (!environment) throw new Error('nothing was captured');
  return environment;
}

const DOT = '<div style="width: 4px; height: 4px; background: #f00"></div>';

test('an equal image passes in any environment, and a different one names the environment of its baseline', async ({
  runs,
  serve,
}) => {
  let dot = '';
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>${dot}`));
  const list = listOf(site.url, '');
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  edit(runs, 'a.png', OLD);
  const same = await runs.run(list);
  expect(same.passed).toBe(true);
  expect(same.of('a').verdict.notice).toBeNull();
  dot = DOT;
  const run = await runs.run(list);
  expect(run.statuses).toEqual(PAGES.map((page) => `${page}: changed`));
  expect(run.of('a').verdict.notice).toContain('environment mismatch: baselines from chromium 99.0.1');
  expect(run.of('b').verdict.notice).toBeNull();
});

test('pixels that differ only by anti-aliasing count within one environment, unless the list says otherwise', async ({
  page,
  runs,
  serve,
}) => {
  let radius = 20;
  const site = await serve(() =>
    html(`<svg width="96" height="96"><circle cx="48" cy="48" r="${radius}" fill="#2563eb"/></svg>`),
  );
  const list = `baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: same, url: / }
  - { name: other, url: / }
  - { name: ignored, url: /, antialiasing: ignore }
  - { name: counted, url: /, antialiasing: count }
`;
  const matchOwn = async (antialiasing: 'auto' | 'ignore', mode: 'changed' | 'none') => {
    await page.goto(site.url);
    return (await runs.match(page.locator('svg'), antialiasing, { antialiasing }, mode)).verdict.passed;
  };
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  for (const antialiasing of ['auto', 'ignore'] as const) expect(await matchOwn(antialiasing, 'changed')).toBe(true);
  for (const name of ['other', 'counted']) edit(runs, `${name}.png`, OLD);
  radius = 20.1;
  const run = await runs.run(list);
  expect(run.statuses).toEqual(['counted: changed', 'ignored: passed', 'other: passed', 'same: changed']);
  expect(await matchOwn('auto', 'none')).toBe(false);
  expect(await matchOwn('ignore', 'none')).toBe(true);
  const figures = ['same', 'other', 'ignored', 'counted'].map((id) => {
    const { mismatchPixels = 0, antialiasedPixels = 0 } = run.shot(id).summary ?? {};
    return [mismatchPixels + antialiasedPixels > 0, mismatchPixels > 0, antialiasedPixels > 0];
  });
  const [counted, apart] = [
    [true, true, false],
    [true, false, true],
  ];
  expect(figures).toEqual([counted, apart, apart, counted]);
});

test('`environment: fail` refuses a baseline of another environment until it is updated', async ({ runs, serve }) => {
  let dot = '';
  const { url } = await serve(({ url: { pathname } }) => html(`<h1>${pathname}</h1>${dot}`));
  const list = listOf(url, ', environment: fail, maxDiffPixels: 16');
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  edit(runs, 'a.png', OLD);
  edit(runs, 'b.png', { engine: 'odiff 1.0.0' });
  expect((await runs.run(list)).passed, 'equal to the byte').toBe(true);
  dot = DOT;
  const run = await runs.run(list);
  expect(run.statuses).toEqual(['a: error', 'b: passed', 'c: passed']);
  expect(run.shot('a').reason).toMatch(
    new RegExp(
      `^${url}/a: the baseline was captured with chromium 99\\.0\\.1 on .*, fonts 0123456789ab, but this run uses chromium .*\\(\`environment: fail\`\\)\\. Run in the environment of the baselines, or update them in this environment: npx playwright test --update-snapshots$`,
    ),
  );
  const updated = await runs.run(list, { mode: 'changed' });
  expect(updated.passed, 'though it is within its limit').toBe(true);
  expect(updated.shot('a').written).toBe(true);
});

test('`environment: separate` stores baselines per environment, and fonts are part of the environment', async ({
  launchOptions,
  page,
  runs,
  serve,
}) => {
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>`));
  const list = listOf(site.url, ', environment: separate');
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

/** A configuration of fonts that lacks one family. */
function withoutFont(family: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern><patelt name="family"><string>${family}</string></patelt></pattern></rejectfont></selectfont>
</fontconfig>`;
}
