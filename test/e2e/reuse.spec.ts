import type { RunRecord, ShotRecord } from '../../src/model/run-record.js';
import { config, expect, html, test } from './project.js';

/** The variable is for the lists that do not say whether they reuse captures. */
const ENV = { PROOFSHEET_CACHE: 'cache', PROOFSHEET_REUSE: '1' };
const NOT_SERVED = 'the run does not serve its files: see `serve`';
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

test('a second run reuses the captures of served files, captures a share to verify them, and finds what changed', {
  tag: '@versions',
}, async ({ project, site }) => {
  site.write({ 'away.html': html('<p>Away</p>') });
  project.write({
    ...SITE,
    'pages.yaml': 'serve: dist\nreuse: true\npages: [/style, /same, /post]\n',
    'verified.yaml': 'serve: dist\nreuse: { verify: 1 }\npages: [/random, /hidden]\n',
    'away.yaml': `pages: [{ name: away, url: "${site.url}/away.html" }]\n`,
    'visual.spec.mjs': `import { definePages } from 'proofsheet';
for (const list of ['pages', 'verified', 'away']) definePages(list + '.yaml');
`,
    'own.spec.mjs': "import { test } from 'proofsheet';\ntest('of its own', () => { throw new Error('it ran'); });\n",
    'playwright.config.mjs': config('workers: 2,'),
  });
  expect(await project.test(['visual', '--update-snapshots=all'], ENV)).toExit(0);
  const first = project.results();
  project.write({ 'dist/style.css': css('tomato') });

  await test.step('affected runs no other tests, and names the first file that changed', async () => {
    const json = await project.proofsheet(['affected', '--json'], ENV);
    expect(json).toExit(0);
    const { shots }: { shots: { id: string; why: string | null }[] } = JSON.parse(json.stdout);
    expect(Object.fromEntries(shots.map(({ id, why }) => [id, why]))).toEqual({
      away: NOT_SERVED,
      hidden: 'it was chosen to be verified',
      post: 'it sends a POST request to /api',
      random: 'it was chosen to be verified',
      same: null,
      style: '/style.css changed',
    });
  });

  const second = await project.test(['visual'], ENV);
  expect(second).toExit(1);
  const later = project.results();

  await test.step('the counts say how many shots were reused', () => {
    expect(later.summary).toMatchObject({ expected: 6, captured: 5, reused: 1, compared: 6, passed: 4, changed: 2 });
    expect(second.output).toContain('counts    6 expected, 5 captured, 1 reused, 6 compared: 4 passed, 2 changed');
    const reused = find(later, 'same');
    expect(find(first, 'same').notReusable).toBeUndefined();
    expect(reused).toMatchObject({ reused: true, status: 'passed', environment: find(first, 'same').environment });
    expect(reused.capture?.fetchTime).toBe(find(first, 'same').capture?.fetchTime);
    expect(reused.after?.link).toMatch(/^screenshots\//);
    expect(find(later, 'style')).toMatchObject({ reused: false, status: 'changed' });
    expect(find(later, 'post')).toMatchObject({ reused: false, notReusable: 'it sends a POST request to /api' });
    expect(find(later, 'away'), 'the variable asks for it').toMatchObject({ reused: false, notReusable: NOT_SERVED });
  });

  await test.step('a verified page that differs says that no file changed', () => {
    expect(find(later, 'random')).toMatchObject({ reused: false, status: 'passed' });
    const { reason, warnings } = find(later, 'hidden');
    expect(reason).toMatch(
      /; no file of the page has changed since its capture of \d{4}-\d\d-\d\d passed, so `reuse` would have missed this$/,
    );
    expect(warnings.map(({ code }) => code)).toContain('reuse-incomplete');
  });

  const entry = /^v4\/(environment-)?[\da-f]{64}\.json$/;
  expect(project.files('cache').filter((path) => !entry.test(path))).toEqual([]);
});
