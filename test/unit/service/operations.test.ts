import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { describeOpenApi, OPERATIONS } from '../../../src/service/operations.js';

const document = JSON.parse(JSON.stringify(describeOpenApi('x-some-key')));

function accepts(schema: object, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.validate(schema, value);
}

describe('the description of the service', () => {
  test('is OpenAPI 3.1, and names the header of the keys', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes).toEqual({ key: { type: 'apiKey', in: 'header', name: 'x-some-key' } });
    expect(document.security).toEqual([{ key: [] }]);
    expect(describeOpenApi(null)).toMatchObject({ security: [] });
  });

  for (const { path, request } of Object.values(OPERATIONS)) {
    test(`says of ${path} what its requests may be, as its own check does, and what can go wrong`, () => {
      const { responses, requestBody } = document.paths[path].post;
      const { schema } = requestBody.content['application/json'];
      expect(Object.keys(responses).map(Number)).toEqual([200, 400, 401, 413, 415, 422, 429, 503, 504]);
      const [url, source] = ['https://example.test/', { url: 'https://example.test/' }];
      const sides = { before: source, after: { imageUrl: url } };
      const samples = [
        {},
        { url, ...sides },
        { url, ...sides, language: 'de-DE', hide: ['.a'], threshold: 0.5 },
        { url: 'nothing', before: {}, after: null },
        { url, before: { url, width: 1 }, after: source, width: 1 },
        { url, before: { url, height: null }, after: source, height: 200 },
        { url, ...sides, threshold: 2, delay: 11 },
        { url, ...sides, language: '!', format: 'gif' },
      ];
      for (const sample of samples) {
        // That a source has one of its two addresses is said in words.
        if (path.endsWith('/compare') && sample.before !== undefined && Object.keys(sample.before).length === 0)
          continue;
        expect([sample, accepts(schema, sample)]).toEqual([sample, request.safeParse(sample).success]);
      }
    });
  }
});
