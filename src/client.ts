/**
 * A client of the capture service, for whatever has `fetch`.
 *
 * @module
 */
export { type ClientOptions, createClient, type ServiceClient } from './faces/client/client.js';
export { ServiceClientError } from './faces/client/client-error.js';
export type { CallOptions } from './faces/client/send.js';
export type { AnalyzeResponse } from './model/analyze-response.js';
export type { CompareResponse } from './model/compare-response.js';
export type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './model/service-request.js';
export type { ScreenshotV1Response, ScreenshotV2Response } from './model/service-response.js';
