import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { packageVersion } from '../../core/setup/version.js';
import type { Warning } from '../../model/capture.js';
import { type ErrorCode, ProofsheetError } from '../../model/errors.js';
import { SERVICE_CALLS, SERVICE_PLACES } from '../../model/service/requests.js';
import type { AnswerMcp } from '../../model/service/settings.js';
import { nearest } from '../../page-list/schema/allowed.js';
import type { Call } from '../call-context.js';
import { isForOperator } from '../caller-problem.js';
import type { Service } from '../service.js';
import { answerError, answerFile, answerJson, answerPage, answerText, renderForOperator } from './answers.js';
import { createAuthenticator, createRate } from './authenticate.js';
import { createMetrics } from './metrics.js';
import { describeOpenApi, renderApiPage } from './openapi.js';

/** How a service is offered. */
export interface AppSettings {
  readonly keyHeader: string;
  readonly keyHashes: readonly string[];
  readonly rate: number | null;
  readonly baseUrl: string | null;
  /** Tells who runs the service what nobody foresaw. */
  readonly tell: (line: string) => void;
}

/** The most that a request may have. */
const MAX_BODY = 1024 * 1024;

/** How deep the JSON of a request may be nested. That of the calls is at most 3 deep, and a message of MCP holds one. */
const MAX_DEPTH = 32;

/** What else an error says, by its status. Of what is too large the rest is still under way: nothing can follow on its connection. */
const MORE: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  413: { connection: 'close' },
  503: { 'retry-after': '1' },
};

/** Creates the routes of a service; what it does is the service's own. */
export function createApp(service: Service, settings: AppSettings, answerMcp: AnswerMcp): Hono {
  const { keyHeader, keyHashes, baseUrl, tell } = settings;
  const authenticator = createAuthenticator(keyHashes, keyHeader);
  const rate = createRate(settings.rate, Date.now);
  const metrics = createMetrics();
  const described = { version: packageVersion(), keyHeader, hasKeys: keyHashes.length > 0 };
  const app = new Hono();

  const admit = (context: Context) => {
    const { address = '' } = getConnInfo(context).remote;
    return authenticator.admit({ key: context.req.header(keyHeader), host: context.req.header('host'), address });
  };
  const fail = (error: unknown, context?: Context) => {
    // Nobody is there any more to whom it could be told.
    if (isForOperator(error) && !context?.req.raw.signal.aborted) tell(renderForOperator(error));
    const { status, body } = answerError(error);
    return answerJson(status, body, MORE[status] ?? {});
  };
  const limitBody = bodyLimit({
    maxSize: MAX_BODY,
    onError: () => fail(refused('body-too-large', 'the request', 'it has more than 1 MB', 'Send less.')),
  });

  /** Takes a request at a path from who may ask there, and not too often; and counts it. */
  const take = (path: string, answer: (context: Context) => Promise<Response>) => {
    app.use(path, async (context, next) => {
      const start = performance.now();
      await next();
      metrics.note(path, context.res.status, (performance.now() - start) / 1000);
    });
    app.post(
      path,
      async (context, next) => {
        const wait = rate.take(admit(context));
        if (wait === null) return next();
        const late = refused('rate-limited', keyHeader, 'this key has asked for too much', `Wait ${wait} s.`);
        return answerJson(429, answerError(late).body, { 'retry-after': String(wait) });
      },
      limitBody,
      answer,
    );
    app.all(path, (context) => refuseMethod(context, 'POST'));
  };
  const baseOf = ({ req }: Context) => baseUrl ?? new URL(req.url).origin;

  /** Offers a call: read by its schema, answered by the service. */
  const offer = <Schema extends RequestSchema>(
    { path, request: schema }: { readonly path: string; readonly request: Schema },
    answer: (request: RequestOf<Schema>, call: Call) => Promise<{ readonly warnings: readonly Warning[] }>,
  ) =>
    take(path, async (context) => {
      const body = await readJson(context);
      const request = readRequest(schema, body);
      const call = { signal: context.req.raw.signal, urlOf: (link: string) => `${baseOf(context)}/${link}` };
      const answered = await answer(request, call);
      return answerJson(200, { ...answered, warnings: [...listUnknownFields(schema, body), ...answered.warnings] });
    });

  offer(SERVICE_CALLS.screenshotV1, async (request, call) => {
    const asked = SERVICE_CALLS.screenshotV2.request.parse(request);
    const { image: _, html: __, ...answer } = await service.screenshot(asked, call);
    return answer;
  });
  offer(SERVICE_CALLS.screenshotV2, service.screenshot);
  offer(SERVICE_CALLS.compareV3, service.compare);
  offer(SERVICE_CALLS.analyzeV3, service.analyze);
  take(SERVICE_PLACES.mcp, async (context) => {
    const body = await readJson(context);
    return answerMcp(context.req.raw, body, `${baseOf(context)}/`);
  });

  /** Shows what is only to be read. */
  const show = (path: string, answer: (context: Context) => Response | Promise<Response>) => {
    app.get(path, answer);
    app.all(path, (context) => refuseMethod(context, 'GET, HEAD'));
  };
  show(SERVICE_PLACES.captures, async (context) => {
    const stored = await service.storage.get(new URL(context.req.url).pathname.slice(1));
    return stored ? answerFile(stored) : fail(notFound('there is no such capture, or no more'));
  });
  show(SERVICE_PLACES.health, () => {
    const { isEnding, ...state } = service.state();
    return answerJson(isEnding ? 503 : 200, { status: isEnding ? 'ending' : 'ok', ...state });
  });
  show(SERVICE_PLACES.metrics, (context) => {
    admit(context);
    return answerText(200, metrics.render(service.state()), 'text/plain; version=0.0.4; charset=utf-8');
  });
  show(SERVICE_PLACES.openapi, () => answerJson(200, describeOpenApi(described)));
  show(SERVICE_PLACES.page, () => answerPage(renderApiPage(described)));

  app.notFound(() => fail(notFound('there is nothing at this address')));
  app.onError(fail);
  const refuseMethod = ({ req }: Context, allow: string) => {
    const error = refused('method-refused', req.path, `it is not asked for by ${req.method}`, `Ask by ${allow}.`);
    return answerJson(405, answerError(error).body, { allow });
  };
  return app;
}

