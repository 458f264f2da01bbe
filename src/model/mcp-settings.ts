import type { ServeSettings } from './serve-settings.js';

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
