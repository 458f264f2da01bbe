import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../baselines/index.js';
import {
  adviseFileError,
  type Capture,
  type CaptureResponse,
  checkUrl,
  messageOf,
  ProofsheetError,
  resolveLink,
  type ShotFieldsInput,
  withoutCredentials,
} from '../../model/index.js';

/** The result of {@link captureToFile}. */
export interface CapturedFile {
  readonly response: CaptureResponse;
  readonly size: Capture['image']['size'];
  readonly warnings: Capture['warnings'];
  /** A notice about the browser for the user, or null. */
  readonly notice: string | null;
}

/**
 * Captures a page into a file. If it fails, the file is not changed.
 *
 * @throws ProofsheetError if the page cannot be captured or the file cannot be written.
 */
export async function captureToFile(url: string, fields: ShotFieldsInput, file: string): Promise<CapturedFile> {
  const request = { url: checkUrl(url), fields };
  // Imported here, because other commands do not need the browser.
  const { captureUrls } = await import('./capture-url.js');
  const { captures, notice } = await captureUrls([request]);
  const [capture] = captures;
  if (capture?.status !== 'fulfilled') throw capture?.reason;
  const { image, viewport, takenAt, warnings } = capture.value;
  await write(file, image.bytes);
  const response: CaptureResponse = {
    status: 'success',
    fetchTime: new Date(takenAt).toISOString(),
    message: 'Captured.',
    url: withoutCredentials(capture.value.url),
    ...viewport,
    link: pathToFileURL(resolve(file)).href,
  };
  return { response, size: image.size, warnings, notice };
}

async function write(file: string, bytes: Buffer): Promise<void> {
  try {
    await replaceFile(resolve(file), bytes);
  } catch (cause) {
    throw new ProofsheetError({
      code: 'image-unwritable',
      where: file,
      found: `the image cannot be written (${messageOf(cause)})`,
      advice: `${adviseFileError(cause)}.`,
    });
  }
}

/**
 * Writes a capture of the service at its link below a folder, atomically.
 *
 * @throws ProofsheetError `storage-failed` if it is not the link of a capture, or the file cannot be written.
 */
export async function writeCapture(folder: string, link: string, bytes: Buffer): Promise<void> {
  const path = resolveLink(folder, link);
  if (path === null)
    throw storageFailed(link, 'this is not the link of a capture', 'Use a link that the service returned.');
  await replaceFile(path, bytes).catch((cause) => {
    throw storageFailed(folder, `the capture cannot be written (${messageOf(cause)})`, `${adviseFileError(cause)}.`);
  });
}

/** Creates the error of a folder that cannot store captures. */
export function storageFailed(where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'storage-failed', where, found, advice });
}
