import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeOpenApi } from '../../../../src/service/http/openapi.js';
import { OPERATIONS } from '../../../../src/service/operations.js';

const described = { version: '1.2.3', keyHeader: 'x-some-key', hasKeys: true };
const media = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) }),
});
const document = z
  .object({
    openapi: z.string(),
    paths: z.record(
      z.string(),
      z.object({ post: z.object({ requestBody: media, responses: z.record(z.string(), media) }).optional() }),
    ),
    components: z.object({ securitySchemes: z.unknown() }),
    security: z.array(z.unknown()),
  })
  .parse(describeOpenApi(described));

function schemasOf(path: string) {
  const post = document.paths[path]?.post;
  if (!post) throw new Error(`no POST ${path}`);
  const schemaOf = (part: z.infer<typeof media> | undefined) => part?.content['application/json'].schema ?? {};
  return {
    request: schemaOf(post.requestBody),
    response: schemaOf(post.responses['200']),
    statuses: Object.keys(post.responses),
  };
}

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
    expect(describeOpenApi({ ...described, hasKeys: false })).toMatchObject({ security: [] });
  });

  for (const { path, request } of Object.values(OPERATIONS)) {
    test(`says of ${path} what its requests may be, as its own check does`, () => {
      const schema = schemasOf(path).request;
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

    test(`says of ${path} what can go wrong`, () => {
      expect(schemasOf(path).statuses).toEqual(['200', '400', '401', '413', '415', '422', '429', '503', '504']);
    });
  }
});
