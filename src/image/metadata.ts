import { crc32 } from 'node:zlib';
import { type FileCodec, failure, parseJson, renderCountOf } from '../model/index.js';
import { RIFF_HEAD, readImageHeader, walkJpeg, walkRiff } from './inspect.js';
import { isIntact, type PngChunk, walkPng } from './png/read.js';
import { encodePngChunk } from './png/write.js';

/** The embedded parts of a file, null when there is none or it is damaged, and the file without them. */
export interface Extracted {
  readonly text: string | null;
  readonly data: Buffer | null;
  readonly bare: Buffer;
}

const MARK = Buffer.from('proofsheet\0', 'latin1');

/**
 * Embeds a text and data into an image file, and replaces earlier ones. Image viewers skip them. A PNG has them in chunks before its end,
 * other files behind it.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` when the file is not complete
 */
export function embedText(
  bytes: Buffer,
  codec: FileCodec,
  text: string,
  where = 'image',
  data: Buffer | null = null,
): Buffer {
  const { bare } = extractText(bytes, codec);
  const full = codec === 'png' ? embedInPng(bare, text, data) : appendTrailer(bare, text, data);
  if (full && readImageHeader(bare)?.whole) return full;
  const found = `the ${codec} file (${renderCountOf(bytes.length, 'byte')}) is not complete`;
  throw failure('image-damaged', where, found, 'Capture the page again.');
}

/** Returns what {@link embedText} embedded, and the original file, byte for byte: the same buffer if it has no text. Never throws. */
export function extractText(bytes: Buffer, codec: FileCodec): Extracted {
  return codec === 'png' ? extractFromPng(bytes) : (extractTrailer(bytes) ?? extractOld(bytes, codec));
}

function embedInPng(bytes: Buffer, text: string, data: Buffer | null): Buffer | null {
  const end = [...walkPng(bytes)].at(-1);
  if (end?.type !== 'IEND') return null;
  const parts = [
    ...(data ? [encodePngChunk(PNG_DATA, Buffer.concat([MARK, data]))] : []),
    encodePngChunk('iTXt', Buffer.concat([HEAD, Buffer.from(text)])),
  ];
  return Buffer.concat([bytes.subarray(0, end.start), ...parts, bytes.subarray(end.start)]);
}

/** Ancillary, private, and unsafe to copy after a change of the pixels: https://www.w3.org/TR/png-3/#5Chunk-naming-conventions */
const PNG_DATA = 'psST';

// Keyword, not compressed, no language, no translated keyword: https://www.w3.org/TR/png-3/#11iTXt.
const HEAD = Buffer.concat([MARK, Buffer.alloc(4)]);

function extractFromPng(bytes: Buffer): Extracted {
  const ours = [...walkPng(bytes)].filter(({ type, data }) => /^(iTXt|psST)$/.test(type) && startsWith(data, MARK));
  const contentOf = (kind: string, head: Buffer) => {
    const isWhole = (chunk: PngChunk) => chunk.type === kind && isIntact(chunk) && startsWith(chunk.data, head);
    return ours.find(isWhole)?.data.subarray(head.length) ?? null;
  };
  const text = contentOf('iTXt', HEAD)?.toString() ?? null;
  return { text, data: contentOf(PNG_DATA, MARK), bare: removeParts(bytes, ours) };
}

const TRAILER = '\n%proofsheet ';

/**
 * Appends a text as JSON, and data in base64 with a checksum. The line is a comment of PDF. Readers of a PDF search for its end marker in
 * the last bytes, so it is repeated. Returns null for a PDF without one.
 */
function appendTrailer(bytes: Buffer, text: string, data: Buffer | null): Buffer | null {
  const isPdf = readImageHeader(bytes)?.codec === 'pdf';
  const [, ending] = (isPdf && /(startxref\s+\d+\s+%%EOF\s*)$/.exec(bytes.subarray(-1024).toString('latin1'))) || [];
  if (isPdf && !ending) return null;
  const extra = data ? ` ${crc32(data)} ${data.toString('base64')}` : '';
  const end = ending ? `${ending.trim().replace(/\s+/g, '\n')}\n` : '';
  return Buffer.concat([bytes, Buffer.from(`${TRAILER}${JSON.stringify(text)}${extra}\n${end}`)]);
}

