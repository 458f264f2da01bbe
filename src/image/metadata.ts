import { crc32 } from 'node:zlib';
import { ProofsheetError } from '../model/errors.js';
import type { FileCodec } from '../model/image.js';
import { renderCountOf } from '../model/words.js';
import { readImageHeader, START_OF_SCAN, walkJpeg } from './headers.js';
import { isIntact, walkPng } from './png/read.js';
import { encodePngChunk } from './png/write.js';
import { encodeRiffChunk, encodeVp8x, joinRiff, RIFF_HEAD, walkRiff } from './webp/chunks.js';

/** The embedded parts of a file, null when there is none or it is damaged, and the file without them. */
export interface Extracted {
  readonly text: string | null;
  /** A PDF has none. */
  readonly data: Buffer | null;
  readonly bare: Buffer;
}

/** The unique prefix of our part of a file, in all formats. */
const MARK = Buffer.from('proofsheet\0', 'latin1');

/**
 * Embeds a text and data into an image file, and replaces earlier ones. Image viewers skip them. Decodes no pixels; the only cost
 * is a copy of the file. A PDF takes no data.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` when the file does not have the parts of its format
 */
export function embedText(
  bytes: Buffer,
  codec: FileCodec,
  text: string,
  where = 'image',
  data: Buffer | null = null,
): Buffer {
  const { bare } = extractText(bytes, codec);
  const full = embedByCodec(bare, codec, text, data);
  if (full) return full;
  throw new ProofsheetError({
    code: 'image-damaged',
    where,
    found: `the ${codec} file (${renderCountOf(bytes.length, 'byte')}) is not complete`,
    advice: 'Capture the page again.',
  });
}

/**
 * Returns the text that {@link embedText} embedded, and the original file without it, byte for byte. Returns the same buffer
 * for a file without a text. Never throws.
 */
export function extractText(bytes: Buffer, codec: FileCodec): Extracted {
  switch (codec) {
    case 'png':
      return extractFromPng(bytes);
    case 'jpeg':
      return extractFromJpeg(bytes);
    case 'webp':
      return extractFromWebp(bytes);
    case 'pdf':
      return extractFromPdf(bytes);
    default:
      return codec satisfies never;
  }
}

function embedByCodec(bytes: Buffer, codec: FileCodec, text: string, data: Buffer | null): Buffer | null {
  switch (codec) {
    case 'png':
      return embedInPng(bytes, text, data);
    case 'jpeg':
      return embedInJpeg(bytes, text, data);
    case 'webp':
      return embedInWebp(bytes, text, data);
    case 'pdf':
      return embedInPdf(bytes, text);
    default:
      return codec satisfies never;
  }
}

/** Embeds a text as an iTXt chunk before IEND, and data as a chunk before it. Returns null when the file has no IEND. */
function embedInPng(bytes: Buffer, text: string, data: Buffer | null): Buffer | null {
  for (const { type, start } of walkPng(bytes)) {
    if (type !== 'IEND') continue;
    const parts = [
      ...(data ? [encodePngChunk(PNG_DATA, Buffer.concat([MARK, data]))] : []),
      encodePngChunk('iTXt', Buffer.concat([HEAD, Buffer.from(text)])),
    ];
    return insertPart(bytes, start, Buffer.concat(parts));
  }
  return null;
}

/** Ancillary, private, and unsafe to copy after a change of the pixels: https://www.w3.org/TR/png-3/#5Chunk-naming-conventions */
const PNG_DATA = 'psST';

/** Returns the text of our iTXt chunk, the data of the other chunk, and the file without them. */
function extractFromPng(bytes: Buffer): Extracted {
  const ours = [...walkPng(bytes)].filter(({ type, data }) => /^(iTXt|psST)$/.test(type) && isMarked(data));
  const whole = ours.find(
    (chunk) => chunk.type === 'iTXt' && isIntact(chunk) && chunk.data.subarray(0, HEAD.length).equals(HEAD),
  );
  const extra = ours.find((chunk) => chunk.type === PNG_DATA && isIntact(chunk));
  return {
    text: whole ? decodeText(whole.data.subarray(HEAD.length)) : null,
    data: extra?.data.subarray(MARK.length) ?? null,
    bare: removeParts(bytes, ours),
  };
}

