import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { initProject } from '../../../src/commands/init.js';
import { readPlan } from '../../../src/list/read-list.js';
import { makeTempFolder, writeFiles } from '../temp-folder.js';

type Files = Record<string, string>;

/** The folder of the project, in a repository. */
let site = '';
beforeEach(() => {
  site = join(makeTempFolder(), 'packages/site');
  write({ 'package.json': '{}' });
});

const write = (files: Files) => writeFiles(site, files);

const read = (name: string) => readFileSync(join(site, name), 'utf8');

async function init(flags: Partial<Parameters<typeof initProject>[1]> = {}) {
  const origin = { sitemap: null, from: null, storybook: null, allowCode: false };
  const done = await initProject(site, { ...origin, lfs: false, ...flags });
  const kept = done.kept.map(({ path, isComplete }) => `${path}: ${isComplete ? 'complete' : 'incomplete'}`);
  return { ...done, kept, advice: done.kept[0]?.advice };
}

const config = (text: string): Files => ({ 'playwright.config.ts': `export default { ${text} };` });
const script = (flags: string) => ({ 'package.json': `{ "scripts": { "e2e": "playwright test ${flags}" } }` });
const SCHEMA = 'node_modules/proofsheet/pages.schema.json';

test.each<[Files, list: string, schema: string]>([
  [{}, 'pages.yaml', SCHEMA],
  [config("testDir: './tests'"), 'tests/pages.yaml', SCHEMA],
  [config('testDir: "e2e/visual/"'), 'e2e/visual/pages.yaml', SCHEMA],
  [config("testDir: '../e2e'"), '../e2e/pages.yaml', `../../${SCHEMA}`],
  [config("testDir: path.join(__dirname, 'x')"), 'pages.yaml', SCHEMA],
])('the schema of a list is found from the list: %j writes %s, with %s', async (files, list, schema) => {
  write({ ...files, [schema]: '{}' });
  expect((await init()).written[0]).toBe(list);
  const [, path = ''] = /^# yaml-language-server: \$schema=(\.\S+)\n/.exec(read(list)) ?? [];
  expect(relative(site, resolve(site, dirname(list), path))).toBe(schema);
});

test('an import says how many pages it has, what was not imported, and whether a baseURL is missing', async () => {
  const scenario = { url: '/a', misMatchThreshold: 1, readyEvent: 'go' };
  const scenarios = [
    { label: 'a', ...scenario },
    { label: 'b', ...scenario, madeUp: 1 },
  ];
  write({ 'backstop.json': JSON.stringify({ engine: 'playwright', scenarios }) });
  const from = join(site, 'backstop.json');
  const { imported } = await init({ from });
  expect(imported).toEqual({
    pages: 2,
    needsBaseURL: true,
    notes: [
      { note: 'engine: set the browser in projects of the Playwright config', pages: null },
      { note: expect.stringContaining('BackstopJS ignores color differences'), pages: null },
      { note: expect.stringContaining('readyEvent: '), pages: 2 },
      { note: 'madeUp: no equivalent in proofsheet', pages: 1 },
    ],
  });
  // As Git checks it out on Windows.
  write({ 'pages.yaml': read('pages.yaml').replaceAll('\n', '\r\n') });
  expect((await init({ from })).kept[0]).toBe('pages.yaml: complete');
  write({ 'pages.yaml': 'pages: [/mine]\n', ...config('use: { baseURL: "http://a.test" }') });
  expect(await init({ from })).toMatchObject({
    ...{ imported: { needsBaseURL: false }, kept: expect.arrayContaining(['pages.yaml: incomplete']) },
  });
});

test('a Storybook becomes a list of its stories, with its path from the list', async () => {
  const index = readFileSync(join(import.meta.dirname, '../../../fixtures/lists/storybook/index.json'), 'utf8');
  write({ ...config("testDir: './tests'"), 'out/sb/index.json': index, 'out/sb/iframe.html': '' });
  const { imported, source } = await init({ storybook: 'out/sb' });
  expect([imported, source]).toEqual([{ pages: 7, needsBaseURL: false, notes: [] }, 'the Storybook out/sb']);
  expect(read('tests/pages.yaml').split('\n').slice(1)).toEqual(['stories: ../out/sb', '']);
  expect(readPlan(join(site, 'tests/pages.yaml'), { env: {}, devices: [] }).shots).toHaveLength(7);
});

test('files that exist are complete after a first call, even if the user changed the list, or else incomplete', async () => {
  const files = ['pages.yaml', 'visual.spec.ts', 'playwright.config.ts', '.gitattributes'];
  expect(await init({ lfs: true })).toMatchObject({ written: files, kept: [] });
  write({ 'pages.yaml': 'pages: [/mine]\n' });
  expect(await init({ lfs: true })).toMatchObject({ written: [], kept: files.map((path) => `${path}: complete`) });
  expect(read('pages.yaml')).toBe('pages: [/mine]\n');
  write(Object.fromEntries(files.slice(1).map((name) => [name, '# mine\n'])));
  const kept = files.map((path) => `${path}: ${path === 'pages.yaml' ? 'complete' : 'incomplete'}`);
  expect((await init({ lfs: true })).kept).toEqual(kept);
});

