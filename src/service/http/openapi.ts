import { html } from 'hono/html';
import { z } from 'zod';
import { OPERATIONS } from '../operations.js';
import { serviceErrorSchema } from '../protocol/responses.js';

/** The settings that the API description contains. */
export interface Described {
  readonly version: string;
  readonly keyHeader: string;
  readonly hasKeys: boolean;
}

/** Descriptions of failures by HTTP status. */
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

/** Returns the OpenAPI 3.1 document of the service. The schemas are those that validate requests. */
export function describeOpenApi({ version, keyHeader, hasKeys }: Described): object {
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
      ...Object.fromEntries(Object.values(OPERATIONS).map(describeOperation)),
      '/screenshots/{host}/{uuid}/{file}': describeGet(
        'capture_file',
        'A file that a response links to; needs no key, because the link cannot be guessed',
        { 200: 'The file.', 404: 'The file does not exist, or it expired.' },
        {
          security: [],
          parameters: ['host', 'uuid', 'file'].map((name) => {
            return { name, in: 'path', required: true, schema: { type: 'string' } };
          }),
        },
      ),
      '/healthz': describeGet(
        'health',
        'Health check',
        { 200: 'The service is running.', 503: 'The service is shutting down.' },
        { security: [] },
      ),
      '/metrics': describeGet('metrics', 'Metrics for Prometheus', { 200: 'Metrics in the Prometheus text format.' }),
    },
    components: {
      schemas: { Error: schemaOf(serviceErrorSchema, 'output') },
      ...(hasKeys && { securitySchemes: { key } }),
    },
    security: hasKeys ? [{ key: [] }] : [],
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

type Texts = Readonly<Record<string, string>>;

function describeGet(operationId: string, summary: string, texts: Texts, more: object = {}): object {
  return { get: { operationId, summary, ...more, responses: describeResponses(texts) } };
}

function describeResponses(texts: Texts, schema?: object): object {
  const content = schema && { content: { 'application/json': { schema } } };
  return Object.fromEntries(
    Object.entries(texts).map(([status, description]) => [status, { description, ...content }]),
  );
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}

/** Renders the API page. It contains no scripts and loads no resources. */
export function renderApiPage({ version, keyHeader, hasKeys }: Described): string {
  const failures = Object.entries(FAILURES).map((row) => renderRow(row));
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
${Object.values(OPERATIONS).map(
  ({ path, summary, request }) => html`<h2>${summary}</h2>
<p><code>POST ${path}</code></p>
${renderTable(['Field', 'Default', 'Meaning'], listFields(schemaOf(request, 'input')).map(renderRow))}`,
)}
<h2>Errors</h2>
<p>The response is <code>{ "status": "error", "error": true, "message", "code", "details" }</code>.</p>
${renderTable(['Status', 'Meaning'], failures)}
</main>
</body>
</html>
`;
  return String(page);
}

/** Lists the fields of a request and of the objects in it: name, default as JSON, and description. */
function listFields({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([key, property]) => {
    if (typeof property === 'boolean') return [];
    if (property.type === 'object') return listFields(property, `${prefix}${key}.`);
    // The schema of a field that may also be null is the first of two.
    const { default: value, description = '' } = { ...property.anyOf?.[0], ...property };
    const fallback = value === undefined ? (required.includes(key) ? 'required' : '') : JSON.stringify(value);
    return [[`${prefix}${key}`, fallback, description]];
  });
}

function renderTable(titles: readonly string[], rows: readonly unknown[]) {
  return html`<div class="wide" tabindex="0">
<table>
<thead><tr>${titles.map((title) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>
</div>
`;
}

function renderRow([name, ...cells]: readonly string[]) {
  return html`<tr><td><code>${name}</code></td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`;
}
