// @module-tag pain-14
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, refusalOf, shotsOf, writeList } from './list-file.js';

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`);
}

describe('a field with a value that it cannot have', () => {
  test.each([
    [
      'width: 99',
      '3:12: "width" must be a whole number from 100 to 8000, not 99. Viewport width in pixels. Default: the project\'s, else 1280.',
    ],
    [
      'width: 8001',
      '3:12: "width" must be a whole number from 100 to 8000, not 8001. Viewport width in pixels. Default: the project\'s, else 1280.',
    ],
    [
      'height: 20001',
      '3:13: "height" must be a whole number from 100 to 20000 or null, not 20001. Viewport height in pixels; null: as tall as the content. Default: the project\'s, else 720.',
    ],
    [
      'width: 800.5',
      '3:12: "width" must be a whole number from 100 to 8000, not 800.5. Viewport width in pixels. Default: the project\'s, else 1280.',
    ],
    ['width: "800"', '3:12: "width" must be a whole number from 100 to 8000, not "800". Write it without quotes: 800.'],
    [
      'quality: 101',
      '3:14: "quality" must be a whole number from 0 to 100, not 101. Quality of jpeg (default 80) and webp (default 100: lossless).',
    ],
    [
      'delay: 10.5',
      '3:12: "delay" must be a number from 0 to 10, not 10.5. Seconds to wait before the capture. Default 0.',
    ],
    ['delay: 500', '3:12: "delay" must be a number from 0 to 10, not 500. It is in seconds: 500 ms is 0.5.'],
    [
      'timeout: 30000',
      '3:14: "timeout" must be a number above 0, up to 600, not 30000. It is in seconds: 30000 ms is 30.',
    ],
    [
      'timeout: 0',
      '3:14: "timeout" must be a number above 0, up to 600, not 0. Seconds for the whole shot. Default 30.',
    ],
    [
      'httpStatus: 99',
      '3:17: "httpStatus" must be a whole number from 100 to 599, not 99. The status that the page is expected to answer. Default 200..299.',
    ],
    [
      'threshold: .inf',
      '3:16: "threshold" must be a number from 0 to 1, not Infinity. It says how far the color of one pixel may move; how much of the image may differ is maxDiffPixelRatio.',
    ],
    [
      'threshold: .nan',
      '3:16: "threshold" must be a number from 0 to 1, not NaN. How far one pixel\'s color may move, 0..1. Default 0.005.',
    ],
    [
      'format: gif',
      '3:13: "format" must be png, jpeg, jpg, webp or pdf, not "gif". Image format, or pdf. Default png.',
    ],
    ['format: PNG', '3:13: "format" must be png, jpeg, jpg, webp or pdf, not "PNG". Did you mean "png"?'],
    ['engine: odif', '3:13: "engine" must be odiff or pixelmatch, not "odif". Did you mean "odiff"?'],
    [
      'scale: 2',
      '3:12: "scale" must be css or device, not 2. One image pixel per CSS pixel (css, default) or per device pixel.',
    ],
    ['fullSize: yes', '3:15: "fullSize" must be true or false, not "yes". Write true or false, without quotes.'],
    [
      'strict: 1',
      '3:13: "strict" must be true or false, not 1. Warnings become errors. Default false; a written false also allows titles that name an error.',
    ],
    ['hideCookie: maybe', '3:17: "hideCookie" must be true or false, not "maybe". Hide cookie banners. Default false.'],
    ['name: 404', '3:11: "name" must be text of 1 to 200 characters, not 404. Put it in quotes: "404".'],
    ['name: "  "', '3:11: "name" must be text of 1 to 200 characters, not "  ". Default: the URL\'s path; / is index.'],
    [
      'language: d',
      '3:15: "language" must be text of 2 characters or more, not "d". Locale of the page, such as de-DE: Accept-Language and navigator.language.',
    ],
    ['skip: true', '3:11: "skip" must be text, not true. Write why: skip: "the reason".'],
    ['tags: smoke', '3:11: "tags" must be a list, not "smoke". Write a list: ["smoke"].'],
    [
      'tags: [ok, "a b"]',
      '3:16: item 2 of "tags" must be a word without spaces, such as smoke or @smoke, not "a b". Correct it.',
    ],
    [
      'viewports: []',
      '3:16: "viewports" must be a list, not an empty list. Which of the named viewports. Default: all.',
    ],
    ['hide: 5', '3:11: "hide" must be text or a list, not 5. Put it in quotes: "5".'],
    ['hide: [.a, 5]', '3:16: item 2 of "hide" must be text, not 5. Put it in quotes: "5".'],
    [
      'hide: ""',
      '3:11: "hide" must be text or a list, not an empty text. Made invisible before the capture (visibility: hidden; the layout stays).',
    ],
    [
      'hide: #ticker',
      '3:11: "hide" must be text or a list, not nothing. In YAML a # begins a comment: put a selector such as "#id" in quotes.',
    ],
    [
      'hide: .chat, #ticker',
      '3:11: "hide" has an empty selector in ".chat,". Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ],
    [
      'hide: [".a", ".b,,.c"]',
      '3:18: item 2 of "hide" has an empty selector in ".b,,.c". Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ],
    ['delay:', '3:11: "delay" must be a number from 0 to 10, not nothing. Write a value, or remove the line.'],
    [
      'finalUrl: { a: [b, { c: { d: 1 } }] }',
      '3:15: "finalUrl" must be text, not the mapping {"a":["b",{"c":…}]}. Where an expected redirect ends.',
    ],
    [
      `javascriptCode: [${'x, '.repeat(90)}x]`,
      `3:21: "javascriptCode" must be text, not the list ["x","x","x","x","x","x","x","x","x","x","x","x","x","x","x"…. JavaScript that runs in the page before the capture.`,
    ],
    ['name: "a\\nb"', '3:11: "name" must be one line. Remove its line breaks and tabs.'],
  ])('is told what it can have: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([`pages.yaml:${message}`]);
  });

  test.each([
    [
      'maxDiffPixelRatio: 10',
      'a number from 0 to 1, not 10. The ratio is 0..1 of the image: 5 % is 0.05, and 10 % is 0.1.',
    ],
    ['maxDiffPixelRatio: 5', 'a number from 0 to 1, not 5. The ratio is 0..1 of the image: 5 % is 0.05.'],
    ['maxDiffPixelRatio: "5%"', 'a number from 0 to 1, not "5%". The ratio is 0..1 of the image: 5 % is 0.05.'],
    [
      'maxDiffPixelRatio: 0.1 %',
      'a number from 0 to 1, not "0.1 %". The ratio is 0..1 of the image: 5 % is 0.05, and 0.1 % is 0.001.',
    ],
    ['maxDiffPixelRatio: 500', 'a number from 0 to 1, not 500. The ratio is 0..1 of the image: 5 % is 0.05.'],
    ['maxDiffPixelRatio: "0.1"', 'a number from 0 to 1, not "0.1". Write it without quotes: 0.1.'],
    [
      'maxDiffPixels: 0.01',
      'a whole number from 0, not 0.01. It is a count of pixels; a share of the image is maxDiffPixelRatio.',
    ],
    [
      'maxDiffPixels: 1%',
      'a whole number from 0, not "1%". It is a count of pixels; a share of the image is maxDiffPixelRatio.',
    ],
    ['threshold: "0.2"', 'a number from 0 to 1, not "0.2". Write it without quotes: 0.2.'],
    [
      'threshold: 20%',
      'a number from 0 to 1, not "20%". It says how far the color of one pixel may move; how much of the image may differ is maxDiffPixelRatio.',
    ],
    [
      'threshold: 30',
      'a number from 0 to 1, not 30. It says how far the color of one pixel may move; how much of the image may differ is maxDiffPixelRatio.',
    ],
  ])('is told of the unit that was mixed up: %s', (line, message) => {
    const [field = ''] = line.split(':');
    expect(messagesOfField(line)).toEqual([`pages.yaml:3:${7 + field.length}: "${field}" must be ${message}`]);
  });
});

describe('a key that is not there', () => {
  test.each([
    ['treshold: 0.1', '"treshold" is not a field of a page. Did you mean "threshold"?'],
    ['misMatchThresh: 0.1', '"misMatchThresh" is not a field of a page. Allowed: '],
    ['click: "#a"', '"click" is not a field of a page. It is an action: write "actions: [{ click: ... }]".'],
    ['fullsize: true', '"fullsize" is not a field of a page. Did you mean "fullSize"?'],
    ['widht: 500', '"widht" is not a field of a page. Did you mean "width"?'],
    ['tag: [a]', '"tag" is not a field of a page. Did you mean "tags"?'],
    ['baseURL: http://a', '"baseURL" is not a field of a page. It stands at the top of the list.'],
    ['xyz: 1', '"xyz" is not a field of a page. Allowed: format, quality, '],
  ])('is told with the nearest that is: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([expect.stringContaining(`pages.yaml:3:5: ${message}`)]);
  });

  test.each([
    ['page: [/]\n', ['1:1: "page" is not a field of the page list. Did you mean "pages"?']],
    [
      'pages: [/]\nfullSize: true\n',
      ['2:1: "fullSize" is not a field of the page list. It is a field of a page: put it there, or under "defaults".'],
    ],
    ['pages: [/]\nname: x\n', ['2:1: "name" is not a field of the page list. It is a field of a page: put it there.']],
    [
      'pages: [/]\ndefaults: { url: /x }\n',
      ['2:13: "url" is not a field of "defaults". It is a field of a page: put it there.'],
    ],
    ['pages: [{ ulr: /x }]\n', ['1:11: "ulr" is not a field of a page. Did you mean "url"?']],
    ['pages: [{ name: x }]\n', ['1:9: a page has no "url" (text). Add it: a URL, or a path below baseURL.']],
    [
      'pages: [{ nam: x, xyz: /x }]\n',
      [
        '1:9: a page has no "url" (text). Add it: a URL, or a path below baseURL.',
        '1:11: "nam" is not a field of a page. Did you mean "name"?',
        expect.stringContaining('1:19: "xyz" is not a field of a page. Allowed: '),
      ],
    ],
  ])('is told once, where it belongs or what it was meant as: %j', (text, messages) => {
    expect(messagesOf(text).map((message) => message.replace('pages.yaml:', ''))).toEqual(messages);
  });
});

test('a field of a page is an unknown key where it is no field', () => {
  const refused = (text: string) => refusalOf(writeList(text)).errors.map(({ code, problem }) => [code, problem.found]);
  expect(refused('pages: [/]\nignore: .a\n')).toEqual([['list-invalid', '"ignore" is not a field of the page list']]);
  expect(refused('pages:\n  - { url: /, actions: [{ ignore: .a }] }\n')).toEqual([
    ['list-invalid', '"ignore" is not a field of item 1 of "actions"'],
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
    ['phone: { width: 500 }', '1:21: a viewport has no "height" (a whole number from 100 to 20000 or null). Add it.'],
    ['phone: { width: 50, height: 500 }', '1:30: "width" must be a whole number from 100 to 8000, not 50. Correct it.'],
    ['phone: { device: 15 }', '1:31: "device" must be text, not 15. Put it in quotes: "15".'],
    ['phone: { devise: Pixel 7 }', '1:23: "devise" is not a field of a viewport. Did you mean "device"?'],
    [
      'phone: { device: Pixel 7, width: 50 }',
      '1:40: "width" does not go with the other fields of a viewport. Write a mapping with width and height or a mapping with device.',
    ],
    ['"": { device: Pixel 7 }', '1:14: "" cannot be a name in "viewports". Write a name.'],
  ])('is judged by what was meant, with one message: %s', (viewport, message) => {
    expect(messagesOf(`viewports: { ${viewport} }\npages: [/]\n`)).toEqual([`pages.yaml:${message}`]);
  });

  test.each([
    ['5', '1:9: a page must be text or a mapping with url, not 5. Put it in quotes: "5".'],
    ['[/]', '1:9: a page must be text or a mapping with url, not the list ["/"]. Correct it.'],
    ['""', '1:9: a page must be text or a mapping with url, not an empty text. Correct it.'],
    [
      '{ url: / , width: a }',
      '1:27: "width" must be a whole number from 100 to 8000, not "a". Viewport width in pixels. Default: the project\'s, else 1280.',
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
      'pages.yaml:2:16: "treshold" is not a field of a page',
      'pages.yaml:3:16: "ignored" is not a field of a page',
      'pages.yaml:4:27: the environment variable UNSET is not set',
      'pages.yaml:6:5: the shot "x" is also made by the page at pages.yaml:5:5',
      'pages.yaml:7:27: "threshold" must be a number from 0 to 1, not "${T}"',
      'pages.yaml:7:54: "maxDiffPixelRatio" must be a number from 0 to 1, not 10',
    ]);
  });

  test('leave the right values alone', () => {
    const shots = shotsOf('pages:\n  - { url: /, threshold: 0.2, maxDiffPixelRatio: 0.1, maxDiffPixels: 10 }\n');
    expect(shots[0]?.fields).toEqual({ threshold: 0.2, maxDiffPixelRatio: 0.1, maxDiffPixels: 10 });
  });
});
