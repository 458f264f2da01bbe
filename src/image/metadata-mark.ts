/** A file taken apart: the text that was embedded, null where there is none or it is damaged, and the file without it. */
export interface Extracted {
  readonly text: string | null;
  readonly bare: Buffer;
}

/** What our part of a file begins with, whatever its format: no other program's does. */
export const MARK = Buffer.from('proofsheet\0', 'latin1');

/** Checks whether a part of a file is ours. */
export function isMarked(data: Buffer): boolean {
  return data.subarray(0, MARK.length).equals(MARK);
}

/** Inserts a part at an offset. */
export function insertPart(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

/** Removes parts, given in the order in which they lie in the file; without any, gives the very same buffer. */
export function removeParts(bytes: Buffer, parts: readonly { readonly start: number; readonly end: number }[]): Buffer {
  if (parts.length === 0) return bytes;
  const starts = [0, ...parts.map(({ end }) => end)];
  return Buffer.concat(starts.map((start, index) => bytes.subarray(start, parts[index]?.start)));
}

/** Reads UTF-8; null where it is none. */
export function decodeText(data: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}
