/** The embedded text of a file, null when there is none or it is damaged, and the file without it. */
export interface Extracted {
  readonly text: string | null;
  readonly bare: Buffer;
}

/** The unique prefix of our part of a file, in all formats. */
export const MARK = Buffer.from('proofsheet\0', 'latin1');

/** Checks whether a part of a file is ours. */
export function isMarked(data: Buffer): boolean {
  return data.subarray(0, MARK.length).equals(MARK);
}

/** Inserts a part at an offset. */
export function insertPart(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

/** Removes parts, given in file order. Returns the same buffer when there are none. */
export function removeParts(bytes: Buffer, parts: readonly { readonly start: number; readonly end: number }[]): Buffer {
  if (parts.length === 0) return bytes;
  const starts = [0, ...parts.map(({ end }) => end)];
  return Buffer.concat(starts.map((start, index) => bytes.subarray(start, parts[index]?.start)));
}

/** Decodes UTF-8. Returns null when the data is not valid. */
export function decodeText(data: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}
