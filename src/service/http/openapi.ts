import { html } from 'hono/html';
import { z } from 'zod';
import { SERVICE_CALLS } from '../protocol/requests.js';
import { serviceErrorSchema } from '../protocol/responses.js';

/** The settings that the API description contains. */
export interface Described {
  readonly version: string;
  readonly keyHeader: string;
  readonly hasKeys: boolean;
}

/** Descriptions of failures by HTTP status. */
export const SERVICE_FAILURES: Readonly<Record<string, string>> = {
  400: 'invalid fields; `details` lists each of them',
  401: 'missing or unknown key',
  413: 'the body is larger than 1 MB',
  415: 'the content type is not application/json',
  422: 'the page cannot be captured, or the images cannot be compared',
  429: 'rate limit of this key exceeded; Retry-After contains the delay',
  503: 'the queue is full, or the service is shutting down; Retry-After contains the delay',
  504: 'time limit exceeded',
};

/** A request field in the API documentation. */
export interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Default value as JSON; null if there is none. */
  readonly default: string | null;
}

/** A call in the API documentation. */
export interface DescribedCall {
  readonly path: string;
  readonly summary: string;
  readonly fields: readonly DescribedField[];
}

/** Returns the OpenAPI 3.1 document of the service. The schemas are those that validate requests. */
export function describeOpenApi({ version, keyHeader, hasKeys }: Described): object {
  const calls = Object.values(SERVICE_CALLS).map((call) => [call.path, { post: operationOf(call) }]);
  const key = { type: 'apiKey', in: 'header', name: keyHeader };
  return {
    openapi: '3.1.0',
    info: {
      title: 'proofsheet',
      version,
      description: 'Captures and compares pages.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths: {
      ...Object.fromEntries(calls),
      '/screenshots/{host}/{uuid}/{file}': { get: captureOperation },
      '/healthz': {
        get: {
          operationId: 'health',
          summary: 'Health check',
          security: [],
          responses: {
            200: { description: 'The service is running.' },
            503: { description: 'The service is shutting down.' },
          },
        },
      },
      '/metrics': {
        get: {
          operationId: 'metrics',
          summary: 'Metrics for Prometheus',
          responses: {
            200: {
              description: 'Metrics in the Prometheus text format.',
              content: { 'text/plain': { schema: { type: 'string' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: { Error: schemaOf(serviceErrorSchema, 'output') },
      ...(hasKeys && { securitySchemes: { key } }),
    },
    security: hasKeys ? [{ key: [] }] : [],
  };
}

/** Returns the fields of every call for the API page. */
export function describeCalls(): DescribedCall[] {
  return Object.values(SERVICE_CALLS).map(({ path, summary, request }) => ({
    path,
    summary,
    fields: fieldsOf(schemaOf(request, 'input'), ''),
  }));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): DescribedField[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return [];
    const path = `${prefix}${name}`;
    if (property.type === 'object') return fieldsOf(property, `${path}.`);
    const fallback = property.default === undefined ? null : JSON.stringify(property.default);
    return [
      { name: path, description: property.description ?? '', isRequired: required.includes(name), default: fallback },
    ];
  });
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}

function operationOf({ path, summary, request, response }: (typeof SERVICE_CALLS)[keyof typeof SERVICE_CALLS]): object {
  const failures = Object.entries(SERVICE_FAILURES).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]);
  return {
    operationId: path.slice('/api/'.length).replace('/', '_'),
    summary,
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(request, 'input') } } },
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: schemaOf(response, 'output') } } },
      ...Object.fromEntries(failures),
    },
  };
}

const captureOperation = {
  operationId: 'capture_file',
  summary: 'A file that a response links to; needs no key, because the link cannot be guessed',
  security: [],
  parameters: ['host', 'uuid', 'file'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  responses: { 200: { description: 'The file.' }, 404: { description: 'The file does not exist, or it expired.' } },
};

/** Renders the API page. It contains no scripts and loads no resources. */
export function renderApiPage({ version, keyHeader, hasKeys }: Described): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>proofsheet: the capture service</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid; padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
</style>
</head>
<body>
<main>
<h1>proofsheet ${version}: the capture service</h1>
<p>Requests are JSON, sent by POST. ${hasKeys ? html`Send the key in the header <code>${keyHeader}</code>.` : 'No key is needed.'}
For programs: <a href="openapi.json">openapi.json</a>.</p>
${describeCalls().map(renderCall)}
<h2>Errors</h2>
<p>The response is <code>{ "status": "error", "error": true, "message", "code", "details" }</code>.</p>
<div class="wide" tabindex="0">
<table>
<thead><tr><th>Status</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(SERVICE_FAILURES).map(([status, meaning]) => html`<tr><td>${status}</td><td>${meaning}</td></tr>\n`)}</tbody>
</table>
</div>
</main>
</body>
</html>
`;
  return String(page);
}

function renderCall({ path, summary, fields }: DescribedCall) {
  return html`<h2>${summary}</h2>
<p><code>POST ${path}</code></p>
<div class="wide" tabindex="0">
<table>
<thead><tr><th>Field</th><th>Default</th><th>Meaning</th></tr></thead>
<tbody>${fields.map(renderField)}</tbody>
</table>
</div>
`;
}

function renderField({ name, description, isRequired, default: fallback }: DescribedField) {
  const value = fallback === null ? html`${isRequired ? 'required' : ''}` : html`<code>${fallback}</code>`;
  return html`<tr><td><code>${name}</code></td><td>${value}</td><td>${description}</td></tr>\n`;
}
