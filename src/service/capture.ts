import { randomUUID } from 'node:crypto';
import {
  captureLink,
  ProofsheetError,
  type ShotFieldsInput,
  type Warning,
  withoutCredentials,
} from '../model/index.js';
import type { Call, CallContext } from './call-context.js';
import type { ScreenshotV2 } from './protocol/requests.js';
import type { ScreenshotV2Response } from './protocol/responses.js';
import { contentTypeOf } from './storage/storage.js';

/** The page fields that a request can set, with all defaults resolved. */
type PageRequest = Pick<
  ScreenshotV2,
  'url' | 'width' | 'delay' | 'fullSize' | 'hideCookie' | 'javascriptCode' | 'hide' | 'language'
> & { readonly format: ScreenshotV2['format']; readonly height: number | null };

/**
 * Performs a `POST /api/v2/screenshot` request. Captures the page and stores the file.
 *
 * @throws ProofsheetError if the page cannot be captured or the file cannot be stored.
 */
export async function captureForService(
  request: ScreenshotV2,
  context: CallContext,
  call: Call,
): Promise<ScreenshotV2Response> {
  const { url, format, country } = request;
  const asked = { url, fields: fieldsOf(request), html: format === 'html' };
  const page = await context.captures.capture(asked, call.signal);
  const { image, viewport, takenAt } = page.capture;
  const html = page.html === null ? null : withinLimit(page.html, url);
  const link = captureLink(url, randomUUID(), takenAt, format === 'base64' ? 'png' : format);
  return {
    ...{ status: 'success', error: false, fetchTime: new Date(takenAt).toISOString(), message: 'Captured.' },
    url: withoutCredentials(url),
    ...viewport,
    link: call.urlOf(await store(context, link, html === null ? image.bytes : Buffer.from(html))),
    image: format === 'base64' ? image.bytes.toString('base64') : null,
    html,
    warnings: [...page.warnings, ...(country === undefined ? [] : [noCountry(country)])],
  };
}

/** Maximum length of a document, in characters. The response contains the whole document. */
const MAX_DOCUMENT = 32 * 1024 * 1024;

function withinLimit(html: string, where: string): string {
  if (html.length <= MAX_DOCUMENT) return html;
  throw new ProofsheetError({
    code: 'page-size',
    where,
    found: `the document is larger than ${MAX_DOCUMENT / 1024 / 1024} MB`,
    advice: 'Capture it as an image.',
  });
}

/** Converts a request to page list fields. */
export function fieldsOf(request: PageRequest): ShotFieldsInput {
  const { format, width, height, delay, fullSize, hideCookie, javascriptCode, hide, language } = request;
  return {
    ...{ width, height, delay, fullSize, hideCookie },
    format: format === 'base64' || format === 'html' ? 'png' : format,
    ...(javascriptCode !== undefined && { javascriptCode }),
    ...(hide !== undefined && { hide }),
    ...(language !== undefined && { language }),
  };
}

/** Writes a file to the storage and returns its link. */
export async function store({ storage }: CallContext, link: string, bytes: Buffer): Promise<string> {
  await storage.put(link, bytes, contentTypeOf(link) ?? 'application/octet-stream');
  return link;
}

function noCountry(country: string): Warning {
  const message = `country: ${JSON.stringify(country.slice(0, 100))} has no effect: pages are requested from the location of the service`;
  return { code: 'country-ignored', message };
}
