/** Codecs and pixels. Other folders import this door, and nothing behind it. */

export { borrowBytes, borrowZeros, createMemorySemaphore, returnBytes } from './buffer-pool.js';
export {
  areaOf,
  assertWithinLimit,
  cropPixels,
  flattenPixels,
  hasArea,
  isOpaque,
  isSameSize,
  isWithin,
  overlapOf,
  renderPixelCount,
  roundOut,
  shrinkPixels,
  toBuffer,
  unionOf,
  wordsOf,
} from './canvas.js';
export { type DecodedImage, decodeImage, solidColor } from './decode.js';
export { type Defect, describeDefect, inspectFile, inspectImage, readImageHeader } from './inspect.js';
export { embedText, extractText } from './metadata.js';
export { normalizePdf } from './pdf/pdf.js';
export { decodePng } from './png/read.js';
export { type Color, encodeIndexedPng, encodePng, type IndexedPixels, joinPngs, storePng } from './png/write.js';
export { encodeWebp } from './wasm.js';
export { serveRequests, WorkerClient, WorkerError } from './worker-client.js';