// Keyword, not compressed, no language, no translated keyword: https://www.w3.org/TR/png-3/#11iTXt.
const HEAD = Buffer.concat([MARK, Buffer.alloc(4)]);

/**
 * Embeds a text as one or more comments (COM), and data as application segments (APP15), before the scan. Returns null when the file
 * has no scan.
 */
function embedInJpeg(bytes: Buffer, text: string, data: Buffer | null): Buffer | null {
  for (const { marker, start } of walkJpeg(bytes)) {
    if (marker !== START_OF_SCAN) continue;
    const extra = data ? encodeSegments(JPEG_DATA, withChecksum(data)) : Buffer.alloc(0);
    return insertPart(bytes, start, Buffer.concat([extra, encodeSegments(JPEG_COMMENT, Buffer.from(text))]));
  }
  return null;
}

/** Returns the text of our comments, the data of our application segments, and the file without them. */
function extractFromJpeg(bytes: Buffer): Extracted {
  const ours = [...walkJpeg(bytes)].filter(
    ({ marker, data }) => (marker === JPEG_COMMENT || marker === JPEG_DATA) && isMarked(data),
  );
  const contentOf = (kind: number) => {
    const parts = ours.flatMap(({ marker, data }) => (marker === kind ? [data.subarray(MARK.length)] : []));
    return parts.length === 0 ? null : Buffer.concat(parts);
  };
  const [text, data] = [contentOf(JPEG_COMMENT), contentOf(JPEG_DATA)];
  return { text: text && decodeText(text), data: data && checkedData(data), bare: removeParts(bytes, ours) };
}

const JPEG_COMMENT = 0xfe;
const JPEG_DATA = 0xef;
/** Maximum length of our part of a segment. The length field has two bytes and includes itself: ITU T.81 B.2.4.5. */
const MAX_SEGMENT = 0xffff - 2 - MARK.length;

function encodeSegments(marker: number, content: Buffer): Buffer {
  const segments: Buffer[] = [];
  for (let at = 0; at === 0 || at < content.length; at += MAX_SEGMENT) {
    const part = content.subarray(at, at + MAX_SEGMENT);
    const head = Buffer.of(0xff, marker, 0, 0);
    head.writeUInt16BE(2 + MARK.length + part.length, 2);
    segments.push(head, MARK, part);
  }
  return Buffer.concat(segments);
}

/**
 * Embeds a text as a custom chunk at the end, and data as one before it, because readers skip unknown chunks. Only the extended format allows them, so a
 * simple file first gets the chunk that makes it extended. Returns null when the chunks of the file are invalid.
 *
 * Source: https://developers.google.com/speed/webp/docs/riff_container
 */
function embedInWebp(bytes: Buffer, text: string, data: Buffer | null): Buffer | null {
  const chunks = walkRiff(bytes);
  const size = readImageHeader(bytes)?.size;
  const end = chunks?.at(-1)?.end;
  if (!size || end === undefined) return null;
  const isSimple = chunks?.[0]?.type !== 'VP8X';
  const extended = isSimple ? encodeVp8x(bytes, size) : Buffer.alloc(0);
  const ours = encodeRiffChunk(
    WEBP_CHUNK,
    Buffer.concat([MARK, isSimple ? WAS_SIMPLE : WAS_EXTENDED, Buffer.from(text)]),
  );
  const extra = data ? encodeRiffChunk(WEBP_DATA, Buffer.concat([MARK, withChecksum(data)])) : Buffer.alloc(0);
  const content = [extended, bytes.subarray(RIFF_HEAD, end), extra, ours];
  return joinRiff([bytes.subarray(0, RIFF_HEAD), ...content], bytes.subarray(end));
}

