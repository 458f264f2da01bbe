import { describe, expect, test } from 'vitest';
import { checkOptions } from '../../../src/page-list/validate/check-list.js';
import { messagesOf, shotsOf } from './list-file.js';

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
      checkOptions(options, "toMatchBaseline('x')");
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
