import type { z } from 'zod';
import type { Environment, Exclusion, HiddenElement } from './environment.js';
import { messageOf, type warningSchema } from './errors.js';
import type { EncodedImage, Size } from './image.js';
import type { CapturedStructure } from './structure.js';

/** A problem of a capture that is not an error. */
export type Warning = Readonly<z.infer<typeof warningSchema>>;

/** Codes of warnings about an image that becomes a baseline, and about a baseline. */
export const BASELINE_WARNINGS = {
  data: 'baseline-data',
  address: 'baseline-address',
  signIn: 'baseline-sign-in',
  record: 'baseline-record',
  hidden: 'baseline-hidden',
} as const;

/** A captured page. */
export interface Capture {
  /** The encoded image, as the browser returned it. */
  readonly image: EncodedImage;
  /** The rectangles of each `mask` selector. */
  readonly masks: readonly Exclusion[];
  /** The rectangles of each `ignore` entry. They are visible in the image but not compared. */
  readonly ignored: readonly Exclusion[];
  /** The viewport used, in CSS pixels. */
  readonly viewport: Size;
  /** When the image was taken, milliseconds since 1970. */
  readonly takenAt: number;
  /** The requested URL. */
  readonly url: string;
  /** Number of screenshots taken. */
  readonly attempts: number;
  /** The clock and the frames of the page were controlled, and no part of it had a clock of its own: another load gives the same image. @default false */
  readonly isExact?: boolean;
  /** The requests that failed or stayed open: origin and path of each, without the query. Those that the page aborted do not count. */
  readonly missingResponses: readonly string[];
  /** Those of {@link missingResponses} whose connection broke: the next load may receive them. */
  readonly lostResponses: readonly string[];
  /** What `hideCookie` removed. @default it is off */
  readonly hidden?: readonly HiddenElement[];
  readonly warnings: readonly Warning[];
  /** Warnings that count only if the image becomes a baseline. @default none */
  readonly baselineWarnings?: readonly Warning[];
  /** The environment of the browser. The comparison adds `engine`. */
  readonly environment: Omit<Environment, 'engine'>;
  /** The structure of the page; null if it was not asked for, or could not be read. */
  readonly structure: CapturedStructure | null;
}

/** The result of capturing a page. A page that cannot be captured throws a ProofsheetError instead. */
export type CaptureResult =
  | { readonly kind: 'settled'; readonly capture: Capture }
  /** No two consecutive screenshots matched within the time budget. `previous` and `capture` are the last two. */
  | { readonly kind: 'unstable'; readonly capture: Capture; readonly previous: EncodedImage };

/** The WebDriver BiDi command that Playwright uses to emulate a color scheme. */
export const MEDIA_COMMAND = 'emulation.setMediaFeaturesOverride';

/** Checks for the error of a browser without media emulation. Firefox 153 has none over WebDriver BiDi. */
export function isMediaRefusal(cause: unknown): boolean {
  const message = messageOf(cause);
  return message.includes(MEDIA_COMMAND) && message.includes('unknown command');
}
