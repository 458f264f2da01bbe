import type { LanguageModel } from './language-model.js';

/** The most pixels that the images of one comparison may have together, where nothing is set: 400 MB decoded. */
export const DEFAULT_MAX_PIXELS = 100_000_000;

/** How the capture service is offered over HTTP. */
export interface ServeSettings {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The header that a key comes in. */
  readonly keyHeader: string;
  /** The SHA-256 of each key, in hex; none: who reaches the service may use it. */
  readonly keyHashes: readonly string[];
  /** Where captures are kept: a folder, or `s3://bucket/prefix`. */
  readonly storage: string;
  /** Hours that a capture is kept. */
  readonly retention: number;
  /** How many requests are worked on at a time, and how many more may wait. */
  readonly concurrency: number;
  readonly queueLength: number;
  /** Seconds that a request may take once its turn has come. */
  readonly timeout: number;
  /** The most pixels that the images of one comparison may have together. */
  readonly maxPixels: number;
  /** Requests that one key, or one address where there are no keys, may send in a minute; null: as many as it likes. */
  readonly rate: number | null;
  /** What links begin with; null: the address that the service was asked at. */
  readonly baseUrl: string | null;
  /** Pages on private addresses are captured too. */
  readonly allowPrivate: boolean;
  /** `host:port` of those that may be captured though they are private. */
  readonly allowed: readonly string[];
  /** What writes summaries; null: none was set. */
  readonly languageModel: LanguageModel | null;
  /** Seconds that an analysis is given again to who asks for the same; 0: never. */
  readonly cacheSeconds: number;
  /** Flags of the browser's own. */
  readonly browserFlags: readonly string[];
}

/**
 * Answers one request of MCP over HTTP.
 *
 * @param body its JSON, which was read.
 * @param base what the links of captures begin with.
 */
export type AnswerMcp = (request: Request, body: unknown, base: string) => Promise<Response>;

/** A service that can be asked. */
export interface RunningServer {
  readonly url: string;
  /** Refuses what comes, finishes what runs, and ends. */
  close(): Promise<void>;
}

/** Offers the service. @throws ProofsheetError `command-invalid` when it cannot be offered so */
export type Serve = (settings: ServeSettings) => Promise<RunningServer>;

/** How an assistant is spoken to over standard input and output. */
export interface McpSettings
  extends Pick<
    ServeSettings,
    | 'concurrency'
    | 'queueLength'
    | 'timeout'
    | 'maxPixels'
    | 'allowPrivate'
    | 'allowed'
    | 'browserFlags'
    | 'languageModel'
    | 'cacheSeconds'
  > {
  /** The folder that captures are kept in; null: one of the session's own, which goes with it. */
  readonly storage: string | null;
  /** Where the run is, and where its baselines are. */
  readonly places: { readonly root: string; readonly within: string; readonly folder: string };
  /** The assistant may make images of the run the baselines. */
  readonly allowApprove: boolean;
}

/** An assistant that is spoken to. */
export interface McpSession {
  /** Resolves when the assistant has gone. */
  readonly ended: Promise<void>;
  /** Finishes what runs, and ends. */
  close(): Promise<void>;
}

/** Speaks to an assistant over standard input and output. @throws ProofsheetError `package-missing` */
export type SpeakMcp = (settings: McpSettings) => Promise<McpSession>;
