// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, refusalOf, shotsOf, writeList } from '../list-file.js';

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`);
}

describe('a field with a value that it cannot have', () => {
  test.each([
    [
      'width: 99',
      '3:12: "width" must be a whole number from 100 to 8000, not 99. Width of the viewport in CSS pixels. Default: the width of the Playwright project, otherwise 1280.',
    ],
    [
      'width: 800.5',
      '3:12: "width" must be a whole number from 100 to 8000, not 800.5. Width of the viewport in CSS pixels. Default: the width of the Playwright project, otherwise 1280.',
    ],
    ['width: "800"', '3:12: "width" must be a whole number from 100 to 8000, not "800". Write it without quotes: 800.'],
    [
      'delay: 500',
      '3:12: "delay" must be a number from 0 to 10, not 500. Seconds to wait before the screenshot, such as 0.5 for 500 ms. Default: 0.',
    ],
    [
      'timeout: 30000',
      '3:14: "timeout" must be a number above 0, up to 600, not 30000. Timeout of each load of the page in seconds, not milliseconds. Default: 30.',
    ],
    [
      'threshold: .inf',
      '3:16: "threshold" must be a number from 0 to 1, not Infinity. Allowed color difference of one pixel, 0 to 1; maxDiffPixelRatio limits how many pixels differ. Default: 0.005.',
    ],
    ['format: PNG', '3:13: "format" must be png, jpeg, jpg, webp or pdf, not "PNG". Did you mean "png"?'],
    [
      'scale: 2',
      '3:12: "scale" must be css or device, not 2. One image pixel per CSS pixel (css) or per device pixel (device). Default: css.',
    ],
    ['fullSize: yes', '3:15: "fullSize" must be true or false, not "yes". Write true or false, without quotes.'],
    ['name: 404', '3:11: "name" must be a string of 1 to 200 characters, not 404. Put it in quotes: "404".'],
    [
      'language: d',
      '3:15: "language" must be a string of 2 characters or more, not "d". Language of the Accept-Language header and of navigator.language, such as de-DE. Default: the locale of the Playwright project.',
    ],
    [
      'skip: true',
      '3:11: "skip" must be a string, not true. Skips the page for this reason, such as "not yet finished". Default: not skipped.',
    ],
    [
      'expand: 5',
      '3:13: "expand" must be true or false or a string or a list, not 5. Areas that scroll within the page and are shown with all of their content: CSS selectors; true for the one that takes most of the window, with fullSize; false for none. Default: true.',
    ],
    ['tags: smoke', '3:11: "tags" must be a list, not "smoke". Write a list: ["smoke"].'],
    [
      'tags: [ok, "a b"]',
      '3:16: item 2 of "tags" must be a word without spaces, such as smoke or @smoke, not "a b". Correct it.',
    ],
    [
      'hide: 5',
      '3:11: "hide" must be a string or a list, not 5. CSS selectors of elements to hide with visibility: hidden, which keeps the layout. Default: none.',
    ],
    [
      'hide: ""',
      '3:11: "hide" must be a string or a list, not an empty string. CSS selectors of elements to hide with visibility: hidden, which keeps the layout. Default: none.',
    ],
    [
      'hide: #ticker',
      '3:11: "hide" must be a string or a list, not an empty value. Write a value. In YAML, # starts a comment: put a string such as "#id" in quotes.',
    ],
    [
      'hide: .chat, #ticker',
      '3:11: "hide" has an empty selector in ".chat,". Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
    ],
    ['delay:', '3:11: "delay" must be a number from 0 to 10, not an empty value. Write a value, or remove the line.'],
    [
      'finalUrl: { a: [b, { c: { d: 1 } }] }',
      '3:15: "finalUrl" must be a string, not the mapping {"a":["b",{"c":…}]}. Expected URL or path after a redirect. Default: the URL of the page.',
    ],
    [
      `javascriptCode: [${'x, '.repeat(90)}x]`,
      `3:21: "javascriptCode" must be a string, not the list ["x","x","x","x","x","x","x","x","x","x","x","x","x","x","x"…. JavaScript to run in the page before the screenshot. Default: none.`,
    ],
    [
      'name: "a\\nb"',
      '3:11: "name" must be one line of 1 to 200 characters. Remove its line breaks and tabs, or shorten it.',
    ],
  ])('is reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([`pages.yaml:${message}`]);
  });

  test.each([
    [
      'maxDiffPixelRatio: "5%"',
      'a number from 0 to 1, not "5%". Allowed share of mismatched pixels, 0 to 1, such as 0.05 for 5 %.',
    ],
    ['maxDiffPixelRatio: "0.1"', 'a number from 0 to 1, not "0.1". Write it without quotes: 0.1.'],
    [
      'maxDiffPixels: 0.01',
      'a whole number from 0, not 0.01. Allowed number of mismatched pixels; maxDiffPixelRatio is their share.',
    ],
    [
      'threshold: 30',
      'a number from 0 to 1, not 30. Allowed color difference of one pixel, 0 to 1; maxDiffPixelRatio limits how many',
    ],
  ])('is reported with the expected unit: %s', (line, message) => {
    const [field = ''] = line.split(':');
    expect(messagesOfField(line)).toEqual([
      expect.stringContaining(`pages.yaml:3:${7 + field.length}: "${field}" must be ${message}`),
    ]);
  });
});

describe('a key that is not there', () => {
  test.each([
    ['treshold: 0.1', 'unknown key "treshold" in a page. Did you mean "threshold"?'],
    ['misMatchThresh: 0.1', 'unknown key "misMatchThresh" in a page. Allowed: '],
    ['click: "#a"', 'unknown key "click" in a page. "click" is an action: write "actions: [{ click: ... }]".'],
    ['fullsize: true', 'unknown key "fullsize" in a page. Did you mean "fullSize"?'],
    ['widht: 500', 'unknown key "widht" in a page. Did you mean "width"?'],
    ['tag: [a]', 'unknown key "tag" in a page. Did you mean "tags"?'],
    ['baseURL: http://a', 'unknown key "baseURL" in a page. Move it to the top level of the list.'],
    ['xyz: 1', 'unknown key "xyz" in a page. Allowed: format, quality, '],
  ])('is reported with the most similar key: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([expect.stringContaining(`pages.yaml:3:5: ${message}`)]);
  });

  test.each([
    ['page: [/]\n', ['1:1: unknown key "page" in the page list. Did you mean "pages"?']],
    [
      'pages: [/]\nfullSize: true\n',
      ['2:1: unknown key "fullSize" in the page list. Move it to a page, or to "defaults".'],
    ],
    ['pages: [/]\nname: x\n', ['2:1: unknown key "name" in the page list. Move it to a page.']],
    ['pages: [/]\ndefaults: { url: /x }\n', ['2:13: unknown key "url" in "defaults". Move it to a page.']],
    ['pages: [{ ulr: /x }]\n', ['1:11: unknown key "ulr" in a page. Did you mean "url"?']],
    [
      'pages: [{ name: x }]\n',
      ['1:9: missing key "url" in a page; expected a string. Add "url": URL, or path relative to baseURL.'],
    ],
    [
      'pages: [{ nam: x, xyz: /x }]\n',
      [
        '1:9: missing key "url" in a page; expected a string. Add "url": URL, or path relative to baseURL.',
        '1:11: unknown key "nam" in a page. Did you mean "name"?',
        expect.stringContaining('1:19: unknown key "xyz" in a page. Allowed: '),
      ],
    ],
  ])('is reported once, with its correct place or name: %j', (text, messages) => {
    expect(messagesOf(text).map((message) => message.replace('pages.yaml:', ''))).toEqual(messages);
  });
});

test('a field of a page is an unknown key where it is no field', () => {
  const refused = (text: string) => refusalOf(writeList(text)).errors.map(({ code, problem }) => [code, problem.found]);
  expect(refused('pages: [/]\nignore: .a\n')).toEqual([['list-invalid', 'unknown key "ignore" in the page list']]);
  expect(refused('pages:\n  - { url: /, actions: [{ ignore: .a }] }\n')).toEqual([
    ['list-invalid', 'unknown key "ignore" in item 1 of "actions"'],
  ]);
});

describe('a choice', () => {
  test.each([
    [
      'phone: iPhone 15',
      '1:21: viewport "phone" must be a mapping with width and height or a mapping with device, not "iPhone 15". Correct it.',
    ],
    [
      'phone: {}',
      '1:21: viewport "phone" must be a mapping with width and height or a mapping with device, not an empty mapping. Correct it.',
    ],
    [
      'phone: { width: 500 }',
      '1:21: missing key "height" in a viewport; expected a whole number from 100 to 20000 or null. Add "height".',
    ],
    ['phone: { width: 50, height: 500 }', '1:30: "width" must be a whole number from 100 to 8000, not 50. Correct it.'],
    ['phone: { device: 15 }', '1:31: "device" must be a string, not 15. Put it in quotes: "15".'],
    ['phone: { devise: Pixel 7 }', '1:23: unknown key "devise" in a viewport. Did you mean "device"?'],
    [
      'phone: { device: Pixel 7, width: 50 }',
      '1:40: "width" cannot be used together with the other keys of a viewport. Write a mapping with width and height or a mapping with device.',
    ],
    ['"": { device: Pixel 7 }', '1:14: invalid name "" in "viewports". Write a name of at least one character.'],
  ])('is judged by what was meant, with one message: %s', (viewport, message) => {
    expect(messagesOf(`viewports: { ${viewport} }\npages: [/]\n`)).toEqual([`pages.yaml:${message}`]);
  });

  test.each([
    ['5', '1:9: a page must be a string or a mapping with url, not 5. Put it in quotes: "5".'],
    ['[/]', '1:9: a page must be a string or a mapping with url, not the list ["/"]. Correct it.'],
    ['""', '1:9: a page must be a string or a mapping with url, not an empty string. Correct it.'],
    [
      '{ url: / , width: a }',
      '1:27: "width" must be a whole number from 100 to 8000, not "a". Width of the viewport in CSS pixels. Default: the width of the Playwright project, otherwise 1280.',
    ],
  ])('is judged by what was meant, for a page: %s', (page, message) => {
    expect(messagesOf(`pages: [${page}]\n`)).toEqual([`pages.yaml:${message}`]);
  });
});

describe('the cases that other tools let pass (pains.md, P25 and case 14)', () => {
  test('are all found in one list', () => {
    const list =
      'pages:\n  - { url: /a, treshold: 0.1 }\n  - { url: /b, ignored: ".a" }\n  - { url: /c, threshold: "${UNSET}" }\n  - { url: /d, name: x }\n  - { url: /e, name: x }\n  - { url: /f, threshold: "${T}", maxDiffPixelRatio: 10 }\n';
    expect(messagesOf(list, { T: '0.2' }).map((message) => message.split('. ')[0])).toEqual([
      'pages.yaml:2:16: unknown key "treshold" in a page',
      'pages.yaml:3:16: unknown key "ignored" in a page',
      'pages.yaml:4:27: environment variable UNSET is not set',
      'pages.yaml:6:5: duplicate shot "x": the page at pages.yaml:5:5 has the same id',
      'pages.yaml:7:27: "threshold" must be a number from 0 to 1, not the value of environment variable T (hidden)',
      'pages.yaml:7:54: "maxDiffPixelRatio" must be a number from 0 to 1, not 10',
    ]);
  });

  test('leave the right values alone', () => {
    const shots = shotsOf('pages:\n  - { url: /, threshold: 0.2, maxDiffPixelRatio: 0.1, maxDiffPixels: 10 }\n');
    expect(shots[0]?.fields).toEqual({ threshold: 0.2, maxDiffPixelRatio: 0.1, maxDiffPixels: 10 });
  });
});
