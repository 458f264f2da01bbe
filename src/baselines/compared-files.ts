import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, ProofsheetError } from '../model/errors.js';

/** The image files of one comparison. If `diff` is null, the diff file of an earlier comparison is deleted. */
export interface ComparedFiles {
  readonly before: ComparedFile;
  readonly after: ComparedFile;
  /** A PNG image; null if there is none. */
  readonly diff: ComparedFile | null;
}

interface ComparedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const DIFF = 'diff.png';

/** Returns the file names of a comparison. @param extensions - without dots */
export function comparedNames(extensions: { before: string; after: string }) {
  return { before: `before.${extensions.before}`, after: `after.${extensions.after}`, diff: DIFF };
}

/** Returns the absolute URI of a file in a folder. */
export function fileLink(folder: string, name: string): string {
  return pathToFileURL(join(resolve(folder), name)).href;
}

/**
 * Writes the images of a comparison into a folder, and replaces those of an earlier one.
 *
 * @throws ProofsheetError `report-unwritable`
 */
export async function writeCompared(folder: string, { before, after, diff }: ComparedFiles): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const file of [before, after, ...(diff ? [diff] : [])]) await writeFile(join(folder, file.name), file.bytes);
    if (!diff) await rm(join(folder, DIFF), { force: true });
  } catch (cause) {
    throw new ProofsheetError({
      code: 'report-unwritable',
      where: folder,
      found: `the images cannot be written (${messageOf(cause)})`,
      advice: 'Look at the rights of the folder and the room on the disk, or give another by --output.',
    });
  }
}
