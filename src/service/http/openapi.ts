import { z } from 'zod';
import { packageVersion } from '../../run/index.js';
import { OPERATIONS } from '../operations.js';
import { serviceErrorSchema } from '../protocol/responses.js';

const FAILURES = {
  400: 'invalid fields; `details` lists each of them',
  401: 'missing or unknown key',
  413: 'the body is larger than 1 MB',
  415: 'the content type is not application/json',
  422: 'the page cannot be captured, or the images cannot be compared',
  429: 'rate limit of this key exceeded; Retry-After contains the delay',
  503: 'the queue is full, or the service is shutting down; Retry-After contains the delay',
  504: 'time limit exceeded',
};

/**
 * Returns the OpenAPI 3.1 document of the service. The schemas are those that validate requests.
 *
 * @param keyHeader the header of the keys; null: there are none.
 */
export function describeOpenApi(keyHeader: string | null): object {
  const key = { type: 'apiKey', in: 'header', name: keyHeader };
  return {
    openapi: '3.1.0',
    info: {
      title: 'proofsheet',
      version: packageVersion(),
      description: 'Captures and compares pages.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths: Object.fromEntries(Object.values(OPERATIONS).map(describeOperation)),
    components: {
      schemas: { Error: schemaOf(serviceErrorSchema, 'output') },
      ...(keyHeader !== null && { securitySchemes: { key } }),
    },
    security: keyHeader === null ? [] : [{ key: [] }],
  };
}

type Operation = Pick<(typeof OPERATIONS)[keyof typeof OPERATIONS], 'path' | 'summary' | 'request' | 'response'>;

function describeOperation({ path, summary, request, response }: Operation): [path: string, item: object] {
  const post = {
    operationId: path.slice('/api/'.length).replace('/', '_'),
    summary,
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(request, 'input') } } },
    responses: {
      ...describeResponses({ 200: 'Done.' }, schemaOf(response, 'output')),
      ...describeResponses(FAILURES, { $ref: '#/components/schemas/Error' }),
    },
  };
  return [path, { post }];
}

function describeResponses(texts: Readonly<Record<string, string>>, schema: object): object {
  const content = { 'application/json': { schema } };
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description, content }]));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}
