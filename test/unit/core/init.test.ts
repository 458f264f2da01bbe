import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initProject } from '../../../src/core/setup/init.js';
import { readPlan } from '../../../src/page-list/read-list.js';

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
  const { written } = await initProject({ folder, ...NO_DIFFERENCE });
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
  const { imported } = await initProject({ folder: root, ...NO_DIFFERENCE, from });
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
    const { imported, source } = await initProject({ folder: root, ...NO_DIFFERENCE, storybook: 'out/sb' });
    expect({ imported, source }).toEqual({
      imported: { pages: 7, needsBaseURL: false, notes: [] },
      source: 'the Storybook out/sb',
    });
    const file = join(root, 'tests/pages.yaml');
    expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
      'defaults:',
      '  fullSize: true',
      'stories: ../out/sb',
      '',
    ]);
    expect(readPlan(file, { env: {}, devices: [] }).shots).toHaveLength(7);
  });

  test.each([
    ['nothing', {}, 'does not exist'],
    ['no index', { 'sb/iframe.html': '' }, 'has no index.json, so it is not a built Storybook'],
    [
      'no story to capture',
      {
        'sb/iframe.html': '',
        'sb/index.json':
          '{"v":5,"entries":{"a--b":{"id":"a--b","title":"A","name":"B","type":"story","tags":["dev"]}}}',
      },
      'has no story with the tag "test"',
    ],
  ])('that is not one writes nothing: %s', async (_, files, found) => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    const storybook = join(root, 'sb');
    await expect(initProject({ folder: root, ...NO_DIFFERENCE, storybook })).rejects.toThrow(
      `${storybook}: the folder ${found}. `,
    );
    expect(existsSync(join(root, 'pages.yaml'))).toBe(false);
  });
});

describe('files that exist', () => {
  const OWN_LIST = 'pages: [/mine]\n';
  const stateOf = async (changes = {}) => {
    const { written, kept } = await initProject({ folder: root, ...NO_DIFFERENCE, ...changes });
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
    write('pages.yaml', OWN_LIST);
    expect((await stateOf({ from })).kept[0]).toBe('pages.yaml: incomplete');
  });
});
