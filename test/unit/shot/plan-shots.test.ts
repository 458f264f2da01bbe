import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../../src/model/list/defaults.js';
import { createOpenedShot, listMissing, planRun, renderDroppedPath } from '../../../src/shot/plan-shots.js';

type Call = Parameters<typeof createOpenedShot>;

function open(name: Call[0]['name'], options: Call[1] = {}, config: Call[2] = {}) {
  return createOpenedShot({ spec: 'shop/cart', name, url: 'http://a/' }, options, config);
}

describe('the name in a call of toMatchBaseline', () => {
  test.each([
    ['home', 'shop/cart/home', 'home', null, 'png'],
    ['home.png', 'shop/cart/home.png', 'home', ['home.png'], 'png'],
    ['home.v2.jpg', 'shop/cart/home.v2.jpg', 'home.v2', ['home.v2.jpg'], 'jpg'],
    ['a/b.webp', 'shop/cart/a/b.webp', 'a/b', ['a/b.webp'], 'webp'],
    [['a', 'b.jpeg'], 'shop/cart/a/b.jpeg', 'a/b', ['a', 'b.jpeg'], 'jpeg'],
    [['a', 'b'], 'shop/cart/a/b', 'a/b', null, 'png'],
    ['version 1.5', 'shop/cart/version 1.5', 'version 1.5', null, 'png'],
    ['invoice.pdf', 'shop/cart/invoice.pdf', 'invoice.pdf', null, 'png'],
    ['.png', 'shop/cart/.png', '.png', null, 'png'],
    ['a/.png', 'shop/cart/a/.png', 'a/.png', null, 'png'],
  ])('%j is a file only with the extension of an image', (name, id, page, file, format) => {
    const opened = open(name);
    expect(opened.file).toEqual(file);
    expect(opened.shot).toMatchObject({ id, page, capture: { format } });
  });

  test('and `format` must not contradict each other', () => {
    expect(open('menu.jpg', { format: 'jpeg' }).shot.capture.format).toBe('jpeg');
    expect(open('menu', { format: 'jpeg' }).file).toBeNull();
    expect(() => open('home.png', { format: 'webp' })).toThrow(
      "toMatchBaseline('home.png'): the name ends with .png, but `format` is webp. Remove one of them.",
    );
  });
});

describe('expect.toHaveScreenshot of the config', () => {
  test('sets limits, scale, format, animations and caret; a call overrides them', () => {
    const limits = { threshold: 0.2, maxDiffPixels: 7, maxDiffPixelRatio: 0.5, scale: 'device' };
    const config = { ...limits, type: 'webp', animations: 'allow', caret: 'initial', pathTemplate: '{arg}{ext}' };
    const { shot, unused } = open('home', {}, config);
    expect(unused).toEqual([]);
    expect(shot.compare).toMatchObject({ threshold: 0.2, maxDiffPixels: 7, maxDiffPixelRatio: 0.5 });
    expect(shot.capture).toMatchObject({ scale: 'device', format: 'webp' });
    expect(shot.capture.settle).toEqual({ ...DEFAULTS.settle, animations: false, caret: false });

    const called = open('home.png', { threshold: 0.1, scale: 'css', settle: { caret: true } }, config).shot;
    expect(called.compare).toMatchObject({ threshold: 0.1, maxDiffPixels: 7 });
    expect(called.capture).toMatchObject({ scale: 'css', format: 'png' });
    expect(called.capture.settle).toMatchObject({ animations: false, caret: true });
  });

  test('changes nothing where it sets what is the default here', () => {
    const config = { animations: 'disabled', caret: 'hide', scale: 'css', type: 'png', threshold: undefined };
    expect(open('home', {}, config)).toEqual(open('home'));
  });

  test('has options without a meaning here, which are named', () => {
    expect(open('home', {}, { stylePath: 'a.css', timeout: 5, maxDiffPixels: 1 }).unused).toEqual([
      'stylePath',
      'timeout',
    ]);
  });

  test('is named in the error about a value that is not valid', () => {
    expect(() => open('home', {}, { maxDiffPixels: -1 })).toThrow(
      /^expect\.toHaveScreenshot in the Playwright config: .*maxDiffPixels/,
    );
  });
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-notices-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function planOf(text: string) {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, text);
  return planRun(file, { env: {}, devices: [] });
}

describe('the path of a base URL', () => {
  const noticeOf = (list: string, projectBaseURL: string | null = null) =>
    renderDroppedPath(planOf(list), projectBaseURL)?.replace(`${folder}/`, '') ?? null;

  test.each([
    [
      'baseURL: http://host/app\npages:\n  - /pricing\n',
      'pages.yaml:3:5: "/pricing" opens http://host/pricing, without the path of baseURL http://host/app. Write "./pricing" and baseURL: http://host/app/.',
    ],
    [
      'baseURL: http://host/app/\npages: [./a, /, /b]\n',
      'pages.yaml:2:14 (and 1 more page): "/" opens http://host/, without the path of baseURL http://host/app/. Write "./".',
    ],
    [
      'baseURL: http://host/app\npages: [./a]\n',
      'pages.yaml:2:9: "./a" opens http://host/a, without the path of baseURL http://host/app. Write baseURL: http://host/app/.',
    ],
    [
      'baseURL: http://new\nbefore: http://old/v1/\npages: [/a]\n',
      'pages.yaml:3:9: "/a" opens http://old/a, without the path of baseURL http://old/v1/. Write "./a".',
    ],
  ])('is dropped, with the position and the fix: %j', (list, notice) => {
    expect(noticeOf(list)).toBe(notice);
  });

  test.each([
    'baseURL: http://host/app/\npages: [./a, b/c, ../other, "?q=1", "http://other/d"]\n',
    'baseURL: http://host/app\npages: [/app, /app/a]\n',
    'baseURL: http://host/\npages: [/, /a, b]\n',
    'baseURL: http://host/index.html\npages: [/a, b]\n',
    'pages: [/a]\n',
  ])('is used, or there is none: %j', (list) => {
    expect(noticeOf(list)).toBeNull();
  });

  test("of the project counts for a list without its own, and the list's own is not checked twice", () => {
    expect(noticeOf('pages: [/a]\n', 'http://u:p@host/app')).toBe(
      'pages.yaml:1:9: "/a" opens http://***@host/a, without the path of baseURL http://***@host/app. Write "./a" and baseURL: http://host/app/.',
    );
    expect(noticeOf('baseURL: http://host/app\npages: [/a]\n', 'http://other/x')).toBeNull();
  });
});

test('a list that does not exist is an error at the call that names it', () => {
  const call = { file: join(folder, 'visual.spec.ts'), line: 2, column: 1 };
  const error = listMissing(join(folder, 'pages.yaml'), call);
  expect(error).toMatchObject({ code: 'list-unreadable', loc: call });
  expect(error.message.replaceAll(`${folder}/`, '')).toBe(
    'visual.spec.ts:2:1: the page list pages.yaml does not exist. Correct the path, which is relative to the spec, or create the file.',
  );
});
