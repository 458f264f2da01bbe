import { readFileSync, rmSync } from 'node:fs';
import { installBeside } from '../../scripts/install-package.mjs';
import { isAtLeast } from '../../src/run/ask-playwright.js';
import { look, readImage } from '../e2e/direct.js';
import { config, expect, html, type Project, type Site, SPEC, test, withProject } from '../e2e/project.js';

/** The versions of Playwright of `docs/compatibility.md`: the newest patch of each, and the lowest that is admitted. */
const VERSIONS = [
  ...['1.53.0', '1.55.1', '1.57.0', '1.58.2', '1.59.1', '1.60.0', '1.61.1', '1.62.1', '1.63.0', '1.64.1', '1.65.1'],
];

/** Versions below the range. */
const TOO_OLD = ['1.49.1', '1.52.0'];

const SNAPSHOTS = 'visual.spec.ts-snapshots';
const REPORTERS = `reporter: [
    ['junit', { outputFile: 'junit.xml' }], ['proofsheet/reporter'], ['list'], ['html', { open: 'never', outputFolder: 'html' }],
  ],`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

for (const version of VERSIONS) {
  test.describe(`Playwright ${version}`, () => {
    // One after the other: the first one installs.
    test.describe.configure({ mode: 'default' });
    test.beforeAll(() => installBeside(version, version));

    test('runs a page list: list, first run, unchanged, change, approve, all update modes, prune', async ({ site }) => {
      await withProject(version, async (project) => {
        writeList(project, site, ['a', 'b']);
        await test.step('list', async () => {
          const listed = await project.test(['--list', '--reporter=list', 'visual.spec.ts:2', '--grep=@smoke']);
          expect(listed).toExit(0);
          expect(listed.output).toMatch(/visual\.spec\.ts:2:1 › a( @smoke)?\n/);
          expect(listed.output).toContain('Total: 1 test in 1 file');
        });

        await test.step('first run', async () => {
          const first = await project.test(['--retries=2']);
          expect(first).toExit(1);
          expect(first.output).toContain('pages.yaml:3');
          expect(project.statuses()).toEqual(['a: new', 'b: new']);
          expect(project.shot('a').attempts, 'it is not retried').toEqual([{ status: 'new' }]);
          expect(project.files(SNAPSHOTS)).toEqual(['a-linux.png', 'b-linux.png']);
        });

        await test.step('unchanged', async () => {
          expect(await project.test()).toExit(0);
          expect(project.statuses()).toEqual(['a: passed', 'b: passed']);
          expect(readJUnit(project)).toEqual({ tests: '2', failures: '0', errors: '0' });
          expect(project.exists('html/index.html')).toBe(true);
          expect(imagesOfHtml(project), 'a and b').toBe(2);
        });

        await test.step('change', async () => {
          site.write({ 'a.html': html('<h1>Changed</h1>') });
          const changed = await project.test();
          expect(changed).toExit(1);
          expect(project.statuses()).toEqual(['a: changed', 'b: passed']);
          expect(changed.output).toContain('proofsheet: 1 change on 1 of 2 pages');
          expect(readJUnit(project)).toEqual({ tests: '2', failures: '1', errors: '0' });
          expect(readFileSync(project.path('junit.xml'), 'utf8')).toMatch(/<failure [\s\S]*a: changed: h1: text /);
          expect(imagesOfHtml(project), 'before, after and diff of a; b').toBe(4);
          const contexts = project.files('test-results').filter((file) => file.endsWith('error-context.md'));
          const texts = contexts.map((file) => readFileSync(project.path(`test-results/${file}`), 'utf8'));
          // Before Playwright 1.60, a matcher cannot give one.
          expect(texts.some((text) => text.includes('status: changed'))).toBe(isAtLeast(version, '1.60'));
        });

        await test.step('approve', async () => {
          expect(await project.proofsheet(['approve', 'a'])).toExit(0);
        });

        await test.step('--update-snapshots', () => updateInAllModes(project, site));

        await test.step('prune', async () => {
          const pruned = await project.proofsheet(['prune', '--yes', '--json']);
          expect(pruned).toExit(0);
          expect(JSON.parse(pruned.stdout)).toMatchObject({ deleted: [`${SNAPSHOTS}/c-linux.png`], kept: [] });
          expect(project.files(SNAPSHOTS)).toEqual(['a-linux.png', 'b-linux.png']);
        });
      });
    });

    test('merges shards, and fails if one is missing; toMatchBaseline with mergeExpects; affected', async ({
      site,
    }) => {
      await withProject(version, async (project) => {
        writeList(project, site, ['a', 'b']);
        await test.step('merge', () => mergeShards(project));
      });
      await withProject(version, (project) => test.step('toMatchBaseline', () => matchOwnTests(project, version)));
      await withProject(version, (project) => test.step('affected', () => askAffected(project)));
    });

    test('fields: serve, modes, pseudo, mock, har, texts, controlled time; compact', async () => {
      await withProject(version, useFields);
    });
  });
}

