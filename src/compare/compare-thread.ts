import { serveRequests, toBuffer } from '../image/index.js';
import type { EncodedImage } from '../model/index.js';
import { compareImages } from './compare.js';
import type { CompareRequest } from './compare-worker.js';

// Entry point of the worker thread of compareInWorker.
serveRequests(({ before, after, settings, ignoredAreas }: CompareRequest) =>
  compareImages(withBuffer(before), withBuffer(after), settings, ignoredAreas),
);

function withBuffer(image: EncodedImage): EncodedImage {
  return { ...image, bytes: toBuffer(image.bytes) };
}
