import { type ServeSettings, serve } from '../../../src/service/http/serve.js';
import { serviceErrorSchema } from '../../../src/service/protocol/responses.js';
import { makeTempFolder } from '../temp-folder.js';

const OFFLINE_FLAGS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'];

export type TestService = Awaited<ReturnType<typeof startService>>;

/** Starts a service; what is not said is as small as it can be. */
export async function startService(settings: Partial<ServeSettings> = {}) {
  const server = await serve({
    ...{ host: '127.0.0.1', port: 0, keyHeader: 'x-serviceapi-key', keyHashes: [] },
    ...{ storage: makeTempFolder(), retention: 1 },
    ...{ concurrency: 2, queueLength: 8, timeout: 30, maxPixels: 100_000_000, rate: null, baseUrl: null },
    ...{ allowPrivate: true, allowed: [], browserFlags: OFFLINE_FLAGS, languageModel: null, cacheSeconds: 0 },
    ...settings,
  });
  return {
    url: server.url,
    post: (path: string, body: unknown, init: RequestInit = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    close: server.close,
  };
}

/** Gives the status, the headers, and the answer by its schema, of what was not done. */
export async function failed(response: Response) {
  const { code, details, message } = serviceErrorSchema.parse(await response.json());
  return { status: response.status, code, details, message, headers: response.headers };
}