/** What a list has for some pages: a tag, and a limit above every change. */
const FIELDS: Record<string, string> = { a: ', tags: [smoke]', b: ', maxDiffPixels: 10000' };

/** Writes a list and its pages, except those that exist. */
function writeList(project: Project, site: Site, names: readonly string[], existing: readonly string[] = []): void {
  const pages = [...existing, ...names].map(
    (name) => `  - { name: ${name}, url: /${name}.html${FIELDS[name] ?? ''} }\n`,
  );
  for (const name of names) site.write({ [`${name}.html`]: html(`<h1>${name}</h1>`) });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages.join('')}`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config().replace(/reporter: .*/, REPORTERS),
  });
}

/** `a` was approved as it is, `b` did not change, and `c` is new. Then `a` changes, and `b` within its limit. */
async function updateInAllModes(project: Project, site: Site): Promise<void> {
  writeList(project, site, ['c'], ['a', 'b']);
  const bytesOf = (name: string) => readFileSync(project.path(`${SNAPSHOTS}/${name}-linux.png`));
  const [a, b] = [bytesOf('a'), bytesOf('b')];
  expect(await project.test(['--update-snapshots=none'])).toExit(1);
  expect(project.statuses()).toEqual(['a: passed', 'b: passed', 'c: new']);
  expect(project.files(SNAPSHOTS), 'none writes nothing').toEqual(['a-linux.png', 'b-linux.png']);

  site.write({ 'a.html': html('<h1>Again</h1>'), 'b.html': html('<h1>B</h1>') });
  expect(await project.test(['--update-snapshots=missing'])).toExit(1);
  expect(project.statuses()).toEqual(['a: changed', 'b: passed', 'c: new']);
  expect(project.files(SNAPSHOTS), 'missing writes c').toHaveLength(3);
  expect(bytesOf('a').equals(a), 'missing leaves a').toBe(true);

  expect(await project.test(['--update-snapshots=changed'])).toExit(0);
  expect(project.shot('a')).toMatchObject({ status: 'changed', written: true });
  expect(project.shot('b'), 'changed leaves b').toMatchObject({ status: 'passed', written: false });
  expect(bytesOf('b').equals(b)).toBe(true);

  writeList(project, site, [], ['a', 'b']);
  expect(await project.test(['--update-snapshots=all'])).toExit(0);
  expect(project.shot('b'), 'all writes b').toMatchObject({ status: 'passed', written: true });
  expect(bytesOf('b').equals(b)).toBe(false);
}

async function mergeShards(project: Project): Promise<void> {
  const env = { PROOFSHEET_RUN_ID: '1' };
  for (const shard of [1, 2]) {
    const path = { PLAYWRIGHT_BLOB_OUTPUT_FILE: project.path(`blobs/${shard}.zip`) };
    const args = ['--update-snapshots', `--shard=${shard}/2`, '--reporter=blob'];
    expect(await project.test(args, { ...env, ...path })).toExit(0);
  }
  const merge = () => project.playwright(['merge-reports', '--config=playwright.config.ts', 'blobs'], env);
  expect(await merge()).toExit(0);
  expect(project.statuses()).toEqual(['a: new', 'b: new']);
  expect(project.results().run).toMatchObject({ complete: true, shards: [{ current: 1 }, { current: 2 }] });
  expect(readJUnit(project)).toEqual({ tests: '2', failures: '0', errors: '0' });
  rmSync(project.path('blobs/2.zip'));
  const merged = await merge();
  expect(merged).toExit(1);
  expect(merged.output).toContain('shard 2/2 is missing');
  expect(project.results().run.complete).toBe(false);
}

async function matchOwnTests(project: Project, version: string): Promise<void> {
  const spec = (text: string) => `import { expect as theirs, mergeExpects, test as base } from '@playwright/test';
