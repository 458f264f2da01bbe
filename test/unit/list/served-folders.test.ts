import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/list/read-list.js';
import { resolveShot } from '../../../src/list/resolve/resolve-shot.js';
import type { Plan, Shot } from '../../../src/model/shot.js';
import { type Files, writeFiles } from '../temp-folder.js';
import { DEVICES, refusalOf, writeList } from './list-file.js';

/** The index of a Storybook that Storybook 10.5.10 built. */
const INDEX = readFileSync(join(import.meta.dirname, '../../../fixtures/lists/storybook/index.json'));

/** Writes a list beside a built Storybook, `sb`. Other files replace those of the Storybook. */
function writeWithStorybook(text: string, files: Files = {}): string {
  const file = writeList(text);
  writeFiles(join(dirname(file), 'sb'), { 'index.json': INDEX, ...files });
  return file;
}

function planWith(text: string, files: Files = {}): Plan {
  return readPlan(writeWithStorybook(text, files), { env: { SB: 'sb' }, devices: DEVICES });
}

function idsOf(text: string): string[] {
  return planWith(text).shots.map(({ id }) => id);
}

const USE = { baseURL: 'http://127.0.0.1:4000/', viewport: null };

function resolved(text: string): Shot {
  const [story] = planWith(text).shots;
  if (!story) throw new Error('expected a shot');
  return resolveShot(story, USE);
}

function messagesWith(text: string, files: Files = {}): string[] {
  const file = writeWithStorybook(text, files);
  const place = `${dirname(file)}/`;
  return refusalOf(file, { SB: 'sb' }).errors.map(({ message }) => message.replaceAll(place, ''));
}

function indexOf(...stories: { id: string; title: string; name: string; type?: string; tags?: string[] }[]): Files {
  const entries = stories.map((story) => [story.id, { type: 'story', tags: ['dev', 'test'], ...story }]);
  return { 'index.json': JSON.stringify({ v: 5, entries: Object.fromEntries(entries) }) };
}

const TESTED = [
  'Forms/Button/Primary',
  'Forms/Button/With icon! (forms-button--with-icon)',
  'Forms/Button/With icon? (forms-button--with-icons)',
  'Forms/Button/Clicked',
  'Forms/Button/Not In Sidebar',
  'Card/Throws',
  'Forms/Inputs/Text/Empty',
];

