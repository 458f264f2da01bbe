import { decodeText, type Extracted, insertPart, isMarked, MARK, removeParts } from './embed-mark.js';
import { encodePngChunk, isIntact, walkPng } from './png-chunks.js';

/** Embeds a text as an iTXt chunk before IEND; null when the file does not reach that. */
export function embedInPng(bytes: Buffer, text: string): Buffer | null {
  for (const { type, start } of walkPng(bytes)) {
    if (type === 'IEND')
      return insertPart(bytes, start, encodePngChunk('iTXt', Buffer.concat([HEAD, Buffer.from(text)])));
  }
  return null;
}

/** Gives the text of our iTXt chunk, and the file without it. */
export function extractFromPng(bytes: Buffer): Extracted {
  const ours = [...walkPng(bytes)].filter(({ type, data }) => type === 'iTXt' && isMarked(data));
  const whole = ours.find((chunk) => isIntact(chunk) && chunk.data.subarray(0, HEAD.length).equals(HEAD));
  return { text: whole ? decodeText(whole.data.subarray(HEAD.length)) : null, bare: removeParts(bytes, ours) };
}

// Keyword, not compressed, no language, no translated keyword: https://www.w3.org/TR/png-3/#11iTXt.
const HEAD = Buffer.concat([MARK, Buffer.alloc(4)]);
