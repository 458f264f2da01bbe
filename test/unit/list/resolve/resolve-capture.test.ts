import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../../../src/list/resolve/resolve-settings.js';
import { messagesOf, shotsOf } from '../list-file.js';

const area = (x: number) => ({ x, y: 20, width: 300, height: 50 });

function ignoreOf(list: string) {
  return shotsOf(list).map(({ fields }) => resolveSettings(fields).capture.ignore);
}

describe('what is ignored', () => {
  test.each([
    ['".a, #b"', { selectors: ['.a', '#b'], areas: [] }],
    ['{ x: 10, y: 20, width: 300, height: 50 }', { selectors: [], areas: [area(10)] }],
    ['[.a, { x: 10, y: 20, width: 300, height: 50 }, "#b, .c"]', { selectors: ['.a', '#b', '.c'], areas: [area(10)] }],
    ['[]', { selectors: [], areas: [] }],
  ])('is selectors, rectangles, or a list of both: %s', (ignore, expected) => {
    expect(ignoreOf(`pages: [{ url: /, ignore: ${ignore} }]`)).toEqual([expected]);
  });

  test('of the defaults, of a page and of a state is added', () => {
    const list = `defaults: { ignore: .a }
pages:
  - url: /
    ignore: { x: 10, y: 20, width: 300, height: 50 }
    states: { open: { ignore: [.b, { x: 11, y: 20, width: 300, height: 50 }] } }
`;
    expect(ignoreOf(list)).toEqual([
      { selectors: ['.a'], areas: [area(10)] },
      { selectors: ['.a', '.b'], areas: [area(10), area(11)] },
    ]);
  });

  test.each([
    ['{ x: 1, y: 1, widht: 1, height: 1 }', '1:33: unknown key "widht" in "ignore". Did you mean "width"?'],
    ['{ x: 1, y: 1, width: 0, height: 1 }', '1:40: "width" must be a whole number from 1, not 0. Width in CSS pixels.'],
    [
      '{ x: 1, y: 1, width: 1 }',
      '1:19: missing key "height" in "ignore"; expected a whole number from 1. Add "height": Height in CSS pixels.',
    ],
    [
      '["", .a]',
      '1:20: item 1 of "ignore" must be a string or a mapping with x and y and width and height, not an empty string.',
    ],
    ['".a,"', '1:19: "ignore" has an empty selector in ".a,". Remove the extra comma. '],
    ['40', 'not 40. CSS selectors, or rectangles such as { x: 0, y: 0, width: 300, height: 50 }, to exclude'],
    [
      '.a, format: pdf',
      '1:11: "ignore" cannot be used with "format: pdf". Use "hide" or "remove", which also apply to a PDF,',
    ],
  ])('is reported at its position: %s', (ignore, message) => {
    expect(messagesOf(`pages: [{ ignore: ${ignore}, url: / }]`)).toEqual([expect.stringContaining(message)]);
  });
});
