import type { Environment, Exclusion } from './environment.js';
import { messageOf } from './errors.js';
import type { EncodedImage, Size } from './image.js';

/** Something worth knowing about a capture that is not an error. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A page as it was captured. */
export interface Capture {
  /** The encoded image, as the browser made it. */
  readonly image: EncodedImage;
  /** What each selector of `mask` covers. */
  readonly masks: readonly Exclusion[];
  /** What each entry of `ignore` leaves out of the comparison though it is in the image. */
  readonly ignored: readonly Exclusion[];
  /** The viewport used, in CSS pixels. */
  readonly viewport: Size;
  /** When the image was taken, milliseconds since 1970. */
  readonly takenAt: number;
  /** The URL that was asked for. */
  readonly url: string;
  /** How many images were taken until one was good. */
  readonly shots: number;
  readonly warnings: readonly Warning[];
  /** Where it was drawn; who launched the browser and who compares know the rest. */
  readonly environment: Omit<Environment, 'headless' | 'engine'>;
}

/** What capturing a page ends in. A page that cannot be captured is a thrown ProofsheetError. */
export type CaptureResult =
  | { readonly kind: 'settled'; readonly capture: Capture }
  /** No two images in a row were equal before the budget ended; `previous` and `capture` are the last two. */
  | { readonly kind: 'unstable'; readonly capture: Capture; readonly previous: EncodedImage };

/** The command of WebDriver BiDi by which Playwright emulates a color scheme. */
export const MEDIA_COMMAND = 'emulation.setMediaFeaturesOverride';

/** Checks for the answer of a browser that has no media emulation. Firefox 153 has none over WebDriver BiDi. */
export function isMediaRefusal(cause: unknown): boolean {
  const message = messageOf(cause);
  return message.includes(MEDIA_COMMAND) && message.includes('unknown command');
}