/** Returns the text and the data of our chunks, and the file without them. A file that was simple becomes simple again. */
function extractFromWebp(bytes: Buffer): Extracted {
  const chunks = walkRiff(bytes) ?? [];
  const [first, ours] = [chunks[0], chunks.at(-1)];
  if (!first || ours?.type !== WEBP_CHUNK || !isMarked(ours.data)) return { text: null, data: null, bare: bytes };
  const wasSimple = ours.data[MARK.length] === WAS_SIMPLE[0] && first.type === 'VP8X';
  const last = chunks.at(-2);
  const extra = last?.type === WEBP_DATA && isMarked(last.data) ? last : null;
  const rest = bytes.subarray(wasSimple ? first.end : RIFF_HEAD, (extra ?? ours).start);
  return {
    data: extra && checkedData(extra.data.subarray(MARK.length)),
    text: decodeText(ours.data.subarray(MARK.length + 1)),
    bare: joinRiff([bytes.subarray(0, RIFF_HEAD), rest], bytes.subarray(ours.end)),
  };
}

/** The type of our chunk. Its text follows the mark and one of the two bytes below. */
const WEBP_CHUNK = 'PRSH';
const WEBP_DATA = 'PRSD';
const WAS_SIMPLE = Buffer.from('s');
const WAS_EXTENDED = Buffer.from('x');

/**
 * Embeds a text as a comment after the end of a PDF, and repeats the end marker after it. Readers search for the marker in the
 * last bytes, and a text may be long. Returns null when the file has no end marker.
 */
function embedInPdf(bytes: Buffer, text: string): Buffer | null {
  const ending = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(
    bytes.toString('latin1', Math.max(0, bytes.length - END_MARKER_RANGE)),
  );
  // JSON escapes line breaks, which would end the comment.
  return (
    ending &&
    Buffer.concat([bytes, Buffer.from(`${PDF_COMMENT}${JSON.stringify(text)}\nstartxref\n${ending[1]}\n%%EOF\n`)])
  );
}

/** Returns the text of our comment, and the file without it. */
function extractFromPdf(bytes: Buffer): Extracted {
  const start = bytes.lastIndexOf(PDF_COMMENT);
  const ours =
    start < 0 ? null : /^\n%proofsheet ([^\n]*)\nstartxref\n\d+\n%%EOF\n$/.exec(bytes.toString('utf8', start));
  const text = ours ? parseText(ours[1] ?? '') : null;
  return { text, data: null, bare: ours ? bytes.subarray(0, start) : bytes };
}

const PDF_COMMENT = '\n%proofsheet ';
/** The end marker is in this number of last bytes: PDF Reference 1.7, appendix H, note 18. */
const END_MARKER_RANGE = 1024;

function parseText(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Adds a checksum to data, because JPEG and WebP have none. */
function withChecksum(data: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(data));
  return Buffer.concat([checksum, data]);
}

/** Returns data without its checksum; null when it is damaged. */
function checkedData(stored: Buffer): Buffer | null {
  const data = stored.subarray(CHECKSUM_BYTES);
  return stored.length >= CHECKSUM_BYTES && stored.readUInt32BE() === crc32(data) ? data : null;
}

const CHECKSUM_BYTES = 4;

/** Checks whether a part of a file is ours. */
function isMarked(data: Buffer): boolean {
  return data.subarray(0, MARK.length).equals(MARK);
}

/** Inserts a part at an offset. */
function insertPart(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

/** Removes parts, given in file order. Returns the same buffer when there are none. */
function removeParts(bytes: Buffer, parts: readonly { readonly start: number; readonly end: number }[]): Buffer {
  if (parts.length === 0) return bytes;
  const starts = [0, ...parts.map(({ end }) => end)];
  return Buffer.concat(starts.map((start, index) => bytes.subarray(start, parts[index]?.start)));
}

/** Decodes UTF-8. Returns null when the data is not valid. */
function decodeText(data: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}
