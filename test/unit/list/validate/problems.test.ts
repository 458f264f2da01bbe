// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf } from '../list-file.js';

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`);
}

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

  test('is reported besides a key that is missing', () => {
    expect(messagesOf('pages: [{ nam: x, xyz: /x }]\n')).toEqual([
      'pages.yaml:1:9: missing key "url" in a page; expected a string. Add "url": URL, or path relative to baseURL.',
      'pages.yaml:1:11: unknown key "nam" in a page. Did you mean "name"?',
      expect.stringContaining('pages.yaml:1:19: unknown key "xyz" in a page. Allowed: '),
    ]);
  });
});

test('the mistakes that other tools let pass are all found in one list', () => {
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
