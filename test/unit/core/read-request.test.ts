import { describe, expect, test } from 'vitest';
import { listUnknownFields, readRequest } from '../../../src/core/adhoc/read-request.js';
import { compareV3Schema, screenshotV2Schema } from '../../../src/model/service/requests.js';

const url = 'https://example.test/';
const messagesOf = (schema: typeof screenshotV2Schema | typeof compareV3Schema, body: unknown) =>
  listUnknownFields(schema, body).map(({ message }) => message);

test('empty strings are ignored in every field', () => {
  const empty = { format: '', width: '', fullSize: '', language: '', hide: '' };
  expect(readRequest(screenshotV2Schema, { url, ...empty })).toEqual(screenshotV2Schema.parse({ url }));
  const sides = { before: { url, width: '', imageUrl: '' }, after: { imageUrl: url, url: '' }, threshold: '' };
  expect(readRequest(compareV3Schema, sides)).toEqual(
    compareV3Schema.parse({ before: { url }, after: { imageUrl: url } }),
  );
});

describe('an unknown field', () => {
  test('is named, with the field that has it as a value', () => {
    expect(messagesOf(screenshotV2Schema, { url, base64: true, fullsize: true, xyzzyxyzzy: 1 })).toEqual([
      'unknown field "base64" has no effect; "base64" is a value of "format"',
      'unknown field "fullsize" has no effect; did you mean "fullSize"?',
      'unknown field "xyzzyxyzzy" has no effect',
    ]);
  });

  test('of a side is named with its side, also if every object has this name', () => {
    const body = JSON.parse(`{"before":{"url":"${url}","constructor":1},"after":{"__proto__":{}},"html":""}`);
    expect(messagesOf(compareV3Schema, body)).toEqual([
      expect.stringMatching(/^unknown field "before.constructor" has/),
      expect.stringMatching(/^unknown field "after.__proto__" has/),
      expect.stringMatching(/^unknown field "html" has/),
    ]);
  });

  test('is truncated if it is long, and at most 20 are named', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`${'x'.repeat(200)}${index}`, 1]));
    const messages = messagesOf(screenshotV2Schema, { url, ...many });
    expect(messages).toHaveLength(21);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(150);
    expect(messages.at(-1)).toBe('49980 more unknown fields have no effect');
  });

  test('is not reported if all fields are known', () => {
    expect(messagesOf(screenshotV2Schema, { url, format: 'base64', hide: ['.a'] })).toEqual([]);
    for (const body of [null, [], 'text', 7]) expect(messagesOf(screenshotV2Schema, body)).toEqual([]);
  });
});
