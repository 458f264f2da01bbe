import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type ErrorCode, ProofsheetError, type Warning } from '../../model/index.js';
import { packageVersion } from '../../run/index.js';
import type { Call } from '../call-context.js';
import { listUnknownFields, type RequestOf, type RequestSchema, readRequest } from '../captures/read-request.js';
import { SERVICE_CALLS, SERVICE_PATHS } from '../protocol/requests.js';
import type { AnswerMcp } from '../protocol/settings.js';
import type { Service } from '../service.js';
import {
  answerError,
  answerFile,
  answerJson,
  answerPage,
  answerText,
  isForOperator,
  renderForOperator,
} from './answers.js';
import { createAuthenticator, createRate } from './authenticate.js';
import { createMetrics } from './metrics.js';
import { describeOpenApi, renderApiPage } from './openapi.js';

/** Settings of the HTTP routes. */
export interface AppSettings {
  readonly keyHeader: string;
  readonly keyHashes: readonly string[];
  readonly rate: number | null;
  readonly baseUrl: string | null;
  /** Logs internal and unexpected errors for the operator. */
  readonly writeLog: (line: string) => void;
}

/** Maximum size of a request body, in bytes. */
const MAX_BODY = 1024 * 1024;

/** Maximum nesting depth of request JSON. The calls need 3 levels; an MCP message contains one call. */
const MAX_DEPTH = 32;

/** Extra headers of errors by status. 413 closes the connection, because the rest of the body is still arriving. */
const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  413: { connection: 'close' },
  503: { 'retry-after': '1' },
};

/** Creates the HTTP routes of a service. */
export function createApp(service: Service, settings: AppSettings, answerMcp: AnswerMcp): Hono {
  const { keyHeader, keyHashes, baseUrl, writeLog } = settings;
  const authenticator = createAuthenticator(keyHashes, keyHeader);
  const rate = createRate(settings.rate, Date.now);
  const metrics = createMetrics();
  const described = { version: packageVersion(), keyHeader, hasKeys: keyHashes.length > 0 };
  const app = new Hono();

  const authenticate = (context: Context) => {
    const { address = '' } = getConnInfo(context).remote;
    return authenticator.authenticate({
      key: context.req.header(keyHeader),
      host: context.req.header('host'),
      address,
    });
  };
  const fail = (error: unknown, context?: Context) => {
    // Do not log errors of requests that the client aborted.
    if (isForOperator(error) && !context?.req.raw.signal.aborted) writeLog(renderForOperator(error));
    const { status, body } = answerError(error);
    return answerJson(status, body, ERROR_HEADERS[status] ?? {});
  };
  const limitBody = bodyLimit({
    maxSize: MAX_BODY,
    onError: () =>
      fail(refused('body-too-large', 'the request', 'the body is larger than 1 MB', 'Send a smaller body.')),
  });

  /** Adds a POST route with authentication, rate limit, body limit and metrics. */
  const addPost = (path: string, answer: (context: Context) => Promise<Response>) => {
    app.use(path, async (context, next) => {
      const start = performance.now();
      await next();
      metrics.note(path, context.res.status, (performance.now() - start) / 1000);
    });
    app.post(
      path,
      async (context, next) => {
        const wait = rate.take(authenticate(context));
        if (wait === null) return next();
        const error = refused('rate-limited', keyHeader, 'rate limit of this key exceeded', `Try again in ${wait} s.`);
        return answerJson(429, answerError(error).body, { 'retry-after': String(wait) });
      },
      limitBody,
      answer,
    );
    app.all(path, (context) => refuseMethod(context, 'POST'));
  };
  const baseOf = ({ req }: Context) => baseUrl ?? new URL(req.url).origin;

  /** Adds a service call: validates the request, calls the service, and adds warnings about unknown fields. */
  const addCall = <Schema extends RequestSchema>(
    { path, request: schema }: { readonly path: string; readonly request: Schema },
    answer: (request: RequestOf<Schema>, call: Call) => Promise<{ readonly warnings: readonly Warning[] }>,
  ) =>
    addPost(path, async (context) => {
      const body = await readJson(context);
      const request = readRequest(schema, body);
      const call = { signal: context.req.raw.signal, urlOf: (link: string) => `${baseOf(context)}/${link}` };
      const answered = await answer(request, call);
      return answerJson(200, { ...answered, warnings: [...listUnknownFields(schema, body), ...answered.warnings] });
    });

  addCall(SERVICE_CALLS.screenshotV1, async (request, call) => {
    const requestV2 = SERVICE_CALLS.screenshotV2.request.parse(request);
    const { image: _, html: __, ...answer } = await service.screenshot(requestV2, call);
    return answer;
  });
  addCall(SERVICE_CALLS.screenshotV2, service.screenshot);
  addCall(SERVICE_CALLS.compareV3, service.compare);
  addCall(SERVICE_CALLS.analyzeV3, service.analyze);
  addPost(SERVICE_PATHS.mcp, async (context) => {
    const body = await readJson(context);
    return answerMcp(context.req.raw, body, `${baseOf(context)}/`);
  });

  /** Adds a read-only route. */
  const addGet = (path: string, answer: (context: Context) => Response | Promise<Response>) => {
    app.get(path, answer);
    app.all(path, (context) => refuseMethod(context, 'GET, HEAD'));
  };
  addGet(SERVICE_PATHS.captures, async (context) => {
    const stored = await service.storage.get(new URL(context.req.url).pathname.slice(1));
    return stored ? answerFile(stored) : fail(notFound('the capture does not exist, or it expired'));
  });
  addGet(SERVICE_PATHS.health, () => {
    const { isEnding, ...state } = service.state();
    return answerJson(isEnding ? 503 : 200, { status: isEnding ? 'ending' : 'ok', ...state });
  });
  addGet(SERVICE_PATHS.metrics, async (context) => {
    authenticate(context);
    return answerText(200, await metrics.render(service.state()), 'text/plain; version=0.0.4; charset=utf-8');
  });
  addGet(SERVICE_PATHS.openapi, () => answerJson(200, describeOpenApi(described)));
  addGet(SERVICE_PATHS.page, () => answerPage(renderApiPage(described)));

  app.notFound(() => fail(notFound('no route has this path')));
  app.onError(fail);
  const refuseMethod = ({ req }: Context, allow: string) => {
    const error = refused('method-refused', req.path, `method ${req.method} is not allowed`, `Use ${allow}.`);
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
    `the JSON is nested deeper than ${MAX_DEPTH} levels`,
    'Send a flat JSON object.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('request-invalid', 'the request', 'the body is not valid JSON', 'Send a JSON object.');
  }
}

/** Walks level by level: recursion could overflow the stack. */
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
  return refused('not-found', 'the path', found, 'See /openapi.json.');
}
