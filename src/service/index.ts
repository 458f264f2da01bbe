/** The capture service, and captures outside a test run. Other folders import this door, and nothing behind it. */

import type { ShotFieldsInput } from '../model/index.js';
import type { ServeSettings } from './http/serve.js';
import type { McpSettings } from './mcp/stdio.js';

export { compareSources } from './captures/compare-sources.js';
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
export type { LanguageModel } from './service.js';

// Imported on demand: the command line starts without the service, its browser and its libraries.

/** Captures a page into a file. If it fails, the file is not changed. @throws ProofsheetError if it cannot be captured or written */
export async function captureToFile(url: string, fields: ShotFieldsInput, file: string) {
  const captures = await import('./captures/capture-url.js');
  return captures.captureToFile(url, fields, file);
}

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
  return storage.openBucket(place, '--to', place);
}
