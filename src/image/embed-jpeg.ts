import { decodeText, type Extracted, insertPart, isMarked, MARK, removeParts } from './embed-mark.js';
import { START_OF_SCAN, walkJpeg } from './heads.js';

/** Embeds a text as comments (COM) before the scan, as many as it takes; null when the file does not reach that. */
export function embedInJpeg(bytes: Buffer, text: string): Buffer | null {
  for (const { marker, start } of walkJpeg(bytes)) {
    if (marker === START_OF_SCAN) return insertPart(bytes, start, encodeComments(Buffer.from(text)));
  }
  return null;
}

/** Gives the text of our comments, and the file without them. */
export function extractFromJpeg(bytes: Buffer): Extracted {
  const ours = [...walkJpeg(bytes)].filter(({ marker, data }) => marker === COMMENT && isMarked(data));
  const text = ours.length === 0 ? null : decodeText(Buffer.concat(ours.map(({ data }) => data.subarray(MARK.length))));
  return { text, bare: removeParts(bytes, ours) };
}

const COMMENT = 0xfe;
/** The length of a segment counts itself, and has two bytes: ITU T.81 B.2.4.5. */
const ROOM = 0xffff - 2 - MARK.length;

function encodeComments(text: Buffer): Buffer {
  const comments: Buffer[] = [];
  for (let at = 0; at === 0 || at < text.length; at += ROOM) {
    const part = text.subarray(at, at + ROOM);
    const head = Buffer.of(0xff, COMMENT, 0, 0);
    head.writeUInt16BE(2 + MARK.length + part.length, 2);
    comments.push(head, MARK, part);
  }
  return Buffer.concat(comments);
}
