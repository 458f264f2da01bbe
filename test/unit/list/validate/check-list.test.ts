import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../../src/list/validate/check-list.js';
import { messagesOf, shotsOf } from '../list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';

describe('viewports', () => {
  test.each([
    ['iphone 15', 'Did you mean "iPhone 15"?'],
    ['Pixel7', 'Did you mean "Pixel 7"?'],
    ['Commodore 64', 'Use a device name of Playwright, such as iPhone 15.'],
  ])('are an error where Playwright does not know the device: %s', (device, advice) => {
    expect(messagesOf(`viewports:\n  phone: { device: ${device} }\npages: [/]\n`)).toEqual([
      `pages.yaml:2:20: unknown device "${device}". ${advice}`,
    ]);
  });

  test('are an error, at each place, where a page or the defaults name one that is not in the list', () => {
    expect(
      messagesOf(
        `${VIEWPORTS}defaults: { viewports: [dekstop] }\npages:\n  - /\n  - { url: /a, viewports: [phone, tv] }\n`,
      ),
    ).toEqual([
      'pages.yaml:4:25: unknown viewport "dekstop". Did you mean "desktop"?',
      'pages.yaml:7:35: unknown viewport "tv". Allowed: desktop, phone.',
    ]);
  });

  test('are an error where the list names none at all', () => {
    expect(messagesOf('pages:\n  - { url: /, viewports: [phone] }\n')).toEqual([
      'pages.yaml:2:27: unknown viewport "phone". Define it under "viewports" at the top level of the list.',
    ]);
  });

  test('are not unknown because something else is wrong with them', () => {
    expect(
      messagesOf('viewports:\n  phone: { width: 5, height: 500 }\npages:\n  - { url: /, viewports: [phone] }\n'),
    ).toEqual(['pages.yaml:2:19: "width" must be a whole number from 100 to 8000, not 5. Correct it.']);
    expect(messagesOf('viewports: [phone]\npages:\n  - { url: /, viewports: [phone] }\n')).toEqual([
      'pages.yaml:1:12: "viewports" must be a mapping, not the list ["phone"]. Named viewports, in each of which every page is captured. Default: one viewport without a name.',
    ]);
  });

  test('are an error where a page names one twice', () => {
    expect(messagesOf(`${VIEWPORTS}pages:\n  - { url: /, viewports: [phone, phone] }\n`)).toEqual([
      'pages.yaml:5:34: duplicate viewport "phone". Remove one of the two.',
    ]);
  });

  test.each([
    ['phone', 'Phone'],
    ['a b', 'a?b'],
  ])('are an error, once, where their files would be the same: %s and %s', (one, other) => {
    const size = '{ width: 500, height: 500 }';
    expect(messagesOf(`viewports:\n  ${one}: ${size}\n  ${other}: ${size}\npages: [/a, /b]\n`)).toEqual([
      `pages.yaml:3:3: viewports "${other}" and "${one}" would have the same file names. Rename one of them. File names ignore case and replace special characters.`,
    ]);
  });

  test('contradict a width or a height, of a page or of the defaults', () => {
    const advice =
      'Remove it, or define the size under the "viewports" of the list and select it with "viewports" in the page.';
    const list = `${VIEWPORTS}defaults: { height: 500 }\npages:\n  - /\n  - { url: /a, width: 500, viewports: [phone] }\n`;
    expect(messagesOf(list)).toEqual([
      `pages.yaml:4:13: "height" cannot be used together with named viewports (desktop, phone). ${advice}`,
      `pages.yaml:7:16: "width" cannot be used together with named viewports (phone). ${advice}`,
    ]);
  });

  test('contradict nothing where there are none', () => {
    expect(shotsOf('viewports: {}\npages:\n  - { url: /, width: 500 }\n').map(({ id }) => id)).toEqual(['index']);
  });
});

