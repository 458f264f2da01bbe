import type { RunRecord, ShotRecord } from '../../src/model/run-record.js';
import { config, expect, html, test } from './project.js';

const ENV = { PROOFSHEET_CACHE: 'cache' };
const BOX = '<div id="box" style="width: 90px; height: 60px; background: currentcolor"></div>';
const css = (color: string) => `#box { color: ${color} }`;
const scripted = (code: string) => html(`${BOX}<script>${code}</script>`);
const paint = (color: string) => `box.style.color = ${color}`;

const SITE = {
  'dist/style.html': html(BOX, '<link rel="stylesheet" href="style.css">'),
  'dist/style.css': css('teal'),
  'dist/same.html': html(BOX, `<style>${css('teal')}</style>`),
  'dist/post.html': scripted("fetch('api', { method: 'POST', body: '1' })"),
  // No file contains what these depend on: chance, and the port, which differs between runs.
  'dist/random.html': scripted(
    `crypto.getRandomValues(new Uint8Array(1)); ${paint("Math.random() > 2 ? 'red' : 'teal'")}`,
  ),
  'dist/hidden.html': scripted(
    `localStorage.getItem('theme'); new Date(); ${paint("'#' + (location.port * 199).toString(16).padStart(6, '0')")}`,
  ),
};

function find({ shots }: Pick<RunRecord, 'shots'>, id: string): ShotRecord {
  const shot = shots.find((one) => one.id === id);
  if (!shot) throw new Error(`no shot ${id}`);
  return shot;
}

test('a second run reuses the captures of served files, captures a share to verify them, and finds what changed', async ({
  project,
}) => {
  project.write({
    ...SITE,
    'pages.yaml': 'serve: dist\nreuse: true\npages: [/style, /same, /post]\n',
    'verified.yaml': 'serve: dist\nreuse: { verify: 1 }\npages: [/random, /hidden]\n',
    'visual.spec.ts':
      "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\ndefinePages('verified.yaml');\n",
    'own.spec.ts': "import { test } from 'proofsheet';\ntest('of its own', () => { throw new Error('it ran'); });\n",
    'playwright.config.ts': config('workers: 2,'),
  });
  expect(await project.test(['visual', '--update-snapshots=all'], ENV)).toExit(0);
  const first = project.results();
  const second = await project.test(['visual'], ENV);
  expect(second).toExit(1);
  const same = project.results();

  await test.step('the counts say how many shots were reused', () => {
    expect(same.summary).toMatchObject({ expected: 5, captured: 3, reused: 2, compared: 5, passed: 4 });
    expect(second.output).toContain('counts    5 expected, 3 captured, 2 reused, 5 compared: 4 passed');
    const reused = find(same, 'style');
    expect(find(first, 'style').notReusable).toBeUndefined();
    expect(reused).toMatchObject({ reused: true, status: 'passed', environment: find(first, 'style').environment });
    expect(reused.capture?.fetchTime).toBe(find(first, 'style').capture?.fetchTime);
    expect(reused.after?.link).toMatch(/^screenshots\//);
    expect(find(same, 'post')).toMatchObject({ reused: false, notReusable: 'it sends a POST request to /api' });
  });

  await test.step('a verified page that differs says what no file contains', () => {
    expect(find(same, 'random')).toMatchObject({ reused: false, status: 'passed' });
    const { reason, warnings } = find(same, 'hidden');
    expect(reason).toMatch(
      /; no file of the page has changed since its capture of \d{4}-\d\d-\d\d passed, so `reuse` would have missed this: its scripts read storage and the clock, which no file contains$/,
    );
    expect(warnings.map(({ code }) => code)).toContain('reuse-incomplete');
  });

  await test.step('affected runs no other tests, and names the first file that changed', async () => {
    project.write({ 'dist/style.css': css('tomato') });
    const json = await project.proofsheet(['affected', '--json'], ENV);
    expect(json).toExit(0);
    const { shots }: { shots: { id: string; why: string | null }[] } = JSON.parse(json.stdout);
    expect(Object.fromEntries(shots.map(({ id, why }) => [id, why]))).toEqual({
      hidden: 'no capture of it is known',
      post: 'it sends a POST request to /api',
      random: 'it was chosen to be verified',
      same: null,
      style: '/style.css changed',
    });
    const text = await project.proofsheet(['affected'], ENV);
    expect(text).toExit(0);
    expect(text.stdout).toContain('proofsheet: 4 of 5 shots would be captured\n');
    expect(text.stdout).toContain('\n  capture  style  /style.css changed\n');
  });

  expect(await project.test(['visual'], ENV)).toExit(1);
  expect(project.statuses()).toContain('style: changed');
  expect(project.shot('same').reused).toBe(true);
  const entry = /^v3\/(environments|[\da-f]{64})\/([\da-f]{64}\.json|reason\.txt)$/;
  expect(project.files('cache').filter((path) => !entry.test(path))).toEqual([]);
});

test('PROOFSHEET_REUSE=1 captures the pages of another server, and says why', async ({ project, site }) => {
  site.write({ 'home.html': html('<p>Home</p>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/home.html]\n`,
    'visual.spec.ts': "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\n",
    'playwright.config.ts': config(),
  });
  const env = { ...ENV, PROOFSHEET_REUSE: '1' };
  expect(await project.test(['--update-snapshots=all'], env)).toExit(0);
  expect(project.shot('home.html')).toMatchObject({
    reused: false,
    notReusable: 'the run does not serve its files: see `serve`',
  });
});
