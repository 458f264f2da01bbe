import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../../src/list/validate/check-list.js';
import { shotsOf } from '../list-file.js';

// The problems of a list are in fixtures/lists; read-list.test.ts reads them.
describe('a list without contradictions', () => {
  test.each([
    ['a width where there are no viewports', 'viewports: {}\npages: [{ url: /, width: 500 }]', ['index']],
    [
      'an element with an inherited fullSize',
      'defaults: { fullSize: true }\npages: [{ url: /, element: .a }]',
      ['index'],
    ],
    ['a PDF with nothing masked', 'pages: [{ url: /, format: pdf, mask: [], fullSize: true }]', ['index']],
    [
      'pages that share a name but no shot',
      'pages: [{ url: /x, name: a, base: false, states: { b: {} } }, { url: /y, name: a, base: false, states: { c: {} } }]',
      ['a/b', 'a/c'],
    ],
  ])('may have %s', (_, list, ids) => {
    expect(shotsOf(`${list}\n`).map(({ id }) => id)).toEqual(ids);
  });
});

test('a URL may be a path of any form, or one of a site', () => {
  const paths = ['/', 'pricing', './a', '?q=1', '#/about', '/a:b', 'a/b:c', 'HTTPS://a.example/d', '/e f', '/ü'];
  expect(shotsOf(JSON.stringify({ pages: paths })).map(({ url }) => url)).toEqual(paths);
  for (const baseURL of ['http://127.0.0.1:4173', 'https://a.example/sub/', 'http://[::1]:80'])
    expect(shotsOf(JSON.stringify({ baseURL, pages: ['/'] }))[0]?.base?.url).toBe(baseURL);
});

describe('the options of a matcher', () => {
  class Locator {
    readonly selector = '.a';
  }

  // A test in JavaScript can pass any value.
  const read = (options: unknown) => () => Reflect.apply(readOptions, null, [options, "toMatchBaseline('home')"]);

  test('may be those of a page that are about the image', () => {
    const options = { remove: '.a', mask: ['.b'], strictMasks: true, hideCookie: true, settle: { fonts: false } };
    expect(read(options)).not.toThrow();
  });

  test.each<[unknown, string]>([
    [{ mask: [new Locator()] }, 'item 1 of "mask" must be a string, not Locator { selector: \'.a\' }.'],
    [{ hide: () => '.a' }, '"hide" must be a string or a list, not [Function: hide].'],
    [{ threshold: 1n }, '"threshold" must be a number from 0 to 1, not 1n.'],
    [{ ignore: { constructor: 5 } }, '"x" in "ignore"'],
    [null, 'the options are an empty value, expected an object.'],
    [['home'], "the options are [ 'home' ], expected an object."],
    [{ element: '.a' }, 'unknown option "element". '],
    [{ headers: { a: 'hunter2' } }, 'unknown option "headers". '],
    [{ strictMasks: 'yes' }, '"strictMasks" must be true or false, not "yes".'],
    [{ format: 'pdf', mask: '.a' }, '"mask" cannot be used with "format: pdf". '],
  ])('are refused in words: %s', (options, message) => {
    expect(read(options)).toThrow(/^toMatchBaseline\('home'\): /);
    expect(read(options)).toThrow(message);
  });
});
