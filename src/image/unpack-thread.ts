import { Worker } from 'node:worker_threads';
import { compiledKernels, type Kernels } from './kernels.js';
import type { PngRows } from './png-rows.js';
import { unpackPixels } from './unpack-pixels.js';

/** What the thread is asked; it writes to memory that both have. */
interface Question {
  readonly packed: readonly Uint8Array[];
  readonly rows: PngRows;
  readonly data: Uint8Array<SharedArrayBuffer>;
}

/** What it answers: null, or what is wrong with the packed data. */
type Answer = { readonly wrong: string | null };

/** What came of a question. */
export type ThreadAnswer = 'done' | { readonly wrong: string } | 'lost';

/**
 * Unpacks rows as {@link unpackPixels} does, in a thread of its own, which is started by the first and ends with Node; it keeps
 * Node alive only while it owes an answer.
 *
 * @param data - takes RGBA; until the answer is there, it is the thread's
 * @returns `lost` where there can be no thread, or it ended: whoever asked does it himself
 */
export function unpackAside(
  packed: readonly Uint8Array[],
  rows: PngRows,
  data: Uint8Array<SharedArrayBuffer>,
): Promise<ThreadAnswer> {
  return new Promise((resolve) => {
    try {
      thread ??= start();
    } catch {
      resolve('lost');
      return;
    }
    // At once: whoever asks may not let go of this thread before its own work is done.
    const question: Question = { packed, rows, data };
    thread.postMessage(question);
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
  worker.on('message', ({ wrong }: Answer) => {
    waiting.shift()?.(wrong === null ? 'done' : { wrong });
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', () => {}); // Whoever waits hears of its end.
  worker.on('exit', () => {
    thread = null;
    for (const resolve of waiting.splice(0)) resolve('lost');
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
      parentPort.postMessage({ wrong: null } satisfies Answer);
    } catch (cause) {
      parentPort.postMessage({ wrong: cause instanceof Error ? cause.message : String(cause) } satisfies Answer);
    }
  });
}
