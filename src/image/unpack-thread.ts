import { Worker } from 'node:worker_threads';
import { compiledKernels, type Kernels } from './kernels.js';
import type { PngRows } from './png-rows.js';
import { unpackPixels } from './unpack-pixels.js';

/** What the thread is asked; it takes the memory and gives it back. */
interface Question {
  readonly packed: readonly Uint8Array[];
  readonly rows: PngRows;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** What it answers: the pixels, or what is wrong with the packed data. */
type Answer = { readonly data: Uint8Array<ArrayBuffer> } | { readonly wrong: string };

/** What came of a question. */
export type ThreadAnswer = Answer | { readonly lost: true };

/**
 * Unpacks rows as {@link unpackPixels} does, in a thread of its own, which is started by the first and ends with Node; it keeps
 * Node alive only while it owes an answer.
 *
 * @param data - memory that is taken over: not to be looked at any more
 * @returns `lost` where there can be no thread, or it ended: whoever asked does it himself
 */
export function unpackAside(
  packed: readonly Uint8Array[],
  rows: PngRows,
  data: Uint8Array<ArrayBuffer>,
): Promise<ThreadAnswer> {
  return new Promise((resolve) => {
    try {
      thread ??= start();
    } catch {
      resolve({ lost: true });
      return;
    }
    // At once: whoever asks may not let go of this thread before its own work is done.
    const question: Question = { packed, rows, data };
    thread.postMessage(question, [data.buffer]);
    thread.ref();
    waiting.push(resolve);
  });
}

let thread: Worker | null = null;
/** Who waits for an answer; they come in the order of the questions. */
const waiting: ((answer: ThreadAnswer) => void)[] = [];

function start(): Worker {
  const worker = new Worker(`(${serveUnpack})(${unpackPixels})`, {
    eval: true,
    workerData: compiledKernels(),
    stdout: true,
    stderr: true,
  });
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.(answer);
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', () => {}); // Whoever waits hears of its end.
  worker.on('exit', () => {
    thread = null;
    for (const resolve of waiting.splice(0)) resolve({ lost: true });
  });
  return worker;
}

/** The rest of the thread's programme: it answers one question after the other. */
function serveUnpack(unpack: typeof unpackPixels): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const compiled: WebAssembly.Module = workerData;
  // What is compiled has the type that is written beside it; Object.create knows none.
  const kernels: Kernels = Object.create(new WebAssembly.Instance(compiled).exports);
  const memory = (bytes: number) => {
    const missing = bytes - kernels.memory.buffer.byteLength;
    if (missing > 0) kernels.memory.grow(Math.ceil(missing / 65_536));
    return new Uint8Array(kernels.memory.buffer);
  };
  parentPort?.on('message', ({ packed, rows, data }: Question) => {
    try {
      unpack(kernels, memory, packed, rows, data);
      parentPort.postMessage({ data } satisfies Answer, [data.buffer]);
    } catch (cause) {
      const answer: Answer = { wrong: cause instanceof Error ? cause.message : String(cause) };
      parentPort.postMessage(answer);
    }
  });
}
