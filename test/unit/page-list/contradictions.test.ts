import { describe, expect, test } from 'vitest';
import { checkOptions } from '../../../src/page-list/validate/check-list.js';
import { messagesOf, shotsOf } from './list-file.js';

const ELEMENT_PDF =
  '"element" cannot be captured with "format: pdf". A PDF is the whole page as it prints: remove "element", or capture it as png.';
const MASK_PDF =
  '"mask" cannot be painted with "format: pdf". Use "hide" or "remove", which hold in print too, and mask only pages that are images.';
const FULL_SIZE =
  '"fullSize" has no meaning together with "element". Remove it: an element is captured whole, however large it is.';

const foundIn = (list: string) => messagesOf(list).map((message) => message.replace('pages.yaml:', ''));

describe('fields that contradict each other', () => {
  test.each([
    ['element: .a\n    fullSize: true', `4:5: ${FULL_SIZE}`],
    ['element: .a\n    format: pdf', `3:5: ${ELEMENT_PDF}`],
    ['mask: .a\n    format: pdf', `3:5: ${MASK_PDF}`],
    ['element: .a\n    states: { x: { fullSize: true } }', `4:20: ${FULL_SIZE}`],
    ['format: pdf\n    states: { x: { mask: .a } }', `4:20: ${MASK_PDF}`],
  ])('are told of at one of them: %j', (lines, message) => {
    expect(foundIn(`pages:\n  - url: /\n    ${lines}\n`)).toEqual([message]);
  });

  test('are told of once, where they come together', () => {
    const list = `defaults: { mask: .a }
pages:
  - { url: /a, format: pdf, states: { x: {}, y: { delay: 1 } } }
  - { url: /b, states: { x: { format: pdf, delay: 1 } } }
`;
    expect(foundIn(list)).toEqual([`3:16: ${MASK_PDF}`, `4:31: ${MASK_PDF}`]);
    expect(foundIn('defaults: { mask: .a, format: pdf }\npages: [/a, /b]\n')).toEqual([`1:13: ${MASK_PDF}`]);
  });

  test('are told of at the page that a state of the defaults does not fit', () => {
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

  test('are none where an element is laid over a fullSize that the list means for its other pages', () => {
    expect(shotsOf('defaults: { fullSize: true }\npages:\n  - { url: /, element: .a }\n')).toHaveLength(1);
    expect(shotsOf('pages:\n  - { url: /, element: .a, fullSize: false, quality: 5, mask: .b }\n')).toHaveLength(1);
  });

  test('are none where nothing is masked', () => {
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
    [{ element: '.a' }, /^toMatchBaseline\('x'\): "element" is not one of its options\. /],
    [{ headers: { a: 'hunter2' } }, /^toMatchBaseline\('x'\): "headers" is not one of its options\. /],
    [{ states: {} }, /"states" is not one of its options\. /],
    [{ settle: { fnts: false } }, /"fnts" is not a field of "settle"\. Did you mean "fonts"\?$/],
    [{ strictMasks: 'yes' }, /"strictMasks" must be true or false, not "yes"\. Write true or false, without quotes\.$/],
    [{ format: 'pdf', mask: '.a' }, /"mask" cannot be painted with "format: pdf"\. /],
  ])('are told what they can be: %j', (options, message) => {
    expect(refusal(options)).toMatch(message);
  });
});
