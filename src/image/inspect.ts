import {
  type EncodedImage,
  type FileCodec,
  type ImageCodec,
  messageOf,
  renderSize,
  type Size,
} from '../model/index.js';
import { areaOf, hasArea, maxPixelsOf, renderPixelCount } from './canvas.js';
import { readFirstPage } from './pdf/pdf.js';
import { PNG_SIGNATURE, walkPng } from './png/read.js';

/** Why a file is not an image, or an image that is too large. */
export type Defect =
  | { readonly kind: 'empty' }
  /** The Git LFS pointer of a file that was not fetched. */
  | { readonly kind: 'lfs-pointer' }
  /** The file ends before the end that its format announces. */
  | { readonly kind: 'truncated'; readonly codec: FileCodec }
  /** Not a PNG, JPEG, WebP or PDF, or an image without a size. */
  | { readonly kind: 'unknown' }
  /** More pixels than `maxPixelsOf` allows. */
  | { readonly kind: 'too-large'; readonly codec: FileCodec; readonly size: Size }
  /** A PDF that PDFium cannot open. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** The header of a PDF has no size: see `inspectFile`. */
type Inspection = Found<EncodedImage & { readonly codec: ImageCodec }> | { readonly kind: 'pdf' } | Defect;

interface Found<Image> {
  readonly kind: 'image';
  readonly image: Image;
}

/** Inspects the header and the length fields of an image file, without its pixels. Never throws. */
export function inspectImage(bytes: Buffer): Inspection {
  if (bytes.length === 0) return { kind: 'empty' };
  // https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
  if (bytes.toString('latin1', 0, LFS_PREFIX.length) === LFS_PREFIX) return { kind: 'lfs-pointer' };
  const head = readImageHeader(bytes);
  if (!head) return { kind: 'unknown' };
  const { codec, size, whole } = head;
  if (size && areaOf(size) > maxPixelsOf(codec)) return { kind: 'too-large', codec, size };
  if (!whole) return { kind: 'truncated', codec };
  if (codec === 'pdf') return { kind: 'pdf' };
  return size ? { kind: 'image', image: { bytes, codec, size } } : { kind: 'unknown' };
}

const LFS_PREFIX = 'version https://git-lfs.github.com/spec/';

/** Inspects an image by its header, and a PDF by opening it. Never throws. */
export async function inspectFile(bytes: Buffer): Promise<Found<EncodedImage> | Defect> {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'pdf') return inspection;
  try {
    return { kind: 'image', image: { bytes, codec: 'pdf', size: await readFirstPage(bytes) } };
  } catch (cause) {
    return { kind: 'damaged', reason: messageOf(cause) };
  }
}

/** Describes a defect of a `subject`, such as `the baseline`. There is no advice if that depends on where the file comes from. */
export function describeDefect(defect: Defect, subject: string, expected: string): { found: string; advice?: string } {
  switch (defect.kind) {
    case 'empty':
      return { found: `${subject} is empty (0 bytes)` };
    case 'truncated':
      return { found: `${subject} is truncated: its ${defect.codec} data is incomplete` };
    case 'lfs-pointer':
      return { found: `${subject} is a Git LFS pointer, not an image`, advice: 'Run: git lfs pull' };
    case 'damaged':
      return { found: `${subject} is a PDF that cannot be read (${defect.reason})` };
    case 'unknown':
      return { found: `${subject} is not an image; expected ${expected}` };
    case 'too-large': {
      const most = renderPixelCount(maxPixelsOf(defect.codec));
      return { found: `${subject} is ${renderSize(defect.size)}; the maximum is ${most}` };
    }
    default:
      return defect satisfies never;
  }
}

interface ImageHeader {
  readonly codec: FileCodec;
  /** Null when the size is missing or invalid, and for a PDF, whose size is known only to PDFium. */
  readonly size: Size | null;
  /** True when the file reaches the end that its format announces. */
  readonly whole: boolean;
}

