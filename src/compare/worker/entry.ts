import { parentPort } from 'node:worker_threads';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';
import { compareImages } from '../compare.js';
import type { Answer, Question } from './compare-worker.js';

// The programme of the thread in which compareInWorker has its images compared: it answers each question when it is done with it.
parentPort?.on('message', async (question: Question) => parentPort?.postMessage(await answer(question)));

async function answer({ number, before, after, settings, masked }: Question): Promise<Answer> {
  try {
    const comparison = await compareImages(withBuffer(before), withBuffer(after), settings, masked);
    return { number, kind: 'compared', comparison };
  } catch (cause) {
    if (cause instanceof ProofsheetError) return { number, kind: 'problem', problem: cause.problem };
    return { number, kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) };
  }
}

/** Between threads, a Buffer becomes an array of its bytes. */
function withBuffer(image: EncodedImage): EncodedImage {
  const { buffer, byteOffset, byteLength } = image.bytes;
  return { ...image, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
