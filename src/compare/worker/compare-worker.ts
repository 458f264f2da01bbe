import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Comparison, isExplained } from '../../model/comparison.js';
import { type Problem, ProofsheetError } from '../../model/errors.js';
import type { EncodedImage, Rectangle } from '../../model/image.js';
import type { ResolvedCompareSettings } from '../../model/shot.js';
import { compareImages } from '../compare.js';

/** A request to the compare worker. */
export interface Question {
  /** Counts from 0. Matches an answer to its request, because answers may arrive in another order. */
  readonly number: number;
  readonly before: EncodedImage;
  readonly after: EncodedImage;
  readonly settings: ResolvedCompareSettings;
  readonly masked: readonly Rectangle[];
}

/** A response of the compare worker. A ProofsheetError is sent as its `problem`, any other error as `error`. */
export type Answer = { readonly number: number } & (
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly error: Error }
);

/**
 * Runs {@link compareImages} in a worker thread, so that the calling thread stays free. The worker starts with the first two
 * images that differ and ends with Node. It keeps Node alive only while a response is pending. If the worker cannot start,
 * or exits before it responds, the comparison runs in the calling thread.
 *
 * @throws ProofsheetError the errors of compareImages
 */
export async function compareInWorker(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
): Promise<Comparison> {
  const compareHere = () => compareImages(before, after, settings, masked);
  if (before.bytes.equals(after.bytes)) return compareHere();
  const answer = await send({ number: requestCount++, before, after, settings, masked });
  switch (answer.kind) {
    case 'compared':
      return withBuffer(answer.comparison);
    case 'problem':
      throw new ProofsheetError(answer.problem);
    case 'failed':
      throw answer.error;
    case 'lost':
      return compareHere();
    default:
      return answer satisfies never;
  }
}

type WorkerResult = Answer | { readonly kind: 'lost' };

let thread: Worker | null = null;
let requestCount = 0;
/** Pending requests, by number. */
const pending = new Map<number, (answer: WorkerResult) => void>();

function send(question: Question): Promise<WorkerResult> {
  return new Promise((resolve) => {
    try {
      thread ??= start();
      thread.postMessage(question);
    } catch {
      resolve({ kind: 'lost' });
      return;
    }
    thread.ref();
    pending.set(question.number, resolve);
  });
}

function start(): Worker {
  // The worker does not inherit the flags of this process: a test runner's loader would transform every module it loads.
  const worker = new Worker(workerPath(), { execArgv: [], stdout: true, stderr: true });
  worker.on('message', (answer: Answer) => {
    pending.get(answer.number)?.(answer);
    pending.delete(answer.number);
    if (pending.size === 0) worker.unref();
  });
  worker.on('error', () => {}); // The exit handler settles pending requests.
  worker.on('exit', () => {
    thread = null;
    for (const resolve of pending.values()) resolve({ kind: 'lost' });
    pending.clear();
  });
  return worker;
}

/** Resolves the package by its own name, which works from `src/` (where tests run) and from `dist/`. */
function workerPath(): string {
  const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
  return join(manifest, '..', 'dist', 'compare-thread.js');
}

/** Restores a Buffer: structured cloning turns it into a Uint8Array. */
function withBuffer(comparison: Comparison): Comparison {
  if (!isExplained(comparison)) return comparison;
  const { buffer, byteOffset, byteLength } = comparison.diff;
  return { ...comparison, diff: Buffer.from(buffer, byteOffset, byteLength) };
}
