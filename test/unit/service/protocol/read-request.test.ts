import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../../src/model/errors.js';
import { readRequest } from '../../../../src/service/protocol/read-request.js';
import { compareV3Schema, screenshotV2Schema } from '../../../../src/service/protocol/requests.js';

const url = 'https://example.test/';
const messagesOf = (schema: typeof screenshotV2Schema | typeof compareV3Schema, body: unknown) =>
  readRequest(schema, body, 'See there.').warnings.map(({ message }) => message);

test('blank strings are ignored in every field', () => {
  const empty = { format: '', width: '', fullSize: '', language: '', hide: ' ' };
  const requestOf = (schema: typeof screenshotV2Schema | typeof compareV3Schema, body: unknown) =>
    readRequest(schema, body, 'See there.').request;
  expect(requestOf(screenshotV2Schema, { url, ...empty })).toEqual(screenshotV2Schema.parse({ url }));
  const sides = { before: { url, width: '', imageUrl: '' }, after: { imageUrl: url, url: '' }, threshold: '' };
  expect(requestOf(compareV3Schema, sides)).toEqual(
    compareV3Schema.parse({ before: { url }, after: { imageUrl: url } }),
  );
});

describe('a wrong field', () => {
  const refusalOf = (schema: typeof screenshotV2Schema | typeof compareV3Schema, body: unknown): string[] => {
    try {
      readRequest(schema, body, 'See there.');
    } catch (error) {
      if (error instanceof AggregateError) return error.errors.map(messageOf);
    }
    throw new Error('the request was accepted');
  };

  test.each([
    [null, 'the request: it is an empty value, expected a mapping with url'],
    [{}, 'url: it is missing, expected a URL that starts with http:// or https://'],
    [{ url: 'nonsense' }, 'url: it is "nonsense", expected a URL that starts with http:// or https://'],
    [{ url: 5 }, 'url: it is 5, expected a URL that starts with http:// or https://'],
    [
      { url: 'http://%ff@a.test/' },
      'url: it is "http://***@a.test/", expected a user name and password in percent-encoding',
    ],
    [{ url, width: 5 }, 'width: it is 5, expected a whole number from 100 to 8000'],
    [{ url, height: 'tall' }, 'height: it is "tall", expected a whole number from 100 to 20000 or null'],
    [{ url, delay: 11 }, 'delay: it is 11, expected a number from 0 to 10'],
    [{ url, fullSize: 1 }, 'fullSize: it is 1, expected true or false'],
    [{ url, format: 'gif' }, 'format: it is "gif", expected png, jpeg, jpg, webp, pdf, base64 or html'],
    [{ url, hide: 5 }, 'hide: it is 5, expected a string or a list'],
    [{ url, hide: ['a', 5] }, 'hide.1: it is 5, expected a string'],
    [{ url, language: 'German!' }, 'language: it is "German!", expected a locale such as de-DE'],
    [{ url, javascriptCode: {} }, 'javascriptCode: it is an empty mapping, expected a string'],
  ])('is described in words: %j', (body, message) => {
    expect(refusalOf(screenshotV2Schema, body)).toEqual([`${message}. See there.`]);
  });

  test('of a side is described with its side', () => {
    expect(refusalOf(compareV3Schema, { before: { url, width: true }, after: {}, threshold: 2 })).toEqual([
      'before.width: it is true, expected a whole number from 100 to 8000 or null. See there.',
      'after: it is an empty mapping, expected an object with url or imageUrl. See there.',
      'threshold: it is 2, expected a number from 0 to 1 or null. See there.',
    ]);
    expect(refusalOf(compareV3Schema, {})).toEqual([
      'before: it is missing, expected a mapping. See there.',
      'after: it is missing, expected a mapping. See there.',
    ]);
  });
});

describe('an unknown field', () => {
  test('is named', () => {
    expect(messagesOf(screenshotV2Schema, { url, base64: true, fullsize: true })).toEqual([
      'unknown field "base64" has no effect',
      'unknown field "fullsize" has no effect',
    ]);
  });

  test('of a side is named with its side, also if every object has this name', () => {
    const body = JSON.parse(
      `{"before":{"url":"${url}","constructor":1},"after":{"url":"${url}","__proto__":{}},"html":""}`,
    );
    expect(messagesOf(compareV3Schema, body)).toEqual([
      expect.stringMatching(/^unknown field "before.constructor" has/),
      expect.stringMatching(/^unknown field "after.__proto__" has/),
      expect.stringMatching(/^unknown field "html" has/),
    ]);
  });

  test('is truncated if it is long, and at most 20 are named', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`${'x'.repeat(200)}${index}`, 1]));
    const messages = messagesOf(screenshotV2Schema, { url, ...many });
    expect(messages).toHaveLength(20);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(150);
  });

  test('is not reported if all fields are known', () => {
    expect(messagesOf(screenshotV2Schema, { url, format: 'base64', hide: ['.a'] })).toEqual([]);
  });
});
