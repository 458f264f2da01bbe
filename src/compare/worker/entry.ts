import { parentPort } from 'node:worker_threads';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';
import { compareImages } from '../compare.js';
import type { Answer, Question } from './compare-worker.js';

// Entry point of the worker thread of compareInWorker. Each request gets one response when its comparison ends.
parentPort?.on('message', async (question: Question) => parentPort?.postMessage(await compareQuestion(question)));

async function compareQuestion({ number, before, after, settings, masked }: Question): Promise<Answer> {
  try {
    const comparison = await compareImages(withBuffer(before), withBuffer(after), settings, masked);
    return { number, kind: 'compared', comparison };
  } catch (cause) {
    if (cause instanceof ProofsheetError) return { number, kind: 'problem', problem: cause.problem };
    return { number, kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) };
  }
}

/** Restores a Buffer: structured cloning turns it into a Uint8Array. */
function withBuffer(image: EncodedImage): EncodedImage {
  const { buffer, byteOffset, byteLength } = image.bytes;
  return { ...image, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
