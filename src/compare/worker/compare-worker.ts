import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Comparison, isExplained } from '../../model/comparison.js';
import { type Problem, ProofsheetError } from '../../model/errors.js';
import type { EncodedImage, Rectangle } from '../../model/image.js';
import type { ResolvedCompareSettings } from '../../model/shot.js';
import { compareImages } from '../compare.js';

/** What the thread is asked. */
export interface Question {
  /** From 0: answers come as they are found. */
  readonly number: number;
  readonly before: EncodedImage;
  readonly after: EncodedImage;
  readonly settings: ResolvedCompareSettings;
  readonly masked: readonly Rectangle[];
}

/** What it answers. Of an error that is a problem of the images the problem is told; of any other, all that there is to tell. */
export type Answer = { readonly number: number } & (
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly error: Error }
);

/**
 * Compares as {@link compareImages} does, in a thread of its own: who asks can go on meanwhile. It is started by the first two
 * images that differ and ends with Node; it keeps Node alive only while it owes an answer. Where there can be no thread, or
 * it ended in the middle of it, the comparison is done in this one.
 *
 * @throws ProofsheetError as compareImages does
 */
export async function compareInWorker(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
): Promise<Comparison> {
  const here = () => compareImages(before, after, settings, masked);
  if (before.bytes.equals(after.bytes)) return here();
  const answer = await ask({ number: questions++, before, after, settings, masked });
  switch (answer.kind) {
    case 'compared':
      return withBuffer(answer.comparison);
    case 'problem':
      throw new ProofsheetError(answer.problem);
    case 'failed':
      throw answer.error;
    case 'lost':
      return here();
    default:
      return answer satisfies never;
  }
}

type Answered = Answer | { readonly kind: 'lost' };

let thread: Worker | null = null;
let questions = 0;
/** Who waits for an answer, by the number of the question. */
const waiting = new Map<number, (answer: Answered) => void>();

function ask(question: Question): Promise<Answered> {
  return new Promise((resolve) => {
    try {
      thread ??= start();
      thread.postMessage(question);
    } catch {
      resolve({ kind: 'lost' });
      return;
    }
    thread.ref();
    waiting.set(question.number, resolve);
  });
}

function start(): Worker {
  // Of what this Node was started with, the thread wants nothing: a test runner's loader looks at each module that is loaded.
  const worker = new Worker(programmePath(), { execArgv: [], stdout: true, stderr: true });
  worker.on('message', (answer: Answer) => {
    waiting.get(answer.number)?.(answer);
    waiting.delete(answer.number);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', () => {}); // Whoever waits hears of its end.
  worker.on('exit', () => {
    thread = null;
    for (const resolve of waiting.values()) resolve({ kind: 'lost' });
    waiting.clear();
  });
  return worker;
}

/** The package finds itself by its name: from `src/`, where the tests run, as well as from `dist/`. */
function programmePath(): string {
  const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
  return join(manifest, '..', 'dist', 'compare-thread.js');
}

/** Between threads, a Buffer becomes an array of its bytes. */
function withBuffer(comparison: Comparison): Comparison {
  if (!isExplained(comparison)) return comparison;
  const { buffer, byteOffset, byteLength } = comparison.diff;
  return { ...comparison, diff: Buffer.from(buffer, byteOffset, byteLength) };
}
