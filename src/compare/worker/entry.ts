import { serveRequests, toBuffer } from '../../image/index.js';
import { type EncodedImage, ProofsheetError } from '../../model/index.js';
import { compareImages } from '../compare.js';
import type { CompareRequest, CompareResponse } from './compare-worker.js';

// Entry point of the worker thread of compareInWorker.
serveRequests(answer);

async function answer({ before, after, settings, ignoredAreas }: CompareRequest): Promise<CompareResponse> {
  try {
    const comparison = await compareImages(withBuffer(before), withBuffer(after), settings, ignoredAreas);
    return { kind: 'compared', comparison };
  } catch (cause) {
    if (cause instanceof ProofsheetError) return { kind: 'problem', problem: cause.problem };
    return { kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) };
  }
}

function withBuffer(image: EncodedImage): EncodedImage {
  return { ...image, bytes: toBuffer(image.bytes) };
}