describe('a URL', () => {
  test.each([
    ...['ftp://a.example/x', 'file:///etc/passwd', 'javascript:alert(1)', 'about:blank', 'localhost:3000/x'],
    ...['//a.example/x', '/\\a.example', 'http://', 'https://a b/'],
  ])('is an error when a browser cannot open it as a page of a site: %s', (url) => {
    expect(messagesOf(`pages:\n  - '${url}'\n`)).toEqual([
      `pages.yaml:2:5: a page must be an http(s) URL or a path, not ${JSON.stringify(url)}. Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.`,
    ]);
  });

  test('is judged in every field that has one', () => {
    const list = 'defaults: { finalUrl: "a:b" }\npages:\n  - { url: "a:b", name: x, before: "a:b", finalUrl: "a:b" }\n';
    expect(messagesOf(list).map((message) => message.split(' or')[0])).toEqual([
      'pages.yaml:1:23: "finalUrl" must be an http(s) URL',
      'pages.yaml:3:12: "url" must be an http(s) URL',
      'pages.yaml:3:36: "before" must be an http(s) URL',
      'pages.yaml:3:53: "finalUrl" must be an http(s) URL',
    ]);
  });

  test.each(['/', 'pricing', './a', '?q=1', '#/about', '/a:b', 'a/b:c', 'HTTPS://a.example', '/a b', '/ü'])(
    'is right: %s',
    (url) => {
      expect(shotsOf(`pages:\n  - url: '${url}'\n`)[0]?.url).toBe(url);
    },
  );

  test.each([
    ['localhost:4173', 'Write "http://localhost:4173" or "https://localhost:4173".'],
    ['www.example.com', 'Write "http://www.example.com" or "https://www.example.com".'],
    ['ftp://a', 'Base URL of the pages. Default: use.baseURL of the Playwright config.'],
  ])('of a site starts with http:// or https://, unlike %s', (site, advice) => {
    expect(messagesOf(`baseURL: ${site}\npages: [/]\n`)).toEqual([
      `pages.yaml:1:10: "baseURL" must be a URL that starts with http:// or https://, not "${site}". ${advice}`,
    ]);
  });

  test.each(['http://127.0.0.1:4173', 'http://localhost', 'https://a.example/sub/', 'http://[::1]:80'])(
    'of a site may be %s',
    (site) => {
      expect(shotsOf(`baseURL: "${site}"\npages: [/]\n`)[0]?.baseURL).toBe(site);
    },
  );
});

