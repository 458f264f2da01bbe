/**
 * A client of the capture service, for every runtime with `fetch`.
 *
 * @module
 */

export type {
  AnalyzeResponse,
  AnalyzeV3Input,
  CallOptions,
  CompareResponse,
  CompareV3Input,
  ScreenshotV1Input,
  ScreenshotV1Response,
  ScreenshotV2Input,
  ScreenshotV2Response,
} from './service/index.js';
export { type ClientOptions, createClient, type ServiceClient, ServiceClientError } from './service/index.js';
