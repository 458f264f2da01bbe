import { serveRequests, toBuffer } from '../image/index.js';
import type { EncodedImage } from '../model/index.js';
import { type CompareRequest, compareImages } from './compare.js';

// Entry point of the worker thread of compareInWorker.
serveRequests(({ before, after, settings, ignoredAreas }: CompareRequest) =>
  compareImages(withBuffer(before), withBuffer(after), settings, ignoredAreas),
);

function withBuffer(image: EncodedImage): EncodedImage {
  return { ...image, bytes: toBuffer(image.bytes) };
}
