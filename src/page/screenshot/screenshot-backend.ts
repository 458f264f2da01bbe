import type { Locator, Page, PageScreenshotOptions } from '@playwright/test';
import { codecOf, type ImageCodec } from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';

/** Takes images of a page in its current state. */
export interface ScreenshotBackend {
  /** @throws ProofsheetError `page-too-tall`, `image-too-large` or `page-size` */
  shoot(): Promise<Buffer>;
  /** Device pixels per CSS pixel. */
  readonly deviceScale: number;
}

/** The page to capture, or one element of it. */
export type Subject = { readonly page: Page; readonly locator: Locator | null };

/** What a backend needs of a capture. */
export type BackendContext = Pick<CaptureContext, 'page' | 'state' | 'clock' | 'settings'>;

/** Returns the codec of a screenshot. */
export function imageCodecOf({ format }: Pick<CaptureContext['settings'], 'format'>): ImageCodec {
  return codecOf(format === 'pdf' ? 'png' : format);
}

/** Returns the options of Playwright's screenshots. */
export function screenshotOptions({
  format,
  quality,
  scale,
  settle,
}: CaptureContext['settings']): PageScreenshotOptions {
  const type = imageCodecOf({ format });
  return {
    type,
    scale,
    caret: settle.caret ? 'hide' : 'initial',
    animations: settle.animations ? 'disabled' : 'allow',
    ...(type === 'png' ? {} : { quality }),
  };
}
