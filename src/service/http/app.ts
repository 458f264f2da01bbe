import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { failure, parseJson } from '../../model/index.js';
import type { AnswerMcp } from '../mcp/server.js';
import { describeOpenApi, OPERATIONS } from '../operations.js';
import type { Service } from '../service.js';
import { answerError, answerFile, answerJson, answerText, explainError } from './answers.js';
import { createAuthenticator, createRate } from './authenticate.js';

/** Settings of the HTTP routes. */
export interface AppSettings {
  /** The request header that contains the key. */
  readonly keyHeader: string;
  /** The SHA-256 of each key, in hex. Empty: no key is needed. */
  readonly keyHashes: readonly string[];
  /** Maximum requests per minute for one key, or for one address if there are no keys; null: no limit. */
  readonly rate: number | null;
  /** Base URL of links; null: the address of the request. */
  readonly baseUrl: string | null;
}

const MAX_BODY = 1024 * 1024;

/** Maximum nesting depth of request JSON. The calls need 3 levels; an MCP message contains one call. */
const MAX_DEPTH = 32;

/** Creates the HTTP routes of a service. @param writeLog - logs internal and unexpected errors for the operator */
export function createApp(
  service: Service,
  { keyHeader, keyHashes, rate, baseUrl }: AppSettings,
  answerMcp: AnswerMcp,
  writeLog: (line: string) => void,
): Hono {
  const admit = createAuthenticator(keyHashes, keyHeader);
  const takeTurn = createRate(rate, Date.now);
  const metrics = createMetrics(service);
  const description = describeOpenApi(keyHashes.length > 0 ? keyHeader : null);
  const app = new Hono();

  const authenticate = (context: Context) => admit(context.req, getConnInfo(context).remote.address ?? '');
  const refuseOther = (path: string, allow: string) =>
    app.all(path, ({ req }) => {
      const found = `method ${req.method} is not allowed`;
      return answerError(failure('method-refused', req.path, found, `Use ${allow}.`), { allow });
    });
  const limitBody = bodyLimit({
    maxSize: MAX_BODY,
    onError: () =>
      answerError(failure('body-too-large', 'the request', 'the body is larger than 1 MB', 'Send a smaller body.')),
  });
  const baseOf = ({ req }: Context) => `${baseUrl ?? new URL(req.url).origin}/`;

  const addPost = (path: string, answer: (body: unknown, base: string, request: Request) => Promise<Response>) => {
    app.use(path, async (context, next) => {
      // Never a path from a request: each value has a counter of its own.
      const route = path;
      const end = metrics.seconds.startTimer({ route });
      await next();
      end();
      metrics.requests.inc({ route, status: context.res.status });
    });
    app.post(
      path,
      async (context, next) => {
        const wait = takeTurn(authenticate(context));
        if (wait === null) return next();
        const error = failure('rate-limited', keyHeader, 'rate limit of this key exceeded', `Try again in ${wait} s.`);
        return answerError(error, { 'retry-after': String(wait) });
      },
      limitBody,
      async (context) => answer(await readJson(context), baseOf(context), context.req.raw),
    );
    refuseOther(path, 'POST');
  };
  for (const { path, read } of Object.values(OPERATIONS)) {
    addPost(path, async (body, base, { signal }) => {
      return answerJson(200, await service.run<object>(read(body), { signal, urlOf: (link) => `${base}${link}` }));
    });
  }
  addPost('/mcp', (body, base, request) => answerMcp(request, body, base));

  const addGet = (path: string, answer: (context: Context) => Response | Promise<Response>) => {
    app.get(path, answer);
    refuseOther(path, 'GET, HEAD');
  };
  addGet('/screenshots/:host/:uuid/:file', async ({ req }) => {
    const stored = await service.storage.get(new URL(req.url).pathname.slice(1));
    return stored ? answerFile(stored) : notFound('the capture does not exist, or it expired');
  });
  addGet('/healthz', () => {
    const load = { running: service.running(), waiting: service.waiting(), browserLaunches: service.launches() };
    return service.isEnding()
      ? answerJson(503, { status: 'ending', ...load })
      : answerJson(200, { status: 'ok', ...load });
  });
  addGet('/metrics', async (context) => {
    authenticate(context);
    return answerText(200, await metrics.render(), 'text/plain; version=0.0.4; charset=utf-8');
  });
  addGet('/openapi.json', () => answerJson(200, description));
  addGet('/', (context) => context.redirect('openapi.json'));

  app.notFound(() => notFound('no route has this path'));
  app.onError((error, { req }) => {
    const { log } = explainError(error);
    // Do not log errors of requests that the client aborted.
    if (log !== null && !req.raw.signal.aborted) writeLog(log);
    return answerError(error);
  });
  return app;
}

async function readJson({ req }: Context): Promise<unknown> {
  const type = req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw failure('body-type', 'content-type', `it is ${type || 'missing'}`, 'Send application/json.');
  }
  const body = parseJson(await req.text());
  if (body === undefined)
    throw failure('request-invalid', 'the request', 'the body is not valid JSON', 'Send a JSON object.');
  // Walks level by level: recursion could overflow the stack.
  let level = [body];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  if (level.length === 0) return body;
  const found = `the JSON is nested deeper than ${MAX_DEPTH} levels`;
  throw failure('request-invalid', 'the request', found, 'Send a flat JSON object.');
}

function notFound(found: string): Response {
  return answerError(failure('not-found', 'the path', found, 'See /openapi.json.'));
}

/** Collects metrics of a service in the Prometheus text format. */
function createMetrics(service: Service) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'proofsheet_requests_total',
    help: 'Number of completed requests.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'proofsheet_request_seconds',
    help: 'Duration of requests.',
    labelNames: ['route'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const addGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read());
      },
    });
  addGauge('proofsheet_running', 'Number of requests in progress.', service.running);
  addGauge('proofsheet_waiting', 'Number of requests in the queue.', service.waiting);
  new Counter({
    ...{ name: 'proofsheet_browser_launches_total', help: 'Number of browser launches.', registers },
    collect() {
      this.reset();
      this.inc(service.launches());
    },
  });
  addGauge('process_resident_memory_bytes', 'Memory of the process, without the browser.', process.memoryUsage.rss);
  return { requests, seconds, render: () => registry.metrics() };
}
