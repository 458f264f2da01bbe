import { chmodSync, readFileSync, renameSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { makeBaselines, prepareTwoPages, SNAPSHOTS, twoPages } from './baselines.js';
import { fontOf, withoutFont } from './fonts.js';
import { config, expect, filesOf, html, LAUNCH_OPTIONS, OFFLINE_FLAGS, test } from './project.js';

test.skip(process.platform !== 'linux', 'another environment is made by fontconfig');

const installed = LAUNCH_OPTIONS.executablePath ?? chromium.executablePath();

test('upgrade writes the baseline of a page that did not change, leaves a changed one alone, and runs no other test', async ({
  project,
  site,
}) => {
  await prepareTwoPages(project, site);
  const [about, home] = ['about', 'home'].map((name) => project.path(`${SNAPSHOTS}/${name}-linux.png`));
  const before = [about, home].map((path) => readFileSync(path ?? ''));
  const browser = project.path('browser.sh');
  project.write({
    'fonts.conf': withoutFont(fontOf('Times New Roman')),
    'browser.sh': `#!/bin/sh\nFONTCONFIG_FILE='${project.path('fonts.conf')}' exec '${installed}' "$@"\n`,
    'playwright.config.mjs': config(
      `use: { launchOptions: { executablePath: ${JSON.stringify(browser)}, args: ${JSON.stringify(OFFLINE_FLAGS)} } },`,
    ),
    'own.spec.mjs':
      "import { writeFileSync } from 'node:fs'; import { test } from 'proofsheet'; test('own', () => writeFileSync('ran', ''));",
  });
  chmodSync(browser, 0o755);
  site.write({ 'about.html': html('<h1 style="color: #c00">About</h1>') });

  const upgraded = await project.proofsheet(['upgrade', '--from-browser', installed, '--json']);
  expect(upgraded).toExit(1);
  expect(JSON.parse(upgraded.stdout)).toMatchObject({
    ...{ upgraded: ['home'], equal: [] },
    left: [{ name: 'about', why: expect.stringMatching(/^changed: h1: color .*#cc0000/) }],
  });
  const after = [about, home].map((path) => readFileSync(path ?? ''));
  expect([0, 1].map((index) => after[index]?.equals(before[index] ?? Buffer.of()))).toEqual([true, false]);
  expect(project.exists('ran')).toBe(false);

  // Back again, by a report of the environment that is left.
  expect(await project.test(['visual.spec.mjs'])).toExit(1);
  renameSync(project.path('proofsheet-report'), project.path('earlier'));
  project.write({ 'playwright.config.mjs': config() });
  const back = await project.proofsheet(['upgrade', '--from-report', 'earlier', '--json']);
  expect(JSON.parse(back.stdout)).toMatchObject({ upgraded: ['home'], equal: [], left: [{ name: 'about' }] });
  expect([about, home].map((path, index) => before[index]?.equals(readFileSync(path ?? '')))).toEqual([true, true]);
});

test('upgrade leaves a page alone if a text changed that its image does not show', async ({ project, site }) => {
  const slides = (second: string) =>
    html(`<div style="overflow: hidden; width: 200px; display: flex">
      ${['first', second].map((text) => `<p style="flex: 0 0 200px">${text}</p>`).join('')}</div>`);
  site.write({ 'index.html': slides('12 EUR'), 'about.html': html('<h1>About</h1>') });
  project.write(filesOf(`defaults: { fullSize: true }\n${twoPages(site)}`));
  await makeBaselines(project);
  site.write({ 'index.html': slides('19 EUR') });
  const upgraded = await project.proofsheet(['upgrade', '--from-browser', installed, '--json']);
  expect(upgraded).toExit(1);
  expect(JSON.parse(upgraded.stdout)).toMatchObject({
    ...{ upgraded: [], equal: ['about'] },
    left: [{ name: 'home', why: expect.stringContaining('new: "19 EUR" (p)') }],
  });
});
