import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../baselines/atomic-write.js';
import type { Capture } from '../../model/capture.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { CaptureResponse } from '../../model/run-record.js';
import { withoutCredentials } from '../../model/words.js';
import { checkUrl } from './capture-url.js';

/** A page as it was captured into a file. */
export interface CapturedFile {
  readonly response: CaptureResponse;
  readonly size: Capture['image']['size'];
  readonly warnings: Capture['warnings'];
  /** What the user should know of the browser, or null. */
  readonly notice: string | null;
}

/**
 * Captures a page into a file, whole or not at all.
 *
 * @throws ProofsheetError: what keeps the page from being captured, or the file from being written.
 */
export async function captureToFile(url: string, fields: ShotFieldsInput, file: string): Promise<CapturedFile> {
  const request = { url: checkUrl(url), fields };
  // The browser is loaded only here: other commands do without.
  const { captureUrls } = await import('./capture-urls.js');
  const { captures, notice } = await captureUrls([request]);
  const [end] = captures;
  if (end?.status !== 'fulfilled') throw end?.reason;
  const { image, viewport, takenAt, warnings } = end.value;
  await write(file, image.bytes);
  const response: CaptureResponse = {
    status: 'success',
    fetchTime: new Date(takenAt).toISOString(),
    message: 'Captured.',
    url: withoutCredentials(end.value.url),
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
      advice: 'Look at the rights of the folder and the room on the disk.',
    });
  }
}