describe('the stories of a Storybook', () => {
  test('are pages by title and name, without documentation and stories tagged !test', () => {
    expect(idsOf('stories: ./sb\n')).toEqual(TESTED);
  });

  test('are pages after those of the list, at the iframe of the Storybook that the run serves', () => {
    const { file, shots } = planWith('baseURL: http://localhost:3000\npages: [/]\nstories: sb\n');
    expect(shots[1]?.served).toEqual({ folder: join(dirname(file), 'sb'), base: '/', fallback: null });
    const url = 'http://127.0.0.1:4000/iframe.html?id=forms-button--primary&viewMode=story';
    const listed = { id: 'forms-button--primary', viewports: [], modes: [] };
    expect(resolved('stories: sb\n')).toMatchObject({
      after: { url, servedFolder: 'sb' },
      capture: { story: listed, warnsOfErrorText: false },
    });
  });

  test('have the URL of their own baseURL', () => {
    const [shot] = planWith('stories: { folder: sb, baseURL: http://localhost:6006 }\n').shots;
    expect(shot).toMatchObject({ base: { url: 'http://localhost:6006' }, served: null });
  });

  test('are compared with the Storybook of "before"', () => {
    const { before } = resolved('before: https://storybook.example.com\nstories: sb\n');
    expect(before?.url).toBe('https://storybook.example.com/iframe.html?id=forms-button--primary&viewMode=story');
    expect(before).not.toHaveProperty('servedFolder');
  });

  test('take the defaults, viewports and states of the list, and the fields of their entry', () => {
    const { shots } = planWith(
      'viewports: { phone: { device: iPhone 15 } }\ndefaults: { fullSize: true, hide: .a }\n' +
        'stories: { folder: sb, include: Card, hide: .b, tags: [visual], states: { dark: { colorScheme: dark } } }\n',
    );
    expect(shots.map(({ id }) => id)).toEqual(['Card/Throws/phone', 'Card/Throws/phone/dark']);
    expect(shots[1]?.fields).toMatchObject({ fullSize: true, hide: ['.a', '.b'], colorScheme: 'dark' });
    expect(shots[1]?.tags).toEqual(['@visual']);
  });

  test.each([
    ['', { cropsStory: true, fullSize: true, element: null }],
    ['fullSize: true', { cropsStory: false, fullSize: true }],
    ['fullSize: false', { cropsStory: false, fullSize: false }],
    ['element: .card', { cropsStory: false, fullSize: false, element: '.card' }],
    ['format: pdf', { cropsStory: false, fullSize: false }],
  ])('are cropped, unless a field says what to capture: %s', (fields, capture) => {
    for (const list of [`defaults: { ${fields} }\nstories: sb\n`, `stories: { folder: sb, ${fields} }\n`]) {
      expect(resolved(list).capture).toMatchObject(capture);
    }
  });

  const b = { id: 'a--b', title: 'A', name: 'B', type: 'story', tags: ['test'] };
  const ofTest = { ...b, id: 'a--b:x', name: 'x', subtype: 'test', tags: ['test', 'test-fn'] };

  test.each([
    ['are all taken of Storybook 8.0, which writes no default tags', indexOf({ ...b, tags: ['autodocs'] }), ['A/B']],
    ['do not include tests of stories', indexOf(b, ofTest), ['A/B']],
    [
      'have valid names, however long the title is',
      indexOf({ ...b, title: 'A\n'.repeat(2) }, { ...b, id: 'long--c', title: 'x'.repeat(300) }),
      ['A A/B', 'long--c'],
    ],
  ])('%s', (_, index, ids) => {
    expect(planWith('stories: sb\n', index).shots.map(({ id }) => id)).toEqual(ids);
  });

  test('are part of the hash of the list, by id and name', () => {
    const hashOf = (name: string) => planWith('stories: sb\n', indexOf({ id: 'a--b', title: 'A', name })).hash;
    expect(hashOf('B')).toBe(hashOf('B'));
    expect(hashOf('B')).not.toBe(hashOf('C'));
  });
});

describe('include and exclude', () => {
  const BUTTONS = TESTED.filter((id) => id.startsWith('Forms/Button/'));
  test.each([
    ['include: Forms/Button', BUTTONS],
    ['include: Forms/*', BUTTONS],
    ['include: "{Card,Forms/Inputs/*}"', ['Card/Throws', 'Forms/Inputs/Text/Empty']],
    ['include: Forms/Button/Clicked', ['Forms/Button/Clicked']],
    [
      'include: [Card, { tag: visual }]',
      ['Forms/Button/Clicked', 'Card/Throws', 'Forms/Inputs/Text/Empty', 'Forms/Inputs/Text/Pinned'],
    ],
    ['include: { tag: "@visual" }, exclude: "**/Pinned"', ['Forms/Button/Clicked', 'Forms/Inputs/Text/Empty']],
    [
      'exclude: [{ tag: play-fn }, Card, Forms/Button/Wi*]',
      ['Forms/Button/Primary', 'Forms/Button/Not In Sidebar', 'Forms/Inputs/Text/Empty'],
    ],
  ])('%s', (filter, ids) => {
    expect(idsOf(`stories: { folder: sb, ${filter} }\n`)).toEqual(ids);
  });

  test('differ between the entries of a list', () => {
    const text =
      'stories:\n  - { folder: sb, exclude: Forms/** }\n  - { folder: sb, include: Forms/Inputs/**, delay: 1 }\n';
    const { shots } = planWith(text);
    expect(shots.map(({ id, fields, position: { line } }) => [id, fields.delay, line])).toEqual([
      ['Card/Throws', undefined, 2],
      ['Forms/Inputs/Text/Empty', 1, 3],
    ]);
  });
});