import { expect as ours, test } from 'proofsheet';
const expect = mergeExpects(ours, theirs.extend({ toBeOne: (value) => ({ pass: value === 1, message: () => 'not one' }) }));
test('own', async ({ page }) => {
  await page.setContent('<h1>1</h1>');
  expect(1).toBeOne();
  await expect(page, 'the page').toMatchBaseline('a');
  await expect(page.locator('h1')).toMatchBaseline('b.png');
});
test('second', async ({ page }) => {
  await page.setContent('<h1>${text}</h1>');
  await expect(page).toMatchBaseline('c');
  await expect(page).toMatchBaseline('d', { maxDiffPixels: 0 });
});
`;
  const limits = 'expect: { toHaveScreenshot: { maxDiffPixels: 10000 } },';
  project.write({ 'own.spec.ts': spec('1'), 'playwright.config.ts': config(limits) });
  const first = await project.test(['--retries=2']);
  expect(first).toExit(1);
  expect(first.output, 'the first new shot does not end the test').toMatch(
    /own\.spec\.ts:7:34[\s\S]*own\.spec\.ts:8:36/,
  );
  // Before Playwright 1.63, a matcher does not know the message.
  const hasMessage = isAtLeast(version, '1.63');
  expect(first.output.includes('Error: the page\n'), 'the message of expect').toBe(hasMessage);
  const attempts = project.results().shots.map((shot) => [shot.id, shot.attempts.length]);
  expect(Object.fromEntries(attempts)).toEqual({ 'own/a': 1, 'own/b.png': 1, 'own/c': 1, 'own/d': 1 });
  project.write({ 'own.spec.ts': spec('2') });
  expect(await project.test()).toExit(1);
  expect(project.statuses()).toEqual(['own/a: passed', 'own/b.png: passed', 'own/c: passed', 'own/d: changed']);
  project.write({ 'own.spec.ts': spec('2').replace("test('own'", "test.only('own'") });
  expect(await project.test()).toExit(0);
  const pruned = await project.proofsheet(['prune']);
  expect(pruned.output, 'nothing is known of the other test').toContain('or test.only, hides tests');
}

async function askAffected(project: Project): Promise<void> {
  project.write({
    'dist/a.html': html('<h1>a</h1>'),
    'dist/b.html': html('<h1>b</h1>'),
    'pages.yaml': 'serve: dist\nreuse: true\npages: [/a, /b]\n',
    'visual.spec.ts': SPEC,
    'own.spec.ts': "import { test } from 'proofsheet';\ntest('of its own', () => { throw new Error('it ran'); });\n",
    'playwright.config.ts': config(),
  });
  const env = { PROOFSHEET_CACHE: 'cache' };
  expect(await project.test(['visual', '--update-snapshots'], env)).toExit(0);
  project.write({ 'dist/a.html': html('<h1>changed</h1>') });
  const affected = await project.proofsheet(['affected'], env);
  expect(affected).toExit(0);
  expect(affected.stdout).toContain('1 of 2 shots would be captured\n  capture  a  /a changed\n  reuse    1 shot\n');
}

/** A page with a square for each field, which is lime if the field has its effect, and with a price. */
const shop = (price: string, style = '') =>
  html(
    `${SQUARES.map((id) => `<div id="${id}"></div>`).join('')}<p>${price}</p><script>
      for (const [id, url] of [['mock', '/api/stock'], ['har', 'http://rates.example/eur']])
        fetch(url).then((response) => response.json()).then(({ name }) => document.getElementById(name).className = 'ok');
    </script>`,
    `<style>* { margin: 0 } div { width: 20px; height: 20px; background: red } .ok, #pseudo:hover { background: lime }
      @media (prefers-color-scheme: dark) { #dark { background: lime } } ${style}</style>`,
  );
const SQUARES = ['mock', 'har', 'pseudo', 'dark'];

const HAR_ENTRY = {
  ...{ startedDateTime: '2024-01-01T00:00:00.000Z', time: 1, cache: {}, timings: { send: 0, wait: 1, receive: 0 } },
  request: { method: 'GET', url: 'http://rates.example/eur', headers: [] },
  response: {
    ...{ status: 200, statusText: 'OK', cookies: [], httpVersion: 'HTTP/1.1', redirectURL: '' },
    ...{ headers: [{ name: 'access-control-allow-origin', value: '*' }], headersSize: -1, bodySize: -1 },
    content: { mimeType: 'application/json', text: '{ "name": "har" }', size: 17 },
  },
};

