import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import {
  analyzeV3Schema,
  compareV3Schema,
  SERVICE_DEFAULTS,
  screenshotV1Schema,
  screenshotV2Schema,
} from '../../../src/service/protocol/requests.js';

/** A field of the published interface: values that are taken, what is made of nothing, and values that are refused. */
interface Field {
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
  readonly fallback: unknown;
}

const url = 'https://example.test/a?b=c#d';
const flag: Field = { taken: [true, false], refused: ['true', 1, null], fallback: false };
const text: Field = { taken: ['a', 'a, b'], refused: [1, {}, null], fallback: undefined };
const common: Readonly<Record<string, Field>> = {
  url: {
    taken: [url, 'http://127.0.0.1:3000', 'https://user:p%40ss@example.test/', 'http://[::1]/'],
    refused: [
      '',
      'example.test',
      '/a',
      'ftp://example.test/',
      'file:///etc/passwd',
      'javascript:1',
      'http://%@a/',
      1,
      null,
    ],
    fallback: undefined,
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
  language: { taken: ['de', 'de-DE', 'zh-Hant-TW'], refused: ['d', 'de_DE', '!', 1, null], fallback: undefined },
};
const formats = (...taken: string[]): Readonly<Record<string, Field>> => ({
  format: { taken, refused: ['gif', 'PNG', '', 1, null], fallback: 'png' },
});

const V1 = {
  ...common,
  delay: { taken: [0, 1, 10], refused: [-1, 0.5, 11, '1', null], fallback: 0 },
  ...formats('png', 'jpeg', 'jpg', 'webp', 'pdf'),
};
const V2 = {
  ...common,
  ...controls,
  ...formats('png', 'jpeg', 'jpg', 'webp', 'pdf', 'base64', 'html'),
  convert: flag,
  country: text,
};
const ANALYZE = {
  ...common,
  ...controls,
  ...formats('png', 'jpeg', 'webp', 'pdf', 'html'),
  waitForDom: flag,
  enableSummary: flag,
  enableQuality: flag,
  forceRefresh: flag,
};

const CALLS = [
  { name: 'v1 screenshot', schema: screenshotV1Schema, fields: V1 },
  { name: 'v2 screenshot', schema: screenshotV2Schema, fields: V2 },
  { name: 'v3 analyze', schema: analyzeV3Schema, fields: ANALYZE },
] as const;

for (const { name, schema, fields } of CALLS) {
  describe(name, () => {
    test('has these fields and no other', () => {
      expect(Object.keys(schema.shape).sort()).toEqual(Object.keys(fields).sort());
    });

    for (const [field, { taken, refused, fallback }] of Object.entries(fields)) {
      test(`${field}: accepts values within its bounds`, () => {
        for (const value of taken) expect(schema.parse({ url, [field]: value })).toMatchObject({ [field]: value });
      });

      test(`${field}: refuses other values and names the field`, () => {
        for (const value of refused) {
          const { error } = schema.safeParse({ url, [field]: value });
          expect([value, error?.issues[0]?.path]).toEqual([value, [field]]);
        }
      });

      if (field !== 'url') {
        test(`${field}: is ${JSON.stringify(fallback)} where nothing is said`, () => {
          const parsed: Record<string, unknown> = schema.parse({ url });
          expect(parsed[field]).toEqual(fallback);
        });
      }
    }

    test('removes unknown fields', () => {
      expect(schema.parse({ url, later: 1 })).toEqual(schema.parse({ url }));
    });

    test('takes an empty text, as forms send it, for nothing', () => {
      expect(schema.parse({ url, javascriptCode: '', hide: ' ', language: '', country: '' })).toEqual(
        schema.parse({ url }),
      );
    });

    test('names every field that is wrong', () => {
      const { error } = schema.safeParse({ url: 'no', width: 1, height: 1, format: 'gif', delay: 11, fullSize: 1 });
      const names = new Set(error?.issues.map(({ path }) => path.join('.')));
      expect([...names].sort()).toEqual(['delay', 'format', 'fullSize', 'height', 'url', 'width']);
    });
  });
}

describe('a height of null', () => {
  test('is the height of the content', () => {
    for (const { schema } of CALLS) expect(schema.parse({ url, height: null }).height).toBe(null);
  });
});

describe('v3 compare', () => {
  const sides: Readonly<Record<string, Field>> = {
    ...common,
    ...controls,
    // Null is as much as nothing here.
    height: { taken: [100, 20_000], refused: [99, 20_001, 100.5, '100'], fallback: 720 },
  };
  const compare = (before: unknown, more: object = {}) =>
    compareV3Schema.safeParse({ before, after: { url }, ...more });

  test('a source has these fields and no other', () => {
    expect(Object.keys(compareV3Schema.shape.before.shape).sort()).toEqual([...Object.keys(sides), 'imageUrl'].sort());
  });

  for (const [field, { taken, refused, fallback }] of Object.entries(sides)) {
    test(`${field} of a source: accepts values within its bounds, and null for nothing`, () => {
      const other = field === 'url' ? { imageUrl: url } : { url };
      for (const value of taken)
        expect(compare({ url, [field]: value }).data?.before).toMatchObject({ [field]: value });
      expect(compare({ ...other, [field]: null }).data?.before).toMatchObject({ [field]: fallback });
    });

    test(`${field} of a source: refuses other values and names the field`, () => {
      for (const value of refused.filter((one) => one !== null)) {
        expect([value, compare({ url, [field]: value }).error?.issues[0]?.path]).toEqual([value, ['before', field]]);
      }
    });
  }

  test('a source is a page or an image; neither is refused', () => {
    expect(compare({ imageUrl: url }).success).toBe(true);
    expect(compare({ url: null, imageUrl: null }).error?.issues.map(({ path }) => path)).toEqual([['before']]);
    expect(compare(null).error?.issues.map(({ path }) => path)).toEqual([['before']]);
  });

  test('the threshold is 0..1, and 0.1 where nothing is said', () => {
    const thresholdOf = (value: unknown) => compare({ url }, { threshold: value }).data?.threshold;
    expect([0, 0.25, 1, null, undefined].map(thresholdOf)).toEqual([0, 0.25, 1, 0.1, 0.1]);
    expect([-0.1, 1.1, '0.1'].map(thresholdOf)).toEqual([undefined, undefined, undefined]);
  });
});

test('omitted fields have the same defaults as in a page list', () => {
  const { threshold: _, ...ours } = SERVICE_DEFAULTS;
  expect(DEFAULTS).toMatchObject(ours);
});
