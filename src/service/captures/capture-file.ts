import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../baselines/index.js';
import {
  adviseFileError,
  type CaptureResponse,
  checkUrl,
  messageOf,
  ProofsheetError,
  type ShotFieldsInput,
  withoutCredentials,
} from '../../model/index.js';

/**
 * Captures a page into a file. If it fails, the file is not changed.
 *
 * @returns the v1 response, the size and the warnings of the capture, and a notice about the browser for the user, or null.
 * @throws ProofsheetError if the page cannot be captured or the file cannot be written.
 */
export async function captureToFile(url: string, fields: ShotFieldsInput, file: string) {
  const request = { url: checkUrl(url), fields };
  // Imported here, because other commands do not need the browser.
  const { captureUrls } = await import('./capture-url.js');
  const { captures, notice } = await captureUrls([request]);
  const [capture] = captures;
  if (capture?.status !== 'fulfilled') throw capture?.reason;
  const { image, viewport, takenAt, warnings } = capture.value;
  await replaceFile(resolve(file), image.bytes).catch((cause) => {
    throw new ProofsheetError({
      code: 'image-unwritable',
      where: file,
      found: `the image cannot be written (${messageOf(cause)})`,
      advice: `${adviseFileError(cause)}.`,
    });
  });
  const response: CaptureResponse = {
    status: 'success',
    fetchTime: new Date(takenAt).toISOString(),
    message: 'Captured.',
    url: withoutCredentials(request.url),
    ...viewport,
    link: pathToFileURL(resolve(file)).href,
  };
  return { response, size: image.size, warnings, notice };
}
