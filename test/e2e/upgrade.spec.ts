import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { chooseBrowser } from '../../src/page/browser/launch.js';
import { prepareTwoPages, SNAPSHOTS } from './baselines.js';
import { config, expect, html, OFFLINE_FLAGS, test } from './project.js';

test.skip(process.platform !== 'linux', 'another environment is made by fontconfig');

const { executablePath: installed = chromium.executablePath() } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);

/** A configuration of fonts without the one that pages have by default. */
function withoutDefaultFont(): string {
  const family = execFileSync('fc-match', ['-f', '%{family[0]}', 'Times New Roman'], { encoding: 'utf8' });
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern><patelt name="family"><string>${family}</string></patelt></pattern></rejectfont></selectfont></fontconfig>`;
}

test('upgrade writes the baseline of a page that did not change, leaves a changed one alone, and runs no other test', async ({
  project,
  site,
}) => {
  await prepareTwoPages(project, site);
  const [about, home] = ['about', 'home'].map((name) => project.path(`${SNAPSHOTS}/${name}-linux.png`));
  const before = [about, home].map((path) => readFileSync(path ?? ''));
  const browser = project.path('browser.sh');
  project.write({
    'fonts.conf': withoutDefaultFont(),
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

  // The page is proven no more: the browser of the new baseline is another one.
  const again = await project.proofsheet(['upgrade', '--from-browser', installed]);
  expect(again).toExit(1);
  expect(again.stdout).toMatch(/^proofsheet: 0 baselines upgraded, 2 shots changed and left alone$/m);
  expect(again.stdout).toMatch(/^ {2}left {2}home {2}another browser or environment made its baseline$/m);
});

test('upgrade says what is missing', async ({ project }) => {
  const nothing = await project.proofsheet(['upgrade']);
  expect(nothing).toExit(2);
  expect(nothing.output).toContain('nothing says which browser made the baselines');
  const both = await project.proofsheet(['upgrade', '--from-browser', 'a', '--from-report', 'b']);
  expect(both).toExit(2);
  expect(both.output).toContain("option '--from-browser <path>' cannot be used with option '--from-report <folder>'");
});
