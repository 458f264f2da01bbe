import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initProject } from '../../../src/commands/init.js';
import { readPlan } from '../../../src/list/read-list.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofsheet-init-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const NO_DIFFERENCE = { sitemap: null, from: null, storybook: null, allowCode: false, lfs: false };

test.each([
  [null, 'pages.yaml', 'node_modules'],
  ["testDir: './tests'", 'tests/pages.yaml', 'node_modules'],
  ['testDir: "e2e/visual/"', 'e2e/visual/pages.yaml', 'node_modules'],
  ["testDir: '.'", 'pages.yaml', 'node_modules'],
  ["testDir: '../e2e'", '../e2e/pages.yaml', 'node_modules'],
  ["testDir: './tests'", 'tests/pages.yaml', '../../node_modules'],
  ["testDir: path.join(__dirname, 'x')", 'pages.yaml', 'node_modules'],
])('the schema of a list is found from the list: %s writes %s, installed in %s', async (testDir, list, modules) => {
  const folder = join(root, 'packages', 'site');
  write('packages/site/package.json', '{}');
  write(join('packages/site', modules, 'proofsheet/pages.schema.json'), '{}');
  if (testDir !== null) write('packages/site/playwright.config.ts', `export default { ${testDir} };`);
  const { written } = await initProject(folder, NO_DIFFERENCE);
  expect(written[0]).toBe(list);
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=(\.\S+)\n/.exec(readFileSync(join(folder, list), 'utf8')) ?? [];
  expect(existsSync(resolve(folder, dirname(list), schema)), schema).toBe(true);
});

test('an import says how many pages it has, what was not imported, and whether a baseURL is missing', async () => {
  const from = join(root, 'backstop.json');
  const scenario = { url: '/a', misMatchThreshold: 1, readyEvent: 'go' };
  const scenarios = [
    { label: 'a', ...scenario },
    { label: 'b', ...scenario, madeUp: 1 },
  ];
  write('backstop.json', JSON.stringify({ engine: 'playwright', scenarios }));
  const { imported } = await initProject(root, { ...NO_DIFFERENCE, from });
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
});

describe('a Storybook', () => {
  const INDEX = join(import.meta.dirname, '../../../fixtures/lists/storybook/index.json');

  test('becomes a list of its stories, with its path from the list', async () => {
    write('playwright.config.ts', "export default { testDir: './tests' };");
    write('out/sb/index.json', readFileSync(INDEX, 'utf8'));
    write('out/sb/iframe.html', '');
    const { imported, source } = await initProject(root, { ...NO_DIFFERENCE, storybook: 'out/sb' });
    expect({ imported, source }).toEqual({
      imported: { pages: 7, needsBaseURL: false, notes: [] },
      source: 'the Storybook out/sb',
    });
    const file = join(root, 'tests/pages.yaml');
    expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual(['stories: ../out/sb', '']);
    expect(readPlan(file, { env: {}, devices: [] }).shots).toHaveLength(7);
  });

  test('that has no story to capture writes nothing', async () => {
    write('sb/iframe.html', '');
    const story = { id: 'a--b', title: 'A', name: 'B', type: 'story', tags: ['dev'] };
    write('sb/index.json', JSON.stringify({ v: 5, entries: { 'a--b': story } }));
    const storybook = join(root, 'sb');
    await expect(initProject(root, { ...NO_DIFFERENCE, storybook })).rejects.toThrow(
      `${storybook}: the folder has no story with the tag "test". `,
    );
    expect(existsSync(join(root, 'pages.yaml'))).toBe(false);
  });
});

describe('files that exist', () => {
  const OWN_LIST = 'pages: [/mine]\n';
  const stateOf = async (changes = {}) => {
    const { written, kept } = await initProject(root, { ...NO_DIFFERENCE, ...changes });
    return { written, kept: kept.map(({ path, isComplete }) => `${path}: ${isComplete ? 'complete' : 'incomplete'}`) };
  };

  test('are complete after a first call, even if the user changed the list', async () => {
    const files = ['pages.yaml', 'visual.spec.ts', 'playwright.config.ts', '.gitattributes'];
    expect(await stateOf({ lfs: true })).toEqual({ written: files, kept: [] });
    write('pages.yaml', OWN_LIST);
    expect(await stateOf({ lfs: true })).toEqual({ written: [], kept: files.map((path) => `${path}: complete`) });
    expect(readFileSync(join(root, 'pages.yaml'), 'utf8')).toBe(OWN_LIST);
  });

  test('are incomplete without what proofsheet needs', async () => {
    for (const name of ['visual.spec.ts', 'playwright.config.ts', '.gitattributes']) write(name, '# mine\n');
    expect(await stateOf({ lfs: true })).toEqual({
      written: ['pages.yaml'],
      kept: ['visual.spec.ts: incomplete', 'playwright.config.ts: incomplete', '.gitattributes: incomplete'],
    });
  });

  test('include a list that another import wrote', async () => {
    write(
      'backstop.json',
      JSON.stringify({ engine: 'playwright', scenarios: [{ label: 'a', url: 'http://a.test/' }] }),
    );
    const from = join(root, 'backstop.json');
    await stateOf({ from });
    expect((await stateOf({ from })).kept[0]).toBe('pages.yaml: complete');
    // As Git checks it out on Windows.
    write('pages.yaml', readFileSync(join(root, 'pages.yaml'), 'utf8').replaceAll('\n', '\r\n'));
    expect((await stateOf({ from })).kept[0]).toBe('pages.yaml: complete');
    write('pages.yaml', OWN_LIST);
    expect((await stateOf({ from })).kept[0]).toBe('pages.yaml: incomplete');
  });
});

