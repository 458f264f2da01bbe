import { z } from 'zod';
import { type ShotRecord, shotRecordSchema } from './run-record.js';

/** A request of a page, as the browser reported it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** The resource type, as in Playwright's `request.resourceType()`. */
  readonly kind: string;
  /** The headers that the page asked for, in lower case. The browser adds others that are not known here. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the browser received; null: no response yet, or none at all. */
  readonly received: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
  readonly state: 'pending' | 'finished' | 'failed';
  /** The error of the browser; null if the request did not fail. */
  readonly failure: string | null;
  readonly isFromServiceWorker: boolean;
}

/** The requests of one load of a page, from its navigation to its last screenshot. */
export interface SeenLoad {
  readonly requests: readonly SeenRequest[];
  /** Other ways in which data can reach the page, such as `a WebSocket`. */
  readonly channels: readonly string[];
  /** The page has a cookie. Its later requests carried it. */
  readonly hasCookies: boolean;
}

/** What was received for a request, as far as it can be part of a key. */
export type Fetched =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** SHA-256 of the status, the headers that change how a page looks, and the decoded body. */
      readonly digest: string;
      /** The strong ETag; null: none. */
      readonly etag: string | null;
      /** Headers to compare with those of the browser; null: the server confirmed an ETag and sent none. */
      readonly headers: Readonly<Record<string, string>> | null;
      /** The server identifies its content, and lets it be stored. */
      readonly isIdentified: boolean;
      /** Why a page with this response cannot be reused; null if it can. */
      readonly obstacle: string | null;
      /** What the code of the response reads, and no response contains. */
      readonly uses: readonly string[];
    }
  /** No connection. */
  | { readonly kind: 'failed' }
  /** For example a timeout. */
  | { readonly kind: 'unknown'; readonly why: string };

/** A request that can be sent again without a browser. */
export interface InputRequest {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An input of a page: a request, and a hash of its response. */
export interface PageInput extends InputRequest {
  readonly digest: string;
  readonly etag: string | null;
}

/** What a capture depends on except the inputs of its page: a hash of each part. */
export interface KeyParts {
  /** Version of proofsheet. */
  readonly version: string;
  readonly settings: string;
  readonly environment: string;
  readonly baseline: string;
}

/** A capture that passed, and everything that it depends on. */
export interface ReuseEntry {
  readonly parts: KeyParts;
  readonly inputs: readonly PageInput[];
  /** What the code of the page reads, and no input contains. */
  readonly uses: readonly string[];
  readonly record: ShotRecord;
}

/** Schema of what a run would do with a shot. */
export const affectedShotSchema = shotRecordSchema.pick({ id: true, project: true, url: true }).extend({
  captured: z.boolean().describe('the page would be captured; false: an earlier capture would be reused'),
  why: z.string().nullable().describe('why it would be captured; null: it would not'),
});

/** See {@link affectedShotSchema}. */
export type AffectedShot = z.infer<typeof affectedShotSchema>;

/** Schema of what the tests found out for `proofsheet affected`. */
export const affectedSchema = z.strictObject({
  shots: z.array(affectedShotSchema),
  errors: z.array(z.string()).describe('why tests gave no answer'),
});

/** See {@link affectedSchema}. */
export type Affected = z.infer<typeof affectedSchema>;

/** The environment variable with the path of the file for the answer. If it is set, tests decide, and capture nothing. */
export const AFFECTED_VARIABLE = 'PROOFSHEET_AFFECTED_FILE';

/** Name of the hidden attachment for an {@link AffectedShot}. */
export const AFFECTED_ATTACHMENT = '_proofsheet-affected';
