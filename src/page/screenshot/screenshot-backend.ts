import type { Page, PageScreenshotOptions } from '@playwright/test';
import { cropPixels, decodePng, encodePng } from '../../image/index.js';
import {
  codecOf,
  type EncodedImage,
  type ImageCodec,
  messageOf,
  ProofsheetError,
  type Rectangle,
} from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';

export interface ScreenshotBackend {
  /** @throws ProofsheetError `page-too-tall`, `image-too-large` or `page-size` */
  shoot(): Promise<Buffer>;
  /** Device pixels per CSS pixel. */
  readonly deviceScale: number;
  /** Returns what the last image was cut out of. @default it was not cut out */
  crop?(): Crop | null;
}

export interface Crop {
  readonly whole: EncodedImage;
  readonly area: Rectangle;
}

export type BackendContext = Pick<CaptureContext, 'page' | 'locator' | 'session' | 'clock' | 'settings'>;

/** The part of a page that is captured, in CSS pixels. */
export interface Part {
  /** Maximum height of a full page; null for no limit. */
  readonly cutAt: number | null;
  /** Null: the page, or the element that was asked for. */
  readonly clip: Rectangle | null;
}

/** Takes a screenshot; once more if Chromium refuses it, as it sometimes does when it is busy: it takes the same one a moment later. */
export function retryRefused(shoot: () => Promise<Buffer>): Promise<Buffer> {
  return shoot().catch((cause: unknown) => {
    if (!/Unable to capture screenshot/.test(messageOf(cause))) throw cause;
    return shoot();
  });
}

export async function cropPng(bytes: Buffer, area: Rectangle): Promise<Buffer> {
  return encodePng(cropPixels(await decodePng(bytes), area));
}

export function imageCodecOf({ format }: Pick<CaptureContext['settings'], 'format'>): ImageCodec {
  return codecOf(format === 'pdf' ? 'png' : format);
}

/** Returns the options of Playwright's screenshots that decide how an image is encoded. */
export function encodingOptions({ format, quality, scale }: CaptureContext['settings']): PageScreenshotOptions {
  const type = imageCodecOf({ format });
  return { type, scale, ...(type !== 'png' && { quality }) };
}

/** Maximum height of a captured page, in CSS pixels. */
export const MAX_HEIGHT = 60_000;

export const SHORTER = 'Capture one `element`, or only the viewport with `fullSize: false`.';

export function tooTall(page: Page, height: number, limit: string, advice: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-too-tall',
    where: page.url(),
    found: `the page is ${height} px tall; ${limit}`,
    advice,
  });
}
