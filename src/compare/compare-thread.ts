import { serveRequests, toBuffer } from '../image/index.js';
import type { Comparison, EncodedImage } from '../model/index.js';
import { measureBlurred } from './blurred.js';
import { type CompareRequest, compareImages } from './compare.js';

// Entry point of the worker thread of compareInWorker and measureBlurredInWorker.
serveRequests(async (request: CompareRequest): Promise<Comparison | number[]> => {
  const [before, after] = [withBuffer(request.before), withBuffer(request.after)];
  return 'places' in request
    ? measureBlurred(before, after, request.places, request.reach)
    : compareImages(before, after, request.settings, request.ignoredAreas);
});

function withBuffer(image: EncodedImage): EncodedImage {
  return { ...image, bytes: toBuffer(image.bytes) };
}