function extractTrailer(bytes: Buffer): Extracted | null {
  const start = bytes.lastIndexOf(TRAILER);
  const parts = start < 0 ? null : CONTENT.exec(bytes.toString('utf8', start));
  if (!parts) return null;
  const [, json = '', checksum, base64] = parts;
  const data = base64 === undefined ? null : Buffer.from(base64, 'base64');
  const isWhole = data !== null && crc32(data) === Number(checksum);
  const text = parseJson(json);
  return {
    text: typeof text === 'string' ? text : null,
    data: isWhole ? data : null,
    bare: bytes.subarray(0, start),
  };
}

const CONTENT = /^\n%proofsheet ("[^\n]*")(?: (\d+) ([^\n"]*))?\n(?:startxref\n\d+\n%%EOF\n)?$/;

function startsWith(data: Buffer, head: Buffer): boolean {
  return data.subarray(0, head.length).equals(head);
}

function removeParts(bytes: Buffer, parts: readonly { readonly start: number; readonly end: number }[]): Buffer {
  if (parts.length === 0) return bytes;
  const starts = [0, ...parts.map(({ end }) => end)];
  return Buffer.concat(starts.map((start, index) => bytes.subarray(start, parts[index]?.start)));
}

/** Extracts what earlier versions embedded into a JPEG or a WebP. Those of a PNG and of a PDF are as now. Never throws. */
function extractOld(bytes: Buffer, codec: FileCodec): Extracted {
  if (codec === 'jpeg') return extractFromJpeg(bytes);
  return (codec === 'webp' && extractFromWebp(bytes)) || { text: null, data: null, bare: bytes };
}

/** The text was in comments (COM), and the data in application segments (APP15). */
function extractFromJpeg(bytes: Buffer): Extracted {
  const ours = [...walkJpeg(bytes)].filter(
    ({ marker, data }) => (marker === COMMENT || marker === APP15) && startsWith(data, MARK),
  );
  const contentOf = (kind: number) => {
    const parts = ours.flatMap(({ marker, data }) => (marker === kind ? [data.subarray(MARK.length)] : []));
    return parts.length === 0 ? null : Buffer.concat(parts);
  };
  const data = contentOf(APP15);
  return {
    text: contentOf(COMMENT)?.toString() ?? null,
    data: data && checkedData(data),
    bare: removeParts(bytes, ours),
  };
}

const COMMENT = 0xfe;
const APP15 = 0xef;

/** The text was in the last chunk, and the data in the one before it. A byte says whether the file was simple, without the first chunk. */
function extractFromWebp(bytes: Buffer): Extracted | null {
  const chunks = walkRiff(bytes) ?? [];
  const [first, extra, ours] = [chunks[0], chunks.at(-2), chunks.at(-1)];
  if (!first || ours?.type !== 'PRSH' || !startsWith(ours.data, MARK)) return null;
  const wasSimple = ours.data[MARK.length] === 's'.charCodeAt(0) && first.type === 'VP8X';
  const hasData = extra?.type === 'PRSD' && startsWith(extra.data, MARK);
  const rest = bytes.subarray(wasSimple ? first.end : RIFF_HEAD, (hasData ? extra : ours).start);
  const bare = Buffer.concat([bytes.subarray(0, RIFF_HEAD), rest, bytes.subarray(ours.end)]);
  bare.writeUInt32LE(RIFF_HEAD - 8 + rest.length, 4);
  return {
    bare,
    text: ours.data.toString('utf8', MARK.length + 1),
    data: hasData ? checkedData(extra.data.subarray(MARK.length)) : null,
  };
}

function checkedData(stored: Buffer): Buffer | null {
  const data = stored.subarray(4);
  return stored.length >= 4 && stored.readUInt32BE() === crc32(data) ? data : null;
}