describe('a project', () => {
  test.each<[Files, port: number | null]>([
    [{}, 3000],
    [config('use: { baseURL }'), null],
    [config("\n    // baseURL: 'http://localhost:3000',\n"), 3000],
    [config("\n    /* baseURL: 'http://localhost:3000', */\n"), 3000],
    [{ 'package.json': '{ "devDependencies": { "vite": "^8" } }' }, 5173],
    [{ 'vite.config.mjs': 'export default { server: { proxy: { "/api": {} }, port: 8080 } };' }, 8080],
    [{ 'vite.config.js': 'export default {\n  // server: { port: 1 },\n  preview: { port: 4000 } };' }, 4000],
    [{ 'vite.config.ts': 'export default { server: { port: Number(process.env.PORT) } };' }, 5173],
  ])('with %j gets a list with the port %s', async (files, port) => {
    write(files);
    await init();
    const [, line = ''] = read('pages.yaml').split('\n');
    expect(line).toBe(port === null ? 'defaults:' : `baseURL: \${SITE:-http://localhost:${port}}`);
  });

  const VITEST = '{ "devDependencies": { "vitest": "^4" } }';

  test.each<[Files, spec: string]>([
    [{}, 'visual.spec.ts'],
    [{ 'package.json': VITEST }, 'visual.pw.ts'],
    [{ 'package.json': '{ "jest": {} }' }, 'visual.pw.ts'],
    [{ 'vitest.config.mts': '' }, 'visual.pw.ts'],
    [{ '../../package.json': VITEST, '../../pnpm-workspace.yaml': '' }, 'visual.pw.ts'],
    [{ '../../package.json': VITEST }, 'visual.spec.ts'],
    [{ 'vitest.config.ts': '', 'visual.spec.ts': "definePages('pages.yaml');" }, 'visual.spec.ts'],
    [config("testMatch: '**/*.e2e.ts'"), 'visual.e2e.ts'],
    [config("testMatch: ['e2e/*.pw.ts']"), 'visual.pw.ts'],
    [config("projects: [{ testMatch: '**/*.setup.ts' }, { testMatch: '*.e2e.ts' }]"), 'visual.e2e.ts'],
    [config('projects: [{ testMatch: /.*\\.setup\\.ts/ }]'), 'visual.spec.ts'],
  ])('with %j gets the spec %s, which its config matches', async (files, spec) => {
    write(files);
    const { written, kept } = await init();
    expect([...written, ...kept]).toEqual(expect.arrayContaining([expect.stringContaining(spec)]));
    if (written.includes('playwright.config.ts'))
      expect(read('playwright.config.ts')).toContain(`testMatch: '${spec}'`);
  });

  test('whose testMatch may not match the spec is told so', async () => {
    write(config('projects: [{ testMatch: /.*\\.setup\\.ts/ }]'));
    expect((await init()).advice).toContain(
      "contains ['proofsheet/reporter'], and that its testMatch takes visual.spec.ts",
    );
  });

  test.each<[string, Files, config: string, tests: string]>([
    ['a folder for tests', { 'e2e/playwright.config.mts': '' }, 'e2e/playwright.config.mts', 'e2e/'],
    ['two levels below', { 'a/b/playwright.config.js': 'testDir: "t"' }, 'a/b/playwright.config.js', 'a/b/t/'],
    ['a script', { ...script('--ui -c qa/pw.ts'), 'qa/pw.ts': '' }, 'qa/pw.ts', 'qa/'],
    [
      'a folder of a script',
      { ...script('--config=q'), 'q/playwright.config.cts': '' },
      'q/playwright.config.cts',
      'q/',
    ],
    ['a repository', { '../../.git/HEAD': '', '../../playwright.config.ts': '' }, '../../playwright.config.ts', ''],
  ])('with a config in %s gets no other', async (_, files, path, tests) => {
    write(files);
    expect(await init()).toMatchObject({ config: path, written: [`${tests}pages.yaml`, `${tests}visual.spec.ts`] });
    expect(existsSync(join(site, 'playwright.config.ts'))).toBe(false);
  });

  test.each([
    ['of another package', ['web/package.json', 'web/playwright.config.ts']],
    ['of several folders', ['a/playwright.config.ts', 'b/playwright.config.ts']],
  ])('with only configs %s is asked to choose one', async (_, names) => {
    write(Object.fromEntries(names.map((name) => [name, '{}'])));
    const configs = names.filter((name) => name.endsWith('.ts')).join(', ');
    await expect(init()).rejects.toThrow(
      `${site}: other folders have a Playwright config: ${configs}. Run it in the folder of one of them, or write a playwright.config.ts here first.`,
    );
    expect(existsSync(join(site, 'pages.yaml'))).toBe(false);
    write({ 'playwright.config.ts': '' });
    expect((await init()).written).toContain('pages.yaml');
  });

  test('with an unrelated config above it, outside of a repository, gets its own', async () => {
    write({ '../../playwright.config.ts': '' });
    expect((await init()).written).toContain('playwright.config.ts');
  });

  const OUTPUT = ['proofsheet-report/', 'test-results/'];

  test.each<[string, Files, ignored: string[] | null, added: string | null]>([
    ['no repository', {}, null, null],
    ['a repository', { '.git/HEAD': '' }, OUTPUT, 'proofsheet-report/\ntest-results/\n'],
    ['no line break at its end', { '.gitignore': 'dist' }, OUTPUT, '\nproofsheet-report/\ntest-results/\n'],
    ['the lines of Windows', { '.gitignore': '/test-results/\r\n' }, ['proofsheet-report/'], 'proofsheet-report/\r\n'],
    ['all lines', { '.gitignore': '**/test-results\nproofsheet-report/**\n' }, [], ''],
    ['all lines above', { '../../.git/HEAD': '', '../../.gitignore': OUTPUT.join('\n') }, [], null],
  ])('with %s in .gitignore gets what it lacks', async (_, files, ignored, added) => {
    write(files);
    expect((await init()).ignored).toEqual(ignored);
    const text = existsSync(join(site, '.gitignore')) ? read('.gitignore') : null;
    expect(text).toBe(added === null ? null : (files['.gitignore'] ?? '') + added);
    expect((await init()).ignored).toEqual(ignored && []);
  });
});
