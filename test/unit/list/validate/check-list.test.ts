import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../../src/list/validate/check-list.js';
import { messagesOf, shotsOf } from '../list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';

test('viewports contradict no width where there are none', () => {
  expect(shotsOf('viewports: {}\npages:\n  - { url: /, width: 500 }\n').map(({ id }) => id)).toEqual(['index']);
});

describe('a URL', () => {
  test.each(['/', 'pricing', './a', '?q=1', '#/about', '/a:b', 'a/b:c', 'HTTPS://a.example', '/a b', '/ü'])(
    'is right: %s',
    (url) => {
      expect(shotsOf(`pages:\n  - url: '${url}'\n`)[0]?.url).toBe(url);
    },
  );

  test.each(['http://127.0.0.1:4173', 'http://localhost', 'https://a.example/sub/', 'http://[::1]:80'])(
    'of a site may be %s',
    (site) => {
      expect(shotsOf(`baseURL: "${site}"\npages: [/]\n`)[0]?.baseURL).toBe(site);
    },
  );
});

describe('other problems of a list', () => {
  test.each([
    ['a wrong name', 'pages:\n  - { url: /, name: 1 }\n  - { url: /, name: 2 }\n'],
    ['a variable that is not set', `pages:\n  - { url: /, name: "\${A}" }\n  - { url: /, name: "\${B}" }\n`],
    [
      'viewports that are no list',
      `${VIEWPORTS}pages:\n  - { url: /, viewports: phone }\n  - { url: /, viewports: 1 }\n`,
    ],
  ])('never makes two pages look alike: %s', (_, list) => {
    expect(messagesOf(list)).toHaveLength(2);
    expect(messagesOf(list).join()).not.toContain('duplicate shot');
  });
});

describe('an entry that is wrong', () => {
  test('keeps its place, so that the others are checked at theirs', () => {
    const list = 'pages: [5, { name: x }, { url: /, mask: .a, format: pdf }]\nstories: [{ foldr: x }, nowhere]\n';
    expect(messagesOf(list).map((message) => message.split(/[;.] /)[0])).toEqual([
      'pages.yaml:1:9: a page must be a string or a mapping with url, not 5',
      'pages.yaml:1:12: missing key "url" in a page',
      'pages.yaml:1:35: "mask" cannot be used with "format: pdf"',
      'pages.yaml:2:13: unknown key "foldr" in item 1 of "stories"',
      expect.stringMatching(/^pages\.yaml:2:25: the Storybook nowhere /),
    ]);
  });
});

describe('options of a matcher that a list cannot have', () => {
  class Locator {
    readonly selector = '.a';
  }

  test.each<[unknown, string]>([
    [{ mask: [new Locator()] }, 'item 1 of "mask" must be a string, not an object of the class Locator.'],
    [{ hide: () => '.a' }, '"hide" must be a string or a list, not a function.'],
    [{ threshold: 1n }, '"threshold" must be a number from 0 to 1, not a bigint.'],
    [{ delay: Number.NaN }, '"delay" must be a number from 0 to 10, not NaN. Seconds to wait'],
    [{ ignore: { constructor: 5 } }, '"x" in "ignore"'],
    [null, 'the options are an empty value, expected an object.'],
    ['home', 'the options are "home", expected an object.'],
    [['home'], 'the options are the list ["home"], expected an object.'],
  ])('are described in words: %s', (options, message) => {
    // A test in JavaScript can pass any value.
    const check = () => Reflect.apply(readOptions, null, [options, "toMatchBaseline('home')"]);
    expect(check).toThrow(/^toMatchBaseline\('home'\): /);
    expect(check).toThrow(message);
  });
});

describe('fields that contradict each other', () => {
  test('are not reported for an element with an inherited fullSize', () => {
    expect(shotsOf('defaults: { fullSize: true }\npages:\n  - { url: /, element: .a }\n')).toHaveLength(1);
    expect(shotsOf('pages:\n  - { url: /, element: .a, fullSize: false, quality: 5, mask: .b }\n')).toHaveLength(1);
  });

  test('are not reported if nothing is masked', () => {
    expect(shotsOf('pages:\n  - { url: /, format: pdf, mask: [], fullSize: true }\n')).toHaveLength(1);
  });
});

describe('the options of a matcher', () => {
  const refusal = (options: object) => {
    try {
      readOptions(options, "toMatchBaseline('x')");
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    }
    return undefined;
  };

  test('may be those of a page that are about the image', () => {
    const options = { remove: '.a', mask: ['.b'], strictMasks: true, hideCookie: true, settle: { fonts: false } };
    expect(refusal(options)).toBe(undefined);
  });

  test.each([
    [{ element: '.a' }, /^toMatchBaseline\('x'\): unknown option "element"\. /],
    [{ headers: { a: 'hunter2' } }, /^toMatchBaseline\('x'\): unknown option "headers"\. /],
    [{ states: {} }, /unknown option "states"\. /],
    [{ settle: { fnts: false } }, /unknown key "fnts" in "settle"\. Did you mean "fonts"\?$/],
    [{ strictMasks: 'yes' }, /"strictMasks" must be true or false, not "yes"\. Write true or false, without quotes\.$/],
    [{ format: 'pdf', mask: '.a' }, /"mask" cannot be used with "format: pdf"\. /],
  ])('are reported with the allowed values: %j', (options, message) => {
    expect(refusal(options)).toMatch(message);
  });
});
