import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { initProject } from '../../../src/commands/init.js';
import { readPlan } from '../../../src/list/read-list.js';
import { makeTempFolder, writeFiles } from '../temp-folder.js';
import { runCommand } from './run-command.js';

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

const config = { 'playwright.config.ts': 'export default {};' };
const SCHEMA = 'node_modules/proofsheet/pages.schema.json';

test.each([SCHEMA, `../../${SCHEMA}`])('the schema of a list is found from the list: %s', async (schema) => {
  write({ [schema]: '{}' });
  await init();
  const [, path = ''] = /^# yaml-language-server: \$schema=(\.\S+)\n/.exec(read('pages.yaml')) ?? [];
  expect(relative(site, resolve(site, path))).toBe(schema);
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
  write({ 'pages.yaml': 'pages: [/mine]\n' });
  expect((await init({ from })).kept[0]).toBe('pages.yaml: incomplete');
});

test('the command prints what it wrote, what it kept and what was not imported, and fails if there is more to do', async () => {
  const scenario = { label: 'Start', url: 'http://127.0.0.1/', readyEvent: 'go' };
  write({ ...config, 'backstop.json': JSON.stringify({ scenarios: [scenario] }) });
  const { code, stdout } = await runCommand(site, ['init', '--from', 'backstop.json']);
  expect(code).toBe(0);
  expect(stdout).toContain('wrote pages.yaml (1 page from the BackstopJS list backstop.json)\n');
  expect(stdout).toContain("playwright.config.ts already exists: add ['proofsheet/reporter'] to its");
  expect(stdout).toContain('\nNot imported, or imported with a different meaning (see the comments in pages.yaml):\n');
  expect(stdout).toContain('\n  readyEvent: use waitFor instead (1 page)\n');
  expect(stdout).toContain('\nNext:\n  npx playwright test --update-snapshots ');
  const again = await runCommand(site, ['init']);
  expect(again.code).toBe(2);
  expect(again.stdout).toContain('pages.yaml already exists: nothing to do\n');
});

test('a Storybook becomes a list of its stories, with its path from the list', async () => {
  const index = readFileSync(join(import.meta.dirname, '../../../fixtures/lists/storybook/index.json'), 'utf8');
  write({ 'out/sb/index.json': index, 'out/sb/iframe.html': '' });
  const { imported, source } = await init({ storybook: 'out/sb' });
  expect([imported, source]).toEqual([{ pages: 7, needsBaseURL: false, notes: [] }, 'the Storybook out/sb']);
  expect(read('pages.yaml').split('\n').slice(1)).toEqual(['stories: ./out/sb', '']);
  expect(readPlan(join(site, 'pages.yaml'), { env: {}, devices: [] }).shots).toHaveLength(7);
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
  test.each<[Files, line: string]>([
    [{}, `baseURL: \${SITE:-http://localhost:3000}`],
    [{ 'package.json': '{ "devDependencies": { "vite": "^8" } }' }, `baseURL: \${SITE:-http://localhost:5173}`],
    [config, `# baseURL: \${SITE:-http://localhost:3000}`],
  ])('with %j gets a list with the line %s', async (files, line) => {
    write(files);
    await init();
    expect(read('pages.yaml').split('\n')[1]).toBe(line);
  });

  const VITEST = '{ "devDependencies": { "vitest": "^4" } }';

  test.each<[Files, spec: string]>([
    [{}, 'visual.spec.ts'],
    [{ 'package.json': VITEST }, 'visual.pw.ts'],
    [{ 'package.json': '{ "dependencies": { "jest": "30" } }' }, 'visual.pw.ts'],
    [{ 'package.json': '{ damaged' }, 'visual.spec.ts'],
    [{ '../../package.json': VITEST, '../../pnpm-workspace.yaml': '' }, 'visual.pw.ts'],
    [{ '../../package.json': VITEST }, 'visual.spec.ts'],
    [{ 'package.json': VITEST, 'visual.spec.ts': "definePages('pages.yaml');" }, 'visual.spec.ts'],
    [{ 'package.json': VITEST, ...config }, 'visual.spec.ts'],
  ])('with %j gets the spec %s, which its config matches', async (files, spec) => {
    write(files);
    const { written, kept } = await init();
    expect([...written, ...kept]).toEqual(expect.arrayContaining([expect.stringContaining(spec)]));
    if (written.includes('playwright.config.ts'))
      expect(read('playwright.config.ts')).toContain(`testMatch: '${spec}'`);
  });

  test('with a config keeps it, and is told what to add', async () => {
    write(config);
    const { written, advice } = await init();
    expect(written).toEqual(['pages.yaml', 'visual.spec.ts']);
    expect(advice).toBe(
      "add ['proofsheet/reporter'] to its reporter list; if its testDir is another folder, move pages.yaml and visual.spec.ts there; if it has a testMatch, name the spec so that it matches",
    );
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
