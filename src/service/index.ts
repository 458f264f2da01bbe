/** The capture service, and captures outside a test run. Other folders import this door, and nothing behind it. */

import type { McpSettings, ServeSettings } from './settings.js';

export { captureToFile } from './captures/capture-file.js';
export { type CompareOptions, compareSources, readCompareOptions } from './captures/compare-sources.js';
export {
  type CallOptions,
  type ClientOptions,
  createClient,
  type ServiceClient,
  ServiceClientError,
} from './client.js';
export { hashKey, readKeyHashes } from './http/authenticate.js';
export type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './protocol/requests.js';
export type {
  AnalyzeResponse,
  CompareResponse,
  ScreenshotV1Response,
  ScreenshotV2Response,
} from './protocol/responses.js';
export { DEFAULT_MAX_PIXELS, type LanguageModel } from './settings.js';

// Imported on demand: the command line starts without the service, its browser and its libraries.

/** Serves the capture service over HTTP. @throws ProofsheetError `command-invalid` if it cannot start with these settings */
export async function serve(settings: ServeSettings) {
  const http = await import('./http/serve.js');
  return http.serve(settings);
}

/** Starts the MCP server over standard input and output. @throws ProofsheetError `package-missing` */
export async function speakMcp(settings: McpSettings) {
  const mcp = await import('./mcp/stdio.js');
  return mcp.speakMcp(settings);
}

/** Opens a bucket to publish a report. @throws ProofsheetError `command-invalid`, `storage-failed` */
export async function openPublicBucket(place: string) {
  const storage = await import('./storage.js');
  return storage.openPublicBucket(place);
}
