import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { messageOf } from '../../../../src/model/errors.js';
import {
  analyzeV3Schema,
  compareV3Schema,
  readRequest,
  screenshotV1Schema,
  screenshotV2Schema,
} from '../../../../src/service/protocol/requests.js';

/** A field of the published interface: values that are taken, values that are refused, and what is made of nothing. */
interface Field {
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
  readonly fallback?: unknown;
}

const url = 'https://example.test/a?b=c#d';
const BAD_URLS = ['', 'example.test', '/a', 'ftp://example.test/', 'file:///etc/passwd', 'javascript:1', 'http://%@a/'];
const flag: Field = { taken: [true, false], refused: ['true', 1, null], fallback: false };
const text: Field = { taken: ['a', 'a, b'], refused: [1, {}, null] };
const common: Readonly<Record<string, Field>> = {
  url: {
    taken: [url, 'http://127.0.0.1:3000', 'https://user:p%40ss@example.test/', 'http://[::1]/'],
    refused: [...BAD_URLS, 1, null],
  },
  width: { taken: [100, 8000], refused: [99, 8001, 100.5, '100', null], fallback: 1280 },
  height: { taken: [100, 20_000, null], refused: [99, 20_001, 100.5, '100'], fallback: 720 },
  fullSize: flag,
  hideCookie: flag,
};
const controls: Readonly<Record<string, Field>> = {
  delay: { taken: [0, 0.5, 10], refused: [-0.1, 10.1, '1', null], fallback: 0 },
  javascriptCode: text,
  hide: { ...text, taken: ['.a', '.a, .b', ['.a', '.b']] },
  language: { taken: ['de', 'de-DE', 'zh-Hant-TW'], refused: ['d', 'de_DE', '!', 1, null] },
};
const formats = (...taken: string[]): Readonly<Record<string, Field>> => ({
  format: { taken, refused: ['gif', 'PNG', '', 1, null], fallback: 'png' },
});

const CALLS = [
  {
    ...{ name: 'v1 screenshot', schema: screenshotV1Schema },
    fields: {
      ...common,
      delay: { taken: [0, 1, 10], refused: [-1, 0.5, 11, '1', null], fallback: 0 },
      ...formats('png', 'jpeg', 'jpg', 'webp', 'pdf'),
    },
  },
  {
    ...{ name: 'v2 screenshot', schema: screenshotV2Schema },
    fields: { ...common, ...controls, ...formats('png', 'jpeg', 'jpg', 'webp', 'pdf', 'base64', 'html') },
  },
  {
    ...{ name: 'v3 analyze', schema: analyzeV3Schema },
    fields: {
      ...{ ...common, ...controls, ...formats('png', 'jpeg', 'webp', 'pdf', 'html') },
      ...{ enableSummary: flag, enableQuality: flag, forceRefresh: flag },
    },
  },
] as const;

describe.each(CALLS)('$name', ({ schema, fields }) => {
  test('has these fields and no other', () => {
    expect(Object.keys(schema.shape).sort()).toEqual(Object.keys(fields).sort());
  });

  test.each(Object.entries(fields))('%s has its bounds, and a value where nothing is said', (field, rules: Field) => {
    for (const value of rules.taken) expect(schema.parse({ url, [field]: value })).toMatchObject({ [field]: value });
    for (const value of rules.refused)
      expect([value, schema.safeParse({ url, [field]: value }).error?.issues[0]?.path]).toEqual([value, [field]]);
    const parsed: Record<string, unknown> = schema.parse({ url });
    if (field !== 'url') expect(parsed[field]).toEqual(rules.fallback);
  });
});

describe('v3 compare', () => {
  const sides: Readonly<Record<string, Field>> = {
    ...{ ...common, ...controls },
    height: { taken: [100, 20_000], refused: [99, 20_001, 100.5, '100'], fallback: 720 },
  };
  const compare = (before: unknown, more: object = {}) =>
    compareV3Schema.safeParse({ before, after: { url }, ...more });

  test('a source has these fields and no other', () => {
    expect(Object.keys(compareV3Schema.shape.before.shape).sort()).toEqual([...Object.keys(sides), 'imageUrl'].sort());
  });

  test.each(Object.entries(sides))('%s of a source has its bounds, and null is nothing', (field, rules) => {
    const other = field === 'url' ? { imageUrl: url } : { url };
    for (const value of rules.taken)
      expect(compare({ url, [field]: value }).data?.before).toMatchObject({ [field]: value });
    for (const nothing of [null, undefined])
      expect(compare({ ...other, [field]: nothing }).data?.before).toMatchObject({ [field]: rules.fallback });
    for (const value of rules.refused.filter((one) => one !== null))
      expect([value, compare({ url, [field]: value }).error?.issues[0]?.path]).toEqual([value, ['before', field]]);
  });

  test('a source is a page or an image; neither is refused', () => {
    expect(compare({ imageUrl: url }).success).toBe(true);
    for (const source of [null, { url: null, imageUrl: null }])
      expect(compare(source).error?.issues.map(({ path }) => path)).toEqual([['before']]);
  });

  test('the threshold is 0..1, and 0.1 where nothing is said', () => {
    const thresholdOf = (value: unknown) => compare({ url }, { threshold: value }).data?.threshold;
    expect([0, 0.25, 1, null, undefined].map(thresholdOf)).toEqual([0, 0.25, 1, 0.1, 0.1]);
    expect([-0.1, 1.1, '0.1'].map(thresholdOf)).toEqual([undefined, undefined, undefined]);
  });
});

const read = (schema: z.ZodObject, body: unknown) => readRequest(schema, body, 'See there.');

test('blank strings are ignored in every field', () => {
  const empty = { format: '', width: '', fullSize: '', language: '', hide: ' ' };
  expect(read(screenshotV2Schema, { url, ...empty }).request).toEqual(screenshotV2Schema.parse({ url }));
  const sides = { before: { url, width: '', imageUrl: '' }, after: { imageUrl: url, url: '' }, threshold: '' };
  const same = compareV3Schema.parse({ before: { url }, after: { imageUrl: url } });
  expect(read(compareV3Schema, sides).request).toEqual(same);
});

describe('a wrong field', () => {
  const refusalOf = (schema: z.ZodObject, body: unknown): string[] => {
    try {
      read(schema, body);
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
    [{ url, javascriptCode: {} }, 'javascriptCode: it is {}, expected a string'],
  ])('is described in words: %j', (body, message) => {
    expect(refusalOf(screenshotV2Schema, body)).toEqual([`${message}. See there.`]);
  });

  test('of a side is described with its side', () => {
    expect(refusalOf(compareV3Schema, { before: { url, width: true }, after: {}, threshold: 2 })).toEqual([
      'before.width: it is true, expected a whole number from 100 to 8000 or null. See there.',
      'after: it is {}, expected an object with url or imageUrl. See there.',
      'threshold: it is 2, expected a number from 0 to 1 or null. See there.',
    ]);
    expect(refusalOf(compareV3Schema, {})).toEqual([
      'before: it is missing, expected a mapping. See there.',
      'after: it is missing, expected a mapping. See there.',
    ]);
  });
});

describe('an unknown field', () => {
  const messagesOf = (schema: z.ZodObject, body: unknown) => read(schema, body).warnings.map(({ message }) => message);

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
});