/** Reads codec, size and completeness from the header and the length fields. Returns null for an unknown format. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(bytes);
  if (bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff) return readJpeg(bytes);
  if (ascii(bytes, 0) === 'RIFF' && ascii(bytes, 8) === 'WEBP') return readWebp(bytes);
  if (bytes.toString('latin1', 0, 5) === '%PDF-') {
    // Readers search for the end marker in the last 1024 bytes: PDF Reference 1.7, appendix H, note 18.
    return { codec: 'pdf', size: null, whole: bytes.subarray(-1024).includes('%%EOF') };
  }
  return null;
}

/**
 * Iterates over the segments of a JPEG by their lengths: the marker, the file offsets of it and of the next segment, and the bytes after the
 * length field, which may be cut off. Stops after the start of the scan (SOS), or at the first invalid segment: ITU T.81 annex B.
 */
export function* walkJpeg(bytes: Buffer) {
  let offset = 2;
  while (offset + 4 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes.readUInt8(offset + 1);
    if (marker === 0xff) {
      offset += 1; // A marker may follow any number of fill bytes.
      continue;
    }
    const end = offset + 2 + bytes.readUInt16BE(offset + 2);
    yield { marker, start: offset, end, data: bytes.subarray(offset + 4, end) };
    if (marker === START_OF_SCAN) return;
    offset = end;
  }
}

const START_OF_SCAN = 0xda;

function readPng(bytes: Buffer): ImageHeader {
  const hasHeader = bytes.length >= 24 && ascii(bytes, 12) === 'IHDR';
  return {
    codec: 'png',
    size: hasHeader ? sizeOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : null,
    whole: [...walkPng(bytes)].at(-1)?.type === 'IEND',
  };
}

// The size is in a frame header (SOF) before the scan.
function readJpeg(bytes: Buffer): ImageHeader {
  let size: Size | null = null;
  let headerEnd = 2;
  for (const { marker, start, end, data } of walkJpeg(bytes)) {
    if (isFrameHeader(marker) && data.length >= 5) size = sizeOf(data.readUInt16BE(3), data.readUInt16BE(1));
    headerEnd = marker === START_OF_SCAN ? start : end;
  }
  // A thumbnail in the header has its own end marker. Only an end marker after the start of the scan counts.
  return { codec: 'jpeg', size, whole: bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) > headerEnd };
}

/** A frame header (SOF) contains the size and the channels of a JPEG. */
export function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readWebp(bytes: Buffer): ImageHeader {
  return { codec: 'webp', size: readWebpSize(bytes), whole: bytes.readUInt32LE(4) + 8 <= bytes.length };
}

// https://developers.google.com/speed/webp/docs/riff_container
function readWebpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null;
  switch (ascii(bytes, 12)) {
    case 'VP8 ':
      return sizeOf(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sizeOf(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}

function sizeOf(width: number, height: number): Size | null {
  const size = { width, height };
  return hasArea(size) ? size : null;
}

function ascii(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + 4);
}

/** `RIFF`, length, `WEBP`. */
export const RIFF_HEAD = 12;

/**
 * Returns the chunks, with the file offsets of their start, including the header, and of their end, including the padding. Returns null when
 * they do not exactly fill the length that the file header announces.
 */
export function walkRiff(bytes: Buffer) {
  const chunks: { type: string; data: Buffer; start: number; end: number }[] = [];
  const end = bytes.length < RIFF_HEAD ? 0 : bytes.readUInt32LE(4) + 8;
  let start = RIFF_HEAD;
  while (start + 8 <= Math.min(end, bytes.length)) {
    const length = bytes.readUInt32LE(start + 4);
    const next = start + 8 + length + (length % 2);
    chunks.push({ type: ascii(bytes, start), data: bytes.subarray(start + 8, start + 8 + length), start, end: next });
    start = next;
  }
  return start === end && end <= bytes.length ? chunks : null;
}
