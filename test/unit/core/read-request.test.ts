import { describe, expect, test } from 'vitest';
import { listUnknownFields, readRequest } from '../../../src/core/adhoc/read-request.js';
import { compareV3Schema, screenshotV2Schema } from '../../../src/model/service/requests.js';

const url = 'https://example.test/';
const messagesOf = (schema: typeof screenshotV2Schema | typeof compareV3Schema, body: unknown) =>
  listUnknownFields(schema, body).map(({ message }) => message);

test('an empty text means nothing, in whatever field it stands', () => {
  const empty = { format: '', width: '', fullSize: '', language: '', hide: '' };
  expect(readRequest(screenshotV2Schema, { url, ...empty })).toEqual(screenshotV2Schema.parse({ url }));
  const sides = { before: { url, width: '', imageUrl: '' }, after: { imageUrl: url, url: '' }, threshold: '' };
  expect(readRequest(compareV3Schema, sides)).toEqual(
    compareV3Schema.parse({ before: { url }, after: { imageUrl: url } }),
  );
});

describe('an unknown field', () => {
  test('is named, and that it is a value of another one', () => {
    expect(messagesOf(screenshotV2Schema, { url, base64: true, fullsize: true, xyzzyxyzzy: 1 })).toEqual([
      '"base64": the field is unknown and has no effect. "base64" is a value of "format"',
      '"fullsize": the field is unknown and has no effect. Did you mean "fullSize"?',
      '"xyzzyxyzzy": the field is unknown and has no effect',
    ]);
  });

  test('of a side is named with its side, also by the names that every object has', () => {
    const body = JSON.parse(`{"before":{"url":"${url}","constructor":1},"after":{"__proto__":{}},"html":""}`);
    expect(messagesOf(compareV3Schema, body)).toEqual([
      expect.stringMatching(/^"before.constructor": /),
      expect.stringMatching(/^"after.__proto__": /),
      expect.stringMatching(/^"html": /),
    ]);
  });

  test('is one of at most 20 that are named, cut where it is long', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`${'x'.repeat(200)}${index}`, 1]));
    const messages = messagesOf(screenshotV2Schema, { url, ...many });
    expect(messages).toHaveLength(21);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(150);
    expect(messages.at(-1)).toBe('49980 more fields are unknown and have no effect');
  });

  test('is none where all are known', () => {
    expect(messagesOf(screenshotV2Schema, { url, format: 'base64', hide: ['.a'] })).toEqual([]);
    for (const body of [null, [], 'text', 7]) expect(messagesOf(screenshotV2Schema, body)).toEqual([]);
  });
});
