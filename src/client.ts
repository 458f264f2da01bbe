/**
 * A client of the capture service, for every runtime with `fetch`.
 *
 * @module
 */

export type { AnalyzeResponse } from './model/service/analyze.js';
export type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './model/service/requests.js';
export type { CompareResponse, ScreenshotV1Response, ScreenshotV2Response } from './model/service/responses.js';
export type { CallOptions } from './service/client.js';
export { type ClientOptions, createClient, type ServiceClient, ServiceClientError } from './service/client.js';
