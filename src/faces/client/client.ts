import type { AnalyzeResponse } from '../../model/analyze-response.js';
import type { CompareResponse } from '../../model/compare-response.js';
import type {
  AnalyzeV3Input,
  CompareV3Input,
  ScreenshotV1Input,
  ScreenshotV2Input,
} from '../../model/service-request.js';
import type { ScreenshotV1Response, ScreenshotV2Response } from '../../model/service-response.js';
import { type CallOptions, send } from './send.js';

/** Where a service is, and how it is asked. */
export interface ClientOptions {
  /** Its address, without `/api/…`. */
  readonly baseUrl: string;
  /** The key to send, where the service has keys. */
  readonly key?: string;
  /** The header that the key goes in; default: `x-serviceapi-key`. */
  readonly keyHeader?: string;
  /** How long one attempt may take; default: 120,000. */
  readonly timeoutMs?: number;
  /** How often a request is sent again that the service had no room for (429, 503); default: 3. */
  readonly retries?: number;
  /** The longest that is waited before a request is sent again, whatever the service says; default: 60,000. */
  readonly maxWaitMs?: number;
  /** Sends a request; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The four calls of the capture service. Each rejects with a `ServiceClientError`, or with the reason of its signal. */
export interface ServiceClient {
  /** Captures a page into a file. */
  screenshot(request: ScreenshotV1Input, options?: CallOptions): Promise<ScreenshotV1Response>;
  /** Captures a page into a file, or into the answer. */
  screenshotV2(request: ScreenshotV2Input, options?: CallOptions): Promise<ScreenshotV2Response>;
  /** Compares two pages, two images, or one of each. */
  compare(request: CompareV3Input, options?: CallOptions): Promise<CompareResponse>;
  /** Captures a page, and tells what can be measured of it. */
  analyze(request: AnalyzeV3Input, options?: CallOptions): Promise<AnalyzeResponse>;
}

/** Creates a client of the capture service. */
export function createClient({
  baseUrl,
  key,
  keyHeader = 'x-serviceapi-key',
  timeoutMs = 120_000,
  retries = 3,
  maxWaitMs = 60_000,
  fetch: ask = (input, init) => fetch(input, init),
}: ClientOptions): ServiceClient {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { [keyHeader]: key }) };
  const settings = { headers, timeoutMs, retries, maxWaitMs, ask };
  const call =
    <Request extends object, Answer extends object>(path: string) =>
    (request: Request, options: CallOptions = {}) =>
      send<Answer>(baseUrl.replace(/\/+$/, '') + path, request, settings, options);
  return {
    screenshot: call('/api/v1/screenshot'),
    screenshotV2: call('/api/v2/screenshot'),
    compare: call('/api/v3/compare'),
    analyze: call('/api/v3/analyze'),
  };
}