async function useFields(project: Project): Promise<void> {
  project.write({
    'dist/shop.html': shop('€ 12'),
    'site.har': JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [HAR_ENTRY] } }),
    'pages.yaml': `serve: dist
modes: { light: {}, dark: { colorScheme: dark } }
pages:
  - url: /shop
    pseudo: { hover: "#pseudo" }
    mock: { "**/api/stock": { body: { name: mock } } }
    har: site.har
    texts: { p: money }
    delay: 9
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config().replace(/reporter: .*/, "reporter: [['proofsheet/reporter', { compact: true }]],"),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const effects = async (mode: string) => {
    const picture = await look(readImage(readFileSync(project.path(`${SNAPSHOTS}/shop/${mode}-linux.png`))));
    return SQUARES.filter((_, index) => picture.at(10, 20 * index + 10) === '#00ff00');
  };
  expect(await effects('light')).toEqual(['mock', 'har', 'pseudo']);
  expect(await effects('dark')).toEqual(SQUARES);

  project.write({ 'dist/shop.html': shop('€ 13.50') });
  expect(await project.test()).toExit(0);
  expect(project.statuses()).toEqual(['shop/dark: passed', 'shop/light: passed']);
  expect(project.shot('shop/dark').durationMs, 'the delay of 9 s passes in the page only').toBeLessThan(9_000);

  project.write({ 'dist/shop.html': shop('€ 13.50', '#pseudo:hover { background: blue }') });
  const changed = await project.test();
  expect(changed).toExit(1);
  expect(changed.output, 'compact prints only this').toMatch(
    /^\nproofsheet: 1 change on 1 of 1 page .*\n.*\n {2}changed +#pseudo: background-color .* 2 shots .*\n {2}report .*\n$/,
  );
}

function readJUnit(project: Project): Record<string, string | undefined> {
  const [suites = ''] = /<testsuites [^>]*>/.exec(readFileSync(project.path('junit.xml'), 'utf8')) ?? [];
  const read = (name: string) => new RegExp(` ${name}="(\\d+)"`).exec(suites)?.[1];
  return { tests: read('tests'), failures: read('failures'), errors: read('errors') };
}

/** Counts the images of Playwright's HTML report. */
function imagesOfHtml(project: Project): number {
  return project.files('html/data').filter((file) => file.endsWith('.png')).length;
}

for (const version of TOO_OLD) {
  test(`Playwright ${version} is below the range: one clear error at the first use`, async ({ site }) => {
    await installBeside(version, version);
    await withProject(version, async (project) => {
      writeList(project, site, ['a']);
      const message = `proofsheet needs @playwright/test 1.53 or later; this project has ${version}.`;
      const plain = { 'playwright.config.ts': config().replace(/reporter: .*/, "reporter: 'list',") };
      const expectRefusal = ({ output }: { output: string }) => {
        expect(output).toContain(message);
        expect(output).not.toContain('TypeError');
      };
      const withReporter = await project.test();
      expect(withReporter).toExit(1);
      expectRefusal(withReporter);
      project.write(plain);
      const listed = await project.test();
      expect(listed).toExit(1);
      expectRefusal(listed);
      expect(listed.output.split(message)).toHaveLength(2);
      const affected = await project.proofsheet(['affected']);
      expect(affected).toExit(2);
      expectRefusal(affected);
      project.write({
        'visual.spec.ts':
          "import { expect, test } from 'proofsheet';\ntest('own', async ({ page }) => { await expect(page).toMatchBaseline('a'); });\n",
      });
      const matched = await project.test();
      expect(matched).toExit(1);
      expectRefusal(matched);
      project.write({ 'visual.spec.ts': "import { test } from '@playwright/test';\ntest('own', () => {});\n" });
      expect(await project.test(['--reporter=blob'])).toExit(0);
      writeList(project, site, ['a']);
      const merged = await project.playwright(['merge-reports', '--config=playwright.config.ts', 'blob-report']);
      expectRefusal(merged);
      expect(merged).toExit(2);
    });
  });
}