describe('a Storybook that cannot be read', () => {
  const BUILD = 'Build it with `npx storybook build -o storybook-static`, and use the path of that folder.';
  test.each([
    ['nowhere', 'nowhere', {}, `has no index.json, so it is not a built Storybook. ${BUILD}`],
    ['not there, without the value of a variable', `\${SB}/x`, {}, 'has no index.json, so it is not a built '],
    [
      'of another version',
      'sb',
      { 'index.json': '{"v":4,"entries":{}}' },
      'has an index.json that is not of version 5. Build it with Storybook 8, 9 or 10.',
    ],
    ['not JSON', 'sb', { 'index.json': '{"v":5,' }, 'has an index.json that is not of version 5. '],
    [
      'empty',
      'sb',
      indexOf({ id: 'a--docs', title: 'A', name: 'Docs', type: 'docs' }),
      'has no stories. Check `stories`',
    ],
  ])('is %s', (_, folder, files, message) => {
    expect(messagesWith(`stories: ${folder}\n`, files)).toEqual([
      expect.stringContaining(`pages.yaml:1:10: the Storybook "${folder}" ${message}`),
    ]);
  });
});

describe('an entry of stories that is wrong', () => {
  const LEFT = 'Correct "include" and "exclude". A story without the tag "test" needs one of its tags in "include".';
  test.each([
    ['include: Form/Button', '1:33: no story matches "Form/Button". Did you mean "Forms/Button"?'],
    [
      'include: [Card, Forms]',
      '1:40: no story matches "Forms". Titles of this Storybook: Forms/Button, Card, Forms/Inputs/Text.',
    ],
    ['include: { tag: visula }', '1:40: no story matches "visula". Did you mean "visual"?'],
    ['include: "**/Not Tested"', `1:20: no story is left. ${LEFT}`],
    ['include: Card, exclude: Ca*', `1:20: no story is left. ${LEFT}`],
    ['url: /', '1:24: unknown key "url" in "stories". Move it to a page.'],
    ['viewports: [x]', '1:36: unknown viewport "x". Define it under "viewports" at the top level of the list.'],
    [
      'base: false',
      '1:30: the page has no shot: "base" is false, and it has no states. Add a state, or remove "base".',
    ],
  ])('%s', (field, message) => {
    expect(messagesWith(`stories: { folder: sb, ${field} }\n`)).toEqual([`pages.yaml:${message}`]);
  });

  test('has a story of another entry', () => {
    expect(messagesWith('stories:\n  - sb\n  - { folder: sb, include: Card }\n')).toEqual([
      'pages.yaml:3:5: the story "Card/Throws" has the same id or the same file names as the one at pages.yaml:2:5. Leave the story out of one of them with "exclude", or rename it.',
    ]);
  });
});

describe('serve', () => {
  test.each([
    ['./sb', '/', null],
    ['{ folder: sb, base: /docs, fallback: index.json }', '/docs/', 'index.json'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the list
    ['${SB}', '/', null],
  ])('%s names the folder of all pages but those with a URL of their own', (serve, base, fallback) => {
    const { file, shots } = planWith(`serve: ${serve}\npages: [${base}, https://example.com/a]\n`);
    expect(shots.map(({ served }) => served)).toEqual([{ folder: join(dirname(file), 'sb'), base, fallback }, null]);
  });

  test('gives the pages of a two-state list their after side', () => {
    const { before, after } = resolved('serve: sb\nbefore: https://example.com\npages: [/a]\n');
    expect([before?.url, after.url, after.servedFolder]).toEqual([
      ...['https://example.com/a', 'http://127.0.0.1:4000/a', 'sb'],
    ]);
  });

  test.each([
    ['reuse: false', null],
    ['reuse: true', { verify: 0 }],
    ['reuse: { verify: 0.05 }', { verify: 0.05 }],
  ])('allows to reuse captures: %s', (line, reuse) => {
    expect(planWith(`${line}\nserve: sb\npages: [/]\n`).reuse).toEqual(reuse);
  });
});
