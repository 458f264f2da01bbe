import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isForOperator } from '../../core/service/caller-problem.js';
import type { Service } from '../../core/service/service.js';
import type { Call } from '../../core/service/service-room.js';
import { packageVersion } from '../../core/version.js';
import type { Warning } from '../../model/capture.js';
import { type ErrorCode, ProofsheetError } from '../../model/errors.js';
import type { AnswerMcp } from '../../model/serve-settings.js';
import { SERVICE_CALLS, SERVICE_PLACES } from '../../model/service-calls.js';
import { listUnknownFields, type RequestOf, type RequestSchema, readRequest } from '../../plan/read-request.js';
import { describeOpenApi } from '../../report/openapi.js';
import { renderApiPage } from '../../report/render-api-page.js';
import { answerFile, answerJson, answerPage, answerText } from './answers.js';
import { createDoorman } from './doorman.js';
import { answerError, renderForOperator } from './error-status.js';
import { createMetrics } from './metrics.js';
import { createRate } from './rate.js';

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
  const doorman = createDoorman(keyHashes, keyHeader);
  const rate = createRate(settings.rate, Date.now);
  const metrics = createMetrics();
  const described = { version: packageVersion(), keyHeader, hasKeys: keyHashes.length > 0 };
  const app = new Hono();

  const admit = (context: Context) => {
    const { address = '' } = getConnInfo(context).remote;
    return doorman.admit({ key: context.req.header(keyHeader), host: context.req.header('host'), address });
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
