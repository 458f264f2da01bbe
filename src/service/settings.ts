import type { EgressSettings } from './egress/egress.js';

/** Default for the total number of pixels of the images of one comparison: 400 MB decoded. */
export const DEFAULT_MAX_PIXELS = 100_000_000;

/** Settings of the capture service. */
export interface ServiceSettings {
  /** Maximum number of concurrent requests, and of waiting requests. */
  readonly concurrency: number;
  readonly queueLength: number;
  /** Limit for one request in seconds, excluding its time in the queue. */
  readonly timeout: number;
  /** Maximum total number of pixels of the images of one comparison. */
  readonly maxPixels: number;
  /** The model that writes summaries; null: not configured. */
  readonly languageModel: LanguageModel | null;
  /** Seconds to cache an analysis for equal requests; 0: no cache. */
  readonly cacheSeconds: number;
}

/** An OpenAI-compatible server, and how to call it. */
export interface LanguageModel {
  /** Base URL of `/chat/completions`: https://api.openai.com/v1 */
  readonly url: string;
  readonly model: string;
  /** API key; null: the server needs none. */
  readonly key: string | null;
  readonly timeoutMs: number;
}

/** Settings of the capture service over HTTP. */
export interface ServeSettings extends ServiceSettings, EgressSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The request header that contains the key. */
  readonly keyHeader: string;
  /** The SHA-256 of each key, in hex. Empty: no key is needed. */
  readonly keyHashes: readonly string[];
  /** Where captures are stored: a folder, or `s3://bucket/prefix`. */
  readonly storage: string;
  /** Hours until a stored capture is deleted. */
  readonly retention: number;
  /** Maximum requests per minute for one key, or for one address if there are no keys; null: no limit. */
  readonly rate: number | null;
  /** Base URL of links; null: the address of the request. */
  readonly baseUrl: string | null;
}

/** Settings of the MCP server over standard input and output. */
export interface McpSettings extends ServiceSettings, EgressSettings {
  /** The folder where captures are stored; null: a temporary folder that is deleted with the session. */
  readonly storage: string | null;
  /** The paths of the run and of its baselines. */
  readonly places: { readonly root: string; readonly within: string; readonly folder: string };
  /** Allows the assistant to approve images of the run as baselines. */
  readonly allowApprove: boolean;
}
