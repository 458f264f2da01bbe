import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  analyzeV3Schema,
  compareV3Schema,
  readRequest,
  screenshotV1Schema,
  screenshotV2Schema,
} from '../../../../src/service/protocol/requests.js';

const url = 'https://example.test/a?b=c#d';
const BAD_URLS = ['', 'example.test', '/a', 'ftp://example.test/', 'file:///etc/passwd', 'javascript:1', 'http://%@a/'];
const PAGE = { width: 1280, height: 720, fullSize: false, hideCookie: false, delay: 0 };
const FLAGS = { enableSummary: false, enableQuality: false, forceRefresh: false };
const TEXTS = ['javascriptCode', 'hide', 'language'];

const parseSide = (before: object) => compareV3Schema.safeParse({ before, after: { url } });

describe.each<[name: string, schema: z.ZodObject, defaults: object, optional: string[], formats: string[]]>([
  ['v1 screenshot', screenshotV1Schema, PAGE, [], ['jpg']],
  ['v2 screenshot', screenshotV2Schema, PAGE, TEXTS, ['jpg', 'base64', 'html']],
  ['v3 analyze', analyzeV3Schema, { ...PAGE, ...FLAGS }, TEXTS, ['html']],
])('%s', (_, schema, defaults, optional, formats) => {
  test('has these fields with these defaults, and no other', () => {
    expect(schema.parse({ url })).toEqual({ url, ...defaults, format: 'png' });
    expect(Object.keys(schema.shape).sort()).toEqual(['url', ...Object.keys(defaults), ...optional, 'format'].sort());
  });

  test('has these formats', () => {
    const all = ['png', 'jpeg', 'webp', 'pdf', 'jpg', 'base64', 'html', 'gif', 'PNG', ''];
    const taken = all.filter((format) => schema.safeParse({ url, format }).success);
    expect(taken).toEqual(['png', 'jpeg', 'webp', 'pdf', ...formats]);
  });
});

test('a field of a page has its bounds', () => {
  const refused = Object.entries({
    ...{
      url: [...BAD_URLS, 1, null],
      width: [99, 8001, 100.5, '100', null],
      height: [99, 20_001],
      fullSize: ['true', 1],
    },
    ...{ delay: [-0.1, 10.1, '1'], javascriptCode: [1, {}, null], language: ['d', 'de_DE', '!', 1, null] },
  });
  for (const [field, values] of refused) {
    for (const value of values) {
      const { error } = screenshotV2Schema.safeParse({ url, [field]: value });
      expect([value, error?.issues[0]?.path]).toEqual([value, [field]]);
    }
  }
  for (const taken of [
    ...[
      { url: 'https://user:p%40ss@example.test/' },
      { url: 'http://[::1]/' },
      { width: 100, height: 100, delay: 0.5 },
    ],
    ...[{ width: 8000, height: 20_000, delay: 10 }, { height: null }, { hide: '.a, .b' }, { hide: ['.a', '.b'] }],
    ...[{ language: 'de' }, { language: 'zh-Hant-TW' }],
  ])
    expect(screenshotV2Schema.parse({ url, ...taken })).toMatchObject(taken);
  expect(screenshotV1Schema.safeParse({ url, delay: 0.5 }).error?.issues[0]?.path).toEqual(['delay']);
});

test('a side of v3 compare takes null as nothing, and is a page or an image', () => {
  expect(parseSide({ url }).data?.before).toEqual({ url, ...PAGE });
  const names = ['url', 'imageUrl', ...Object.keys(PAGE), ...TEXTS];
  expect(Object.keys(compareV3Schema.shape.before.shape).sort()).toEqual(names.sort());
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  expect(parseSide({ ...nothing, url }).data).toEqual(parseSide({ url }).data);
  expect(parseSide({ ...nothing, imageUrl: url }).data).toEqual(parseSide({ imageUrl: url }).data);
  expect(parseSide(nothing).error?.issues.map(({ path }) => path)).toEqual([['before']]);
  const thresholdOf = (threshold: unknown) =>
    compareV3Schema.safeParse({ before: { url }, after: { url }, threshold }).data?.threshold;
  expect([0, 1, null, undefined, -0.1, 1.1, '0.1'].map(thresholdOf)).toEqual([
    ...[0, 1, 0.1, 0.1, undefined, undefined, undefined],
  ]);
});

const read = (schema: z.ZodObject, body: unknown) => readRequest(schema, body, 'See there.');

test('blank strings are ignored in every field', () => {
  const empty = { format: '', width: '', fullSize: '', language: '', hide: ' ' };
  expect(read(screenshotV2Schema, { url, ...empty }).request).toEqual(screenshotV2Schema.parse({ url }));
  const sides = { before: { url, width: '', imageUrl: '' }, after: { imageUrl: url, url: '' }, threshold: '' };
  const same = compareV3Schema.parse({ before: { url }, after: { imageUrl: url } });
  expect(read(compareV3Schema, sides).request).toEqual(same);
});

test.each<[schema: z.ZodObject, body: unknown, ...messages: string[]]>([
  [screenshotV2Schema, null, 'the request: it is an empty value, expected a mapping with url'],
  [screenshotV2Schema, {}, 'url: it is missing, expected a URL that starts with http:// or https://'],
  [
    ...([screenshotV2Schema, { url: 'http://%ff@a.test/', width: 5, height: 'tall', delay: 11 }] as const),
    'url: it is "http://***@a.test/", expected a user name and password in percent-encoding',
    'width: it is 5, expected a whole number from 100 to 8000',
    'height: it is "tall", expected a whole number from 100 to 20000 or null',
    'delay: it is 11, expected a number from 0 to 10',
  ],
  [
    ...([screenshotV2Schema, { url, fullSize: 1, format: 'gif', hide: ['a', 5], language: 'German!' }] as const),
    'fullSize: it is 1, expected true or false',
    'hide.1: it is 5, expected a string',
    'language: it is "German!", expected a locale such as de-DE',
    'format: it is "gif", expected png, jpeg, jpg, webp, pdf, base64 or html',
  ],
  [
    ...([compareV3Schema, { before: { url, width: true }, after: {}, threshold: 2 }] as const),
    'before.width: it is true, expected a whole number from 100 to 8000 or null',
    'after: it is {}, expected an object with url or imageUrl',
    'threshold: it is 2, expected a number from 0 to 1 or null',
  ],
  [compareV3Schema, { after: { url } }, 'before: it is missing, expected a mapping'],
])('wrong fields are described in words: %# %j', (schema, body, ...messages) => {
  const errors = messages.map((message) => expect.objectContaining({ message: `${message}. See there.` }));
  expect(() => read(schema, body)).toThrow(expect.objectContaining({ errors }));
});

test('an unknown field is named with its side, also if every object has this name; long names are cut, and 20 are named', () => {
  const messagesOf = (schema: z.ZodObject, body: unknown) => read(schema, body).warnings.map(({ message }) => message);
  const sides = `{"before":{"url":"${url}","constructor":1},"after":{"url":"${url}","__proto__":{}},"html":""}`;
  expect(messagesOf(compareV3Schema, JSON.parse(sides))).toEqual([
    expect.stringMatching(/^unknown field "before.constructor" has/),
    expect.stringMatching(/^unknown field "after.__proto__" has/),
    expect.stringMatching(/^unknown field "html" has/),
  ]);
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`${'x'.repeat(200)}${index}`, 1]));
  const messages = messagesOf(screenshotV2Schema, { url, ...many });
  expect(messages).toHaveLength(20);
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(150);
});
