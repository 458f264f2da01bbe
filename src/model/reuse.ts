import { z } from 'zod';
import { shotRecordSchema } from './run-record.js';

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
export const fetchedSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('response'),
    status: z.int(),
    digest: z
      .string()
      .describe('SHA-256 of the status, the headers that change how a page looks, and the decoded body'),
    etag: z.string().nullable().describe('strong ETag; null: none'),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe('headers to compare with those of the browser; null: the server confirmed an ETag and sent none'),
    isIdentified: z.boolean().describe('the server identifies its content, and lets it be stored'),
    obstacle: z.string().nullable().describe('why a page with this response cannot be reused'),
    uses: z.array(z.string()).describe('what the code of the response reads, and no response contains'),
  }),
  z.strictObject({ kind: z.literal('failed') }).describe('no connection'),
  z.strictObject({ kind: z.literal('unknown'), why: z.string() }).describe('for example a timeout'),
]);

/** See {@link fetchedSchema}. */
export type Fetched = z.infer<typeof fetchedSchema>;

/** A request that can be sent again without a browser. */
export const inputRequestSchema = z.strictObject({
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('names in lower case'),
});

/** See {@link inputRequestSchema}. */
export type InputRequest = Readonly<z.infer<typeof inputRequestSchema>>;

/** An input of a page: a request, and a hash of its response. */
export const pageInputSchema = inputRequestSchema.extend({
  digest: z.string(),
  etag: z.string().nullable(),
});

/** See {@link pageInputSchema}. */
export type PageInput = Readonly<z.infer<typeof pageInputSchema>>;

/** What a capture depends on except the inputs of its page: a hash of each part. */
export const keyPartsSchema = z.strictObject({
  version: z.string().describe('version of proofsheet'),
  settings: z.string(),
  environment: z.string(),
  baseline: z.string(),
});

/** See {@link keyPartsSchema}. */
export type KeyParts = Readonly<z.infer<typeof keyPartsSchema>>;

/** A capture that passed, and everything that it depends on. */
export const reuseEntrySchema = z.strictObject({
  schemaVersion: z.literal(1),
  parts: keyPartsSchema,
  inputs: z.array(pageInputSchema),
  uses: z.array(z.string()).describe('what the code of the page reads, and no input contains'),
  record: shotRecordSchema,
});

/** See {@link reuseEntrySchema}. */
export type ReuseEntry = Readonly<z.infer<typeof reuseEntrySchema>>;

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
  errors: z.array(z.string()).describe('errors outside of tests'),
});

/** See {@link affectedSchema}. */
export type Affected = z.infer<typeof affectedSchema>;

/** The environment variable with the path of the file for the answer. If it is set, tests decide, and capture nothing. */
export const AFFECTED_VARIABLE = 'PROOFSHEET_AFFECTED_FILE';

/** Name of the hidden attachment for an {@link AffectedShot}. */
export const AFFECTED_ATTACHMENT = '_proofsheet-affected';
