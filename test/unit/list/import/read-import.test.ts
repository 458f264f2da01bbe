import { describe, expect, test } from 'vitest';
import { readImport } from '../../../../src/list/import/read-import.js';
import { imported, specimen, written } from './imported-file.js';

// The lists and their comments are beside the files of the other tools.
test.each([
  [
    'backstop.json',
    ['BackstopJS', 'Home / start/phone', 'Home / start/desktop', 'Product/tablet/document'],
    [
      ...['Product/tablet/gallery-a', 'Product/tablet/gallery-a-2', 'Product-2/phone', 'Product-2/desktop'],
      'Cards/Desktop-1920x1080',
    ],
  ],
  ['percy.yml', ['Percy', 'plain.html/375', 'plain.html/1280', 'Shop/768x900', 'Shop/1280x900'], []],
  ['lostpixel.config.js', ['Lost Pixel', 'landing/640', 'landing/1280', 'app/640', 'app/1280', 'docs/640'], []],
  ['shots.yml', ['shot-scraper', 'home', 'Chart', 'about', 'old'], []],
])('%s becomes a list that is right, with comments about what it cannot have', async (name, first, more) => {
  const { tool, text, plan } = await imported(specimen(name));
  await expect(text).toMatchFileSnapshot(specimen(`${name}.pages.yaml`));
  expect(text).not.toContain('hunter2');
  expect([tool, ...plan.shots.map(({ id }) => id)]).toEqual([...first, ...more]);
});

test('a Percy list may be a bare list of URLs', async () => {
  const { tool, plan } = await imported(written('urls.yml', '- https://a.test/x\n- https://a.test/y\n'));
  expect([tool, plan.shots.length]).toEqual(['Percy', 4]);
});

test('a page of Lost Pixel without widths has the size that it has there', async () => {
  const pages = [
    { path: '/', name: 'a' },
    { path: '/b', name: 'b', breakpoints: [320] },
    { path: '/c', name: 'c', viewport: { width: 900 } },
  ];
  const { plan } = await imported({ pageShots: { baseUrl: 'https://a.test', pages } });
  expect(plan.shots.map(({ id }) => id)).toEqual(['a/1280x720', 'b/320', 'c/900x720']);
});

describe('a file that is no list of these', () => {
  test.each([
    ['nope.json', null, 'the file does not exist'],
    ['a.json', '{"a":1}', 'the file is not a list of BackstopJS, Percy, Lost Pixel or shot-scraper'],
    ['b.json', '{', 'the file cannot be read'],
    ['d.json', '{"scenarios":[]}', 'the BackstopJS list has no pages'],
    ['e.yml', '- [*a]', 'the file cannot be read'],
    ['f.yml', 'scenarios: &a\n  - url: /\n    label: *a\n', 'the file cannot be read (Converting circular'],
  ])('is refused by name: %s', async (name, text, found) => {
    const path = text === null ? name : written(name, text);
    await expect(readImport(path, { allowCode: false })).rejects.toThrow(found);
  });

  test('with keys of prototypes is data like any other', async () => {
    const scenario = '{"label":"a","url":"/","__proto__":{"polluted":1},"toString":"x"}';
    const viewport = '{"label":"__proto__","width":400,"height":400}';
    const text = `{"__proto__":{"polluted":1},"viewports":[${viewport}],"scenarios":[${scenario}, null, {"label":{}}]}`;
    const { list } = await readImport(written('proto.json', text), { allowCode: false });
    expect(Reflect.get({}, 'polluted')).toBe(undefined);
    expect(list.pages[0]?.notes).toContain('toString: no equivalent in proofsheet');
    expect(Object.keys(list.viewports)).toEqual(['__proto__']);
  });
});

describe('a config that is code', { tags: ['slow'], timeout: 60_000 }, () => {
  const run = (name: string, text: string) => readImport(written(name, text), { allowCode: true });

  test('is refused unless it is allowed to run', async () => {
    const refused = readImport(written('backstop.cjs', 'module.exports = {};'), { allowCode: false });
    await expect(refused).rejects.toThrow(
      /backstop\.cjs: the file is code, and --allow-code is not set\. Add --allow-code/,
    );
  });

  test.each([
    [
      'lostpixel.config.ts',
      `import { CustomProjectConfig } from 'lost-pixel';
import { PAGES } from './lost-pages';
export const config: CustomProjectConfig = { pageShots: { baseUrl: 'https://a.test', pages: PAGES }, beforeScreenshot: async () => {} };`,
      'Lost Pixel',
    ],
    [
      'lostpixel.config.mjs',
      `export default { pageShots: { baseUrl: 'x', pages: [{ path: '/', name: 'a' }] } };`,
      'Lost Pixel',
    ],
    ['snapshots.js', `export default async () => [{ url: 'https://a.test/', execute() {} }];`, 'Percy'],
    ['snapshots.cjs', `module.exports = () => ['https://a.test/'];`, 'Percy'],
  ])('may be %s', async (name, text, tool) => {
    written('lost-pages.ts', `export const PAGES: { path: string; name: string }[] = [{ path: '/', name: 'a' }];`);
    const made = await run(name, text);
    expect([made.tool, made.list.pages.length]).toEqual([tool, 1]);
    const notes = [...made.list.notes, ...made.list.pages.flatMap((page) => page.notes)].join('\n');
    if (text.includes('beforeScreenshot')) expect(notes).toContain('beforeScreenshot: no equivalent in proofsheet');
    if (text.includes('execute')) expect(notes).toContain('execute: copy functions to javascriptCode');
  });

  test.each([
    ['throws', `throw new Error('no token');`, 'the config cannot be run (no token)'],
    ['ends its process', 'process.exit(3);', 'the config cannot be run (the process ended early'],
    ['exports a circle', 'const a = []; a.push(a); module.exports = a;', 'cannot be converted to JSON'],
  ])('that %s is refused with the reason', async (_, text, found) => {
    await expect(run('bad.cjs', text)).rejects.toThrow(found);
  });
});