describe('other problems of a list', () => {
  test('does not keep names, viewports and URLs from being judged', () => {
    const list = `${VIEWPORTS}pagse: 1\npages:\n  - { url: /a, width: x }\n  - { url: /a/, tags: 5 }\n  - { url: /b, name: 5 }\n  - { url: "a:b", viewports: [fone] }\n`;
    expect(messagesOf(list).map((message) => message.split('. ')[0])).toEqual([
      'pages.yaml:4:1: unknown key "pagse" in the page list',
      'pages.yaml:6:23: "width" must be a whole number from 100 to 8000, not "x"',
      'pages.yaml:7:5: duplicate shot "a/desktop": the page at pages.yaml:6:5 has the same id',
      'pages.yaml:7:23: "tags" must be a list, not 5',
      'pages.yaml:8:22: "name" must be a string of 1 to 200 characters, not 5',
      'pages.yaml:9:12: "url" must be an http(s) URL or a path, not "a:b"',
      'pages.yaml:9:31: unknown viewport "fone"',
    ]);
  });

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

  test('never makes two pages look alike whose viewports the defaults were to say', () => {
    const pages = 'pages:\n  - { name: x, url: /a }\n  - { name: x, url: /b, viewports: [phone] }\n';
    expect(messagesOf(`${VIEWPORTS}defaults: { viewports: phone }\n${pages}`)).toEqual([
      'pages.yaml:4:24: "viewports" must be a list, not "phone". Write a list: ["phone"].',
    ]);
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

  test('of viewports is not taken for another one', () => {
    const list = 'viewports: { a: { width: 5 }, A: 5 }\npages: [{ url: /, viewports: [a, b] }]\n';
    expect(messagesOf(list).map((message) => message.split(/[;.] /)[0])).toEqual([
      'pages.yaml:1:17: missing key "height" in a viewport',
      'pages.yaml:1:26: "width" must be a whole number from 100 to 8000, not 5',
      'pages.yaml:1:31: viewports "A" and "a" would have the same file names',
      'pages.yaml:1:34: viewport "A" must be a mapping with width and height or a mapping with device, not 5',
      'pages.yaml:2:34: unknown viewport "b"',
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

const ELEMENT_PDF =
  '"element" cannot be used with "format: pdf". Remove "element", because a PDF contains the whole page, or use an image format such as png.';
const MASK_PDF =
  '"mask" cannot be used with "format: pdf". Use "hide" or "remove", which also apply to a PDF, or use an image format such as png.';
const FULL_SIZE =
  '"fullSize" has no effect together with "element". Remove "fullSize": the whole element is always captured.';

const foundIn = (list: string) => messagesOf(list).map((message) => message.replace('pages.yaml:', ''));

describe('fields that contradict each other', () => {
  test.each([
    ['element: .a\n    fullSize: true', `4:5: ${FULL_SIZE}`],
    ['element: .a\n    format: pdf', `3:5: ${ELEMENT_PDF}`],
    ['mask: .a\n    format: pdf', `3:5: ${MASK_PDF}`],
    ['element: .a\n    states: { x: { fullSize: true } }', `4:20: ${FULL_SIZE}`],
    ['format: pdf\n    states: { x: { mask: .a } }', `4:20: ${MASK_PDF}`],
  ])('are reported at one of the fields: %j', (lines, message) => {
    expect(foundIn(`pages:\n  - url: /\n    ${lines}\n`)).toEqual([message]);
  });

  test('are reported once, where they meet', () => {
    const list = `defaults: { mask: .a }
pages:
  - { url: /a, format: pdf, states: { x: {}, y: { delay: 1 } } }
  - { url: /b, states: { x: { format: pdf, delay: 1 } } }
`;
    expect(foundIn(list)).toEqual([`3:16: ${MASK_PDF}`, `4:31: ${MASK_PDF}`]);
    expect(foundIn('defaults: { mask: .a, format: pdf }\npages: [/a, /b]\n')).toEqual([`1:13: ${MASK_PDF}`]);
  });

  test('are reported at a page that contradicts a state of the defaults', () => {
    const list = `defaults: { states: { print: { format: pdf } } }
pages:
  - /a
  - { url: /b, mask: .a }
  - { url: /c, element: .a }
`;
    expect(foundIn(list)).toEqual([`4:5: ${MASK_PDF}`, `5:5: ${ELEMENT_PDF}`]);
    expect(foundIn('defaults: { states: { x: { format: pdf, mask: .a } } }\npages: [/a, /b]\n')).toEqual([
      `1:41: ${MASK_PDF}`,
    ]);
  });

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

describe('states', () => {
  test.each([
    [
      'states: [open]',
      '3:13: "states" must be a mapping, not the list ["open"]. States of the page, each a separate shot: a mapping of name to page fields. Default: none.',
    ],
    [
      'states: { open: }',
      '3:21: state "open" must be a mapping, not an empty value. Write a value, or remove the line.',
    ],
    ['states: { open: { treshold: 1 } }', '3:23: unknown key "treshold" in state "open". Did you mean "threshold"?'],
    [
      'states: { open: { click: .a } }',
      '3:23: unknown key "click" in state "open". "click" is an action: write "actions: [{ click: ... }]".',
    ],
    ['states: { open: { url: /x } }', '3:23: unknown key "url" in state "open". Move it to a page.'],
    ['states: { open: { states: {} } }', '3:23: unknown key "states" in state "open". Move it to a page.'],
    ['states: { open: { base: false } }', '3:23: unknown key "base" in state "open". Move it to a page.'],
    ['states: { "": {} }', '3:15: invalid name "" in "states". Write a name of at least one character.'],
    [
      'states: { "a\\nb": {} }',
      '3:15: the name of a state must be one line of 1 to 200 characters. Remove its line breaks and tabs, or shorten it.',
    ],
    [
      'states: { " ": {} }',
      '3:15: the name of a state must be one line of 1 to 200 characters. Remove its line breaks and tabs, or shorten it.',
    ],
    [
      'states: { a: { element: ".a," } }',
      '3:29: "element" has an empty selector in ".a,". Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
    ],
    [
      'states: { a: { finalUrl: "a:b" } }',
      '3:30: "finalUrl" must be an http(s) URL or a path, not "a:b". Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.',
    ],
    ['base: no', '3:11: "base" must be true or false, not "no". Write true or false, without quotes.'],
    [
      'base: false',
      '3:11: the page has no shot: "base" is false, and it has no states. Add a state, or remove "base".',
    ],
  ])('are reported with the allowed values: %s', (line, message) => {
    expect(foundIn(`pages:\n  - url: /\n    ${line}\n`)).toEqual([message]);
  });

  test('are missing where the defaults leave out the base, at each page that has none', () => {
    const found = 'the page has no shot: "base" is false, and it has no states. Add a state, or remove "base".';
    expect(foundIn('defaults: { base: false }\npages:\n  - /a\n  - { url: /b, states: { c: {} } }\n')).toEqual([
      `3:5: ${found}`,
    ]);
    expect(foundIn('defaults: { base: false, states: { c: {} } }\npages:\n  - { url: /b, states: {} }\n')).toEqual([
      `3:5: ${found}`,
    ]);
  });

  test('are not missing because they are wrong', () => {
    expect(foundIn('pages:\n  - { url: /a, base: false, states: [b] }\n')).toHaveLength(1);
    expect(foundIn('pages:\n  - { url: /a, base: false, states: { b: { width: 5 } } }\n')).toHaveLength(1);
    expect(foundIn('defaults: { states: 5 }\npages:\n  - { url: /a, base: false }\n')).toHaveLength(1);
  });

  test('may not contradict the viewports of the list', () => {
    expect(
      foundIn(`${VIEWPORTS}pages:\n  - { url: /, states: { a: { width: 500 }, b: { viewports: [tv] } } }\n`),
    ).toEqual([
      '5:30: "width" cannot be used together with named viewports (desktop, phone). Remove it, or define the size under the "viewports" of the list and select it with "viewports" in the page.',
      '5:61: unknown viewport "tv". Allowed: desktop, phone.',
    ]);
  });
});
