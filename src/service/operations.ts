import { z } from 'zod';
import type { Warning } from '../model/index.js';
import { packageVersion } from '../run/index.js';
import { analyze } from './analysis/analyze.js';
import { compare, screenshot } from './captures/calls.js';
import {
  analyzeV3Schema,
  compareV3Schema,
  readRequest,
  screenshotV1Schema,
  screenshotV2Schema,
} from './protocol/requests.js';
import {
  analyzeResponseSchema,
  compareResponseSchema,
  screenshotV1ResponseSchema,
  screenshotV2ResponseSchema,
  serviceErrorSchema,
} from './protocol/responses.js';
import type { Call, CallContext, Job } from './service.js';

interface Operation<Request extends z.ZodObject, Answer> {
  readonly path: string;
  readonly summary: string;
  readonly request: Request;
  readonly response: z.ZodObject & z.ZodType<Answer>;
  /** The MCP tool that performs the operation. */
  readonly tool?: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    present(answer: Answer): { readonly data: object; readonly images: Readonly<Record<string, string | null>> };
  };
  perform(request: z.output<Request>, context: CallContext, call: Call): Promise<Answer>;
}

/** Adds the functions that validate a request, for HTTP and for MCP. They throw what `readRequest` throws. */
function define<Request extends z.ZodObject, Answer extends { readonly warnings: Warning[] }>(
  operation: Operation<Request, Answer>,
) {
  const { tool } = operation;
  const read = (body: unknown, advice = 'See /openapi.json for the allowed values.'): Job<Answer> => {
    const { request, warnings } = readRequest(operation.request, body, advice);
    return async (context, call) => {
      const answer = await operation.perform(request, context, call);
      return { ...answer, warnings: [...warnings, ...answer.warnings] };
    };
  };
  const readTool = (values: unknown, { present }: NonNullable<typeof tool>) => {
    const job = read(values, 'See the input schema of the tool.');
    return async (context: CallContext, call: Call) => present(await job(context, call));
  };
  return { ...operation, read, tool: tool && { ...tool, read: (values: unknown) => readTool(values, tool) } };
}

/** HTTP, MCP and their descriptions are made from this table. */
export const OPERATIONS = {
  screenshotV1: define({
    path: '/api/v1/screenshot',
    summary: 'Capture a page as a file',
    request: screenshotV1Schema,
    response: screenshotV1ResponseSchema,
    async perform(request, context, call) {
      const { image: _, html: __, ...answer } = await screenshot(request, context, call);
      return answer;
    },
  }),
  screenshotV2: define({
    path: '/api/v2/screenshot',
    summary: 'Capture a page as a file, or inline in the response',
    request: screenshotV2Schema,
    response: screenshotV2ResponseSchema,
    perform: screenshot,
    tool: {
      name: 'screenshot',
      title: 'Capture a page',
      description:
        'Captures a web page as an image (png, jpeg, webp), PDF or HTML once the page is stable. Supports any viewport size, full-page captures and hiding cookie banners. Returns the image and a link to it.',
      // The image is a content of its own.
      present: ({ html, ...answer }) => ({
        data: { ...answer, image: null, html: cut(html) },
        images: { screenshot: answer.link },
      }),
    },
  }),
  compareV3: define({
    path: '/api/v3/compare',
    summary: 'Compare two pages, two images, or a page and an image',
    request: compareV3Schema,
    response: compareResponseSchema,
    perform: compare,
    tool: {
      name: 'compare',
      title: 'Compare two pages',
      description:
        'Captures two web pages, or fetches two images, and compares them pixel by pixel. Returns how much differs and where, whether content moved, and the before, after and diff images.',
      present: (answer) => ({
        data: answer,
        images: {
          before: answer.before.link,
          after: answer.after.link,
          'diff (differences are marked)': answer.diff?.link ?? null,
        },
      }),
    },
  }),
  analyzeV3: define({
    path: '/api/v3/analyze',
    summary: 'Capture and analyze a page',
    request: analyzeV3Schema,
    response: analyzeResponseSchema,
    perform: analyze,
    tool: {
      name: 'analyze',
      title: 'Analyze a page',
      description:
        'Captures and analyzes a web page: headings, metadata and topics. enableQuality adds HTTP status, captchas, readability, broken links and images, console errors, accessibility and transfer size. enableSummary adds a summary.',
      present: ({ screenshot: { html, ...image }, ...answer }) => ({
        data: { ...answer, screenshot: { ...image, html: cut(html) } },
        images: { screenshot: image.link },
      }),
    },
  }),
} as const;

/** Maximum length of a document in a tool result, in characters. Longer documents fill the assistant's context. */
const MAX_HTML = 100_000;

function cut(html: string | null): string | null {
  if (html === null || html.length <= MAX_HTML) return html;
  return `${html.slice(0, MAX_HTML)}\n<!-- truncated: the link has the full document -->`;
}

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

/** Returns the OpenAPI 3.1 document of the service. `keyHeader` is the header of the keys; null: there are none. */
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
    paths: Object.fromEntries(Object.values(OPERATIONS).map((operation) => [operation.path, describePath(operation)])),
    components: {
      schemas: { Error: schemaOf(serviceErrorSchema, 'output') },
      ...(keyHeader !== null && { securitySchemes: { key } }),
    },
    security: keyHeader === null ? [] : [{ key: [] }],
  };
}

function describePath({ path, summary, request, response }: (typeof OPERATIONS)[keyof typeof OPERATIONS]): object {
  const post = {
    operationId: path.slice('/api/'.length).replace('/', '_'),
    summary,
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(request, 'input') } } },
    responses: {
      ...describeResponses({ 200: 'Done.' }, schemaOf(response, 'output')),
      ...describeResponses(FAILURES, { $ref: '#/components/schemas/Error' }),
    },
  };
  return { post };
}

function describeResponses(texts: Readonly<Record<string, string>>, schema: object): object {
  const content = { 'application/json': { schema } };
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description, content }]));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}
