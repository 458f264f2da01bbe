import { expect, test } from 'vitest';
import { ProofsheetError } from '../../../src/model/errors.js';
import { endSentence, renderCountOf } from '../../../src/model/text.js';

test.each([
  [0, 'key', '0 keys'],
  [1, 'key', '1 key'],
  [2, 'key', '2 keys'],
  [1, 'more page', '1 more page'],
  [10_240, 'byte', '10,240 bytes'],
])('a count of %d has its noun in the right number: %s', (count, noun, text) => {
  expect(renderCountOf(count, noun)).toBe(text);
});

test.each([
  ['it failed', 'it failed.'],
  ['it failed.', 'it failed.'],
  ['it failed...', 'it failed.'],
  ['it failed. ', 'it failed.'],
  ['did it fail?', 'did it fail?'],
])('%j ends with one full stop', (text, ended) => {
  expect(endSentence(text)).toBe(ended);
});

test('a message has no two full stops where what was found ends with one', () => {
  const error = new ProofsheetError({ code: 'page-status', where: 'x', found: 'it failed.', advice: 'Mend it.' });
  expect(error.message).toBe('x: it failed. Mend it.');
});
