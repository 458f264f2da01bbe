import { randomUUID } from 'node:crypto';
import { captureLink, ProofsheetError, type ShotFieldsInput, withoutCredentials } from '../../model/index.js';
import type { ScreenshotV1, ScreenshotV2 } from '../protocol/requests.js';
import type { ScreenshotV2Response } from '../protocol/responses.js';
import type { Call, CallContext } from '../service.js';

/**
 * Captures a page and stores the file.
 *
 * @throws ProofsheetError if the page cannot be captured or the file cannot be stored.
 */
export async function screenshot(
  request: ScreenshotV2 | ScreenshotV1,
  context: CallContext,
  call: Call,
): Promise<ScreenshotV2Response> {
  const { url, format } = request;
  const asked = { url, fields: fieldsOf(request), html: format === 'html' };
  const { capture, warnings, html } = await context.captures.capture(asked, call.signal);
  const { image, viewport, takenAt } = capture;
  if (html !== null && html.length > MAX_DOCUMENT)
    throw new ProofsheetError({
      code: 'page-size',
      where: url,
      found: `the document is larger than ${MAX_DOCUMENT / 1024 / 1024} MB`,
      advice: 'Capture it as an image.',
    });
  const link = captureLink(url, randomUUID(), takenAt, format === 'base64' ? 'png' : format);
  await context.storage.put(link, html === null ? image.bytes : Buffer.from(html));
  return {
    status: 'success',
    error: false,
    fetchTime: new Date(takenAt).toISOString(),
    message: 'Captured.',
    url: withoutCredentials(url),
    ...viewport,
    link: call.urlOf(link),
    image: format === 'base64' ? image.bytes.toString('base64') : null,
    html,
    warnings: [...warnings],
  };
}

/** Maximum length of a document, in characters. The response contains the whole document. */
const MAX_DOCUMENT = 32 * 1024 * 1024;

type PageFields = Pick<ScreenshotV1, 'width' | 'height' | 'delay' | 'fullSize' | 'hideCookie'> &
  Partial<Pick<ScreenshotV2, 'format' | 'javascriptCode' | 'hide' | 'language'>>;

/** Converts a request to page list fields. */
export function fieldsOf(request: PageFields): ShotFieldsInput {
  const { format = 'png', width, height, delay, fullSize, hideCookie, javascriptCode, hide, language } = request;
  return {
    ...{ width, height, delay, fullSize, hideCookie },
    format: format === 'base64' || format === 'html' ? 'png' : format,
    ...(javascriptCode !== undefined && { javascriptCode }),
    ...(hide !== undefined && { hide }),
    ...(language !== undefined && { language }),
  };
}
