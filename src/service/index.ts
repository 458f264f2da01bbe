/** The capture service, and captures outside a test run. Other folders import this door, and nothing behind it. */

export { captureToFile } from './captures/capture-file.js';
export { compareSources } from './captures/compare-sides.js';
export { type CompareOptions, readCaptureOptions, readCompareOptions } from './captures/read-request.js';
export {
  type CallOptions,
  type ClientOptions,
  createClient,
  type ServiceClient,
  ServiceClientError,
} from './client.js';
export { hashKey, readKeyHashes } from './http/authenticate.js';
export type { AnalyzeResponse } from './protocol/analyze.js';
export type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './protocol/requests.js';
export type { CompareResponse, ScreenshotV1Response, ScreenshotV2Response } from './protocol/responses.js';
export { DEFAULT_MAX_PIXELS, type LanguageModel } from './protocol/settings.js';
export { serve, speakMcp } from './start.js';