async function readJson({ req }: Context): Promise<unknown> {
  const type = req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw refused('body-type', 'content-type', `it is ${type || 'missing'}`, 'Send application/json.');
  }
  const body = parseJson(await req.text());
  if (!isDeeperThan(body, MAX_DEPTH)) return body;
  throw refused(
    'request-invalid',
    'the request',
    `it is nested more than ${MAX_DEPTH} deep`,
    'Send a flat JSON object.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('request-invalid', 'the request', 'it is not JSON', 'Send a JSON object.');
  }
}

/** Walks level by level: recursion would end where the stack does. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

function refused(code: ErrorCode, where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

function notFound(found: string): ProofsheetError {
  return refused('not-found', 'the address', found, 'See /openapi.json.');
}

/** What a request is checked by. */
export type RequestSchema = z.ZodType;

/** What a schema makes of a request. */
export type RequestOf<Schema extends RequestSchema> = z.output<Schema>;

/**
 * Reads a request by its schema. Fields with an empty text are ignored, as forms send those that nobody filled in.
 *
 * @throws AggregateError of one ProofsheetError `request-invalid` for every field that is wrong; `where` names the field.
 */
export function readRequest<T extends RequestSchema>(schema: T, body: unknown): RequestOf<T> {
  const { data, error } = schema.safeParse(withoutEmpty(body));
  if (error === undefined) return data;
  // The first thing that is wrong with a field is enough.
  const fields = new Map(error.issues.toReversed().map(({ path, message }) => [nameOf(path), message]));
  throw new AggregateError(Array.from(fields, wrongField).reverse());
}

/** At most so many unknown fields of a request are named. */
const MOST_NAMED = 20;

/** At most so many characters of an unknown name are shown. */
const MOST_CHARACTERS = 60;

/** Lists the fields of a request that its schema does not know, those of nested objects included. */
export function listUnknownFields(schema: RequestSchema, body: unknown): Warning[] {
  const unknown = unknownIn(schema, body, '');
  const rest = unknown.length - MOST_NAMED;
  const more = rest > 0 ? [warn(`${rest} more fields are unknown and have no effect`)] : [];
  return [...unknown.slice(0, MOST_NAMED).map(tellUnknown), ...more];
}

interface UnknownField {
  readonly prefix: string;
  readonly name: string;
  readonly shape: z.ZodRawShape;
}

function unknownIn(schema: z.ZodType, body: unknown, prefix: string): UnknownField[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return [];
  const { shape } = schema;
  return Object.entries(body).flatMap(([name, value]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) return [{ prefix, name, shape }];
    return known instanceof z.ZodType ? unknownIn(known, value, `${prefix}${name}.`) : [];
  });
}

function tellUnknown({ prefix, name, shape }: UnknownField): Warning {
  const shown = JSON.stringify(prefix + name.slice(0, MOST_CHARACTERS));
  return warn(`${shown}: the field is unknown and has no effect${meantBy(name, shape)}`);
}

function meantBy(name: string, shape: z.ZodRawShape): string {
  const field = Object.keys(shape).find((key) => choicesOf(shape[key]).includes(name));
  if (field !== undefined) return `. "${name}" is a value of "${field}"`;
  const near = name.length > MOST_CHARACTERS ? undefined : nearest(name, Object.keys(shape));
  return near === undefined ? '' : `. Did you mean "${near}"?`;
}

function choicesOf(schema: unknown): readonly unknown[] {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options : [];
}

function warn(message: string): Warning {
  return { code: 'field-unknown', message };
}

/** Leaves out empty texts of a request and of its sides. */
function withoutEmpty(body: unknown, depth = 1): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).filter(([, value]) => value !== '');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, depth === 0 ? value : withoutEmpty(value, depth - 1)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'the request';
}

function wrongField([where, message]: readonly [string, string]): ProofsheetError {
  return new ProofsheetError({
    code: 'request-invalid',
    where,
    found: message.replace(/^Invalid input: /, ''),
    advice: 'Correct it; /openapi.json says what it can be.',
  });
}
