import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
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
type Fields = Readonly<Record<string, Field>>;

const url = 'https://example.test/a?b=c#d';
const BAD_URLS = ['', 'example.test', '/a', 'ftp://example.test/', 'file:///etc/passwd', 'javascript:1', 'http://%@a/'];
const flag: Field = { taken: [true, false], refused: ['true', 1, null], fallback: false };
const text: Field = { taken: ['a', 'a, b'], refused: [1, {}, null] };
const common: Fields = {
  url: { taken: [url, 'https://user:p%40ss@example.test/', 'http://[::1]/'], refused: [...BAD_URLS, 1, null] },
  width: { taken: [100, 8000], refused: [99, 8001, 100.5, '100', null], fallback: 1280 },
  height: { taken: [100, 20_000, null], refused: [99, 20_001, 100.5, '100'], fallback: 720 },
  fullSize: flag,
  hideCookie: flag,
};
const controls: Fields = {
  delay: { taken: [0, 0.5, 10], refused: [-0.1, 10.1, '1', null], fallback: 0 },
  javascriptCode: text,
  hide: { ...text, taken: ['.a, .b', ['.a', '.b']] },
  language: { taken: ['de', 'de-DE', 'zh-Hant-TW'], refused: ['d', 'de_DE', '!', 1, null] },
};
const format = (...taken: string[]): Field => ({ taken, refused: ['gif', 'PNG', '', 1, null], fallback: 'png' });
const wholeDelay = { taken: [0, 1, 10], refused: [-1, 0.5, 11, '1', null], fallback: 0 };

/** Makes a field one of a side of v3 compare: null is nothing. */
const orNull = ({ refused, taken, ...field }: Field): Field => ({
  ...field,
  taken: taken.filter((value) => value !== null),
  refused: refused.filter((value) => value !== null),
});
const side = Object.fromEntries(Object.entries({ ...common, ...controls }).map(([name, one]) => [name, orNull(one)]));

const parseSide = (before: object) => compareV3Schema.safeParse({ before, after: { url } });

const v1 = { ...common, delay: wholeDelay, format: format('png', 'jpeg', 'jpg', 'webp', 'pdf') };
const v2 = { ...common, ...controls, format: format('png', 'jpeg', 'jpg', 'webp', 'pdf', 'base64', 'html') };
const flags = { enableSummary: flag, enableQuality: flag, forceRefresh: flag };

describe.each<[name: string, schema: z.ZodObject, fields: Fields, path: string[]]>([
  ['v1 screenshot', screenshotV1Schema, v1, []],
  ['v2 screenshot', screenshotV2Schema, v2, []],
  ['v3 analyze', analyzeV3Schema, { ...v2, ...flags, format: format('png', 'jpeg', 'webp', 'pdf', 'html') }, []],
  ['a side of v3 compare', compareV3Schema.shape.before, { ...side, imageUrl: side.url ?? flag }, ['before']],
])('%s', (_, schema, fields, path) => {
  const parse = (value: object) => {
    if (path.length === 0) return schema.safeParse(value);
    const { data, error } = parseSide(value);
    return { data: data?.before, error };
  };

  test('has these fields and no other', () => {
    expect(Object.keys(schema.shape).sort()).toEqual(Object.keys(fields).sort());
  });

  test.each(Object.entries(fields))('%s has its bounds, and a value where nothing is said', (field, rules: Field) => {
    for (const value of rules.taken) expect(parse({ url, [field]: value }).data).toMatchObject({ [field]: value });
    for (const value of rules.refused)
      expect([value, parse({ url, [field]: value }).error?.issues[0]?.path]).toEqual([value, [...path, field]]);
    const known: Record<string, unknown> = parse({ url }).data ?? {};
    if (field !== 'url') expect(known[field]).toEqual(rules.fallback);
  });
});

test('a side of v3 compare takes null as nothing, and is a page or an image', () => {
  const nothing = Object.fromEntries(Object.keys(side).map((name) => [name, null]));
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