describe('a project that already has', () => {
  const init = (folder = root) => initProject(folder, NO_DIFFERENCE);
  const read = (name: string) => readFileSync(join(root, name), 'utf8');

  test.each([
    ['use: { baseURL: "http://a.test" }', null],
    ['use: { baseURL }', null],
    ["\n    // baseURL: 'http://localhost:3000',\n", 3000],
    ["\n    /* baseURL: 'http://localhost:3000', */\n", 3000],
  ])('a config with %s gets a list with the port %s', async (text, port) => {
    write('playwright.config.ts', `export default { testMatch: '**/*.spec.ts', ${text} };`);
    await init();
    const [, line = ''] = read('pages.yaml').split('\n');
    expect(line).toBe(port === null ? 'defaults:' : `baseURL: \${SITE:-http://localhost:${port}}`);
  });

  test('a baseURL in its config is not asked for it after an import', async () => {
    write('playwright.config.ts', 'export default { use: { baseURL: "http://a.test" } };');
    write('lostpixel.json', '{"pageShots":{"pages":[{"path":"/","name":"a"}]}}');
    const { imported } = await initProject(root, { ...NO_DIFFERENCE, from: join(root, 'lostpixel.json') });
    expect(imported?.needsBaseURL).toBe(false);
  });

  test.each([
    [{}, 3000],
    [{ 'vitest.config.ts': 'export default {};' }, 3000],
    [{ 'package.json': '{ "devDependencies": { "vite": "^8" } }' }, 5173],
    [{ 'vite.config.ts': 'export default defineConfig({ plugins: [react()] });' }, 5173],
    [{ 'vite.config.mjs': 'export default { server: { proxy: { "/api": {} }, port: 8080 } };' }, 8080],
    [{ 'vite.config.js': 'export default {\n  // server: { port: 1 },\n  preview: { port: 4000 } };' }, 4000],
    [{ 'vite.config.ts': 'export default { server: { port: Number(process.env.PORT) } };' }, 5173],
  ])('a site of %j is expected at port %d', async (files: Record<string, string>, port) => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    await init();
    expect(read('pages.yaml')).toContain(`baseURL: \${SITE:-http://localhost:${port}}\n`);
  });

  const VITEST = '{ "devDependencies": { "vitest": "^4" } }';

  test.each([
    [{}, 'visual.spec.ts'],
    [{ 'package.json': VITEST }, 'visual.pw.ts'],
    [{ 'package.json': '{ "jest": {} }' }, 'visual.pw.ts'],
    [{ 'vitest.config.mts': '' }, 'visual.pw.ts'],
    [{ '../../package.json': VITEST, '../../pnpm-workspace.yaml': '' }, 'visual.pw.ts'],
    [{ '../../package.json': VITEST }, 'visual.spec.ts'],
    [{ 'vitest.config.ts': '', 'visual.spec.ts': "definePages('pages.yaml');" }, 'visual.spec.ts'],
  ])('the runner of %j gets the spec %s, which the config matches', async (files: Record<string, string>, spec) => {
    const folder = join(root, 'packages/site');
    write('packages/site/package.json', '{}');
    for (const [name, text] of Object.entries(files)) write(join('packages/site', name), text);
    const { written, kept } = await init(folder);
    expect([...written, ...kept.map(({ path }) => path)]).toContain(spec);
    expect(read('packages/site/playwright.config.ts')).toContain(`  testMatch: '${spec}',\n`);
  });

  test.each([
    ["testMatch: '**/*.e2e.ts'", 'visual.e2e.ts', ''],
    ["testMatch: ['e2e/*.pw.ts']", 'visual.pw.ts', ''],
    ["projects: [{ testMatch: '**/*.setup.ts' }, { testMatch: '*.e2e.ts' }]", 'visual.e2e.ts', ''],
    ['projects: [{ testMatch: /.*\\.setup\\.ts/ }]', 'visual.spec.ts', ', and that its testMatch takes visual.spec.ts'],
  ])('a config with %s gets a spec that it matches', async (text, spec, advice) => {
    write('playwright.config.ts', `export default { ${text} };`);
    const { written, kept } = await init();
    expect(written).toEqual(['pages.yaml', spec]);
    expect(kept[0]?.advice).toBe(`make sure that its reporter list contains ['proofsheet/reporter']${advice}`);
  });

  const script = (flags: string) => ({ 'package.json': `{ "scripts": { "e2e": "playwright test ${flags}" } }` });

  test.each([
    ['a folder for tests', { 'e2e/playwright.config.mts': '' }, 'e2e/playwright.config.mts', 'e2e/'],
    [
      'a folder two levels below',
      { 'tests/e2e/playwright.config.js': 'export default { testDir: "specs" };' },
      'tests/e2e/playwright.config.js',
      'tests/e2e/specs/',
    ],
    ['a script', { ...script('--ui -c qa/pw.ts'), 'qa/pw.ts': '' }, 'qa/pw.ts', 'qa/'],
    [
      'a script that names a folder',
      { ...script('--config=qa'), 'qa/playwright.config.cts': '' },
      'qa/playwright.config.cts',
      'qa/',
    ],
    ['a repository', { '../../.git/HEAD': '', '../../playwright.config.ts': '' }, '../../playwright.config.ts', ''],
    [
      'a repository, with a folder for tests',
      { '../../.git/HEAD': '', '../../playwright.config.ts': "export default { testDir: 'e2e' };" },
      '../../playwright.config.ts',
      '../../e2e/',
    ],
  ])('a config in %s gets no other', async (_, files: Record<string, string>, config, tests) => {
    const folder = join(root, 'packages/site');
    write('packages/site/package.json', '{}');
    for (const [name, text] of Object.entries(files)) write(join('packages/site', name), text);
    const answer = await init(folder);
    expect(answer).toMatchObject({ config, written: [`${tests}pages.yaml`, `${tests}visual.spec.ts`] });
    expect(existsSync(join(folder, 'playwright.config.ts'))).toBe(false);
  });

  test.each([
    ['of another package', ['packages/web/package.json', 'packages/web/playwright.config.ts']],
    ['of several folders', ['a/playwright.config.ts', 'b/playwright.config.ts']],
  ])('only configs %s is asked to choose one', async (_, names) => {
    for (const name of names) write(name, '{}');
    const configs = names.filter((name) => name.endsWith('.ts')).join(', ');
    await expect(init()).rejects.toThrow(
      `${root}: other folders have a Playwright config: ${configs}. Run it in the folder of one of them, or write a playwright.config.ts here first.`,
    );
    expect(existsSync(join(root, 'pages.yaml'))).toBe(false);
    write('playwright.config.ts', '');
    expect((await init()).written).toContain('pages.yaml');
  });

  test('an unrelated config above it, outside of a repository, gets its own', async () => {
    write('playwright.config.ts', '');
    write('site/package.json', '{}');
    expect((await init(join(root, 'site'))).written).toContain('playwright.config.ts');
  });

  const OUTPUT = ['proofsheet-report/', 'test-results/'];

  test.each<[string, Record<string, string>, string[] | null, string | null]>([
    ['no repository', {}, null, null],
    ['a repository', { '.git/HEAD': '' }, OUTPUT, 'proofsheet-report/\ntest-results/\n'],
    [
      'a file without a line break at its end',
      { '.gitignore': 'dist' },
      OUTPUT,
      '\nproofsheet-report/\ntest-results/\n',
    ],
    [
      'a file of Windows',
      { '.gitignore': 'dist\r\n/test-results/\r\n' },
      ['proofsheet-report/'],
      'proofsheet-report/\r\n',
    ],
    ['all lines', { '.gitignore': '**/test-results\nproofsheet-report/**\n' }, [], ''],
  ])('%s in .gitignore gets what it lacks', async (_, files, ignored, added) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    expect((await init()).ignored).toEqual(ignored);
    const text = existsSync(join(root, '.gitignore')) ? read('.gitignore') : null;
    expect(text).toBe(added === null ? null : (files['.gitignore'] ?? '') + added);
    expect((await init()).ignored).toEqual(ignored === null ? null : []);
  });

  test('the lines in the .gitignore of its repository gets no second file', async () => {
    write('.git/HEAD', '');
    write('.gitignore', 'test-results/\nproofsheet-report/\n');
    write('site/package.json', '{}');
    expect((await init(join(root, 'site'))).ignored).toEqual([]);
    expect(existsSync(join(root, 'site/.gitignore'))).toBe(false);
  });
});
