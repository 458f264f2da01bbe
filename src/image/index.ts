/** Codecs and pixels. Other folders import this door, and nothing behind it. */

export { borrowBytes, borrowZeros, createMemorySemaphore, returnBytes } from './buffer-pool.js';
export {
  areaOf,
  cropPixels,
  flattenPixels,
  isOpaque,
  isSameSize,
  isWithin,
  overlapOf,
  shrinkPixels,
  unionOf,
} from './canvas.js';
export { decodeImage } from './decode.js';
export { readImageHeader } from './headers.js';
export { assertWithinLimit, inspectImage, renderPixelCount } from './inspect.js';
export { type Defect, describeDefect, type FileInspection, inspectFile } from './inspect-file.js';
export { embedText, extractText } from './metadata.js';
export { drawPdf } from './pdf/draw.js';
export { normalizePdf } from './pdf/normalize.js';
export { decodePng } from './png/read.js';
export { type Color, encodeIndexedPng, encodePng, type IndexedPixels, joinPngs, storePng } from './png/write.js';
export { solidColor } from './solid-color.js';
export { serveRequests, toBuffer, WorkerClient, WorkerError } from './worker-client.js';
