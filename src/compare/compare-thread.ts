import { serveRequests, toBuffer } from '../image/index.js';
import type { EncodedImage } from '../model/index.js';
import { type CompareArguments, compareImages } from './compare.js';

// Entry point of the worker thread of compareInWorker.
serveRequests(([before, after, ...rules]: CompareArguments) =>
  compareImages(withBuffer(before), withBuffer(after), ...rules),
);

function withBuffer(image: EncodedImage): EncodedImage {
  return { ...image, bytes: toBuffer(image.bytes) };
}
