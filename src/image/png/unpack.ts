import { Worker } from 'node:worker_threads';
import { compiledKernels, type Kernels } from '../kernels.js';
import type { PngRows } from './rows.js';

/**
 * Unpacks the rows of a PNG into pixels, a few at a time. The whole programme of {@link serveUnpack}, too: its source is handed
 * to a thread as text, and so it uses nothing from outside itself.
 *
 * @param memory - gives the memory of the loops, of so many bytes at least
 * @param packed - what its IDAT chunks hold
 * @param data - takes RGBA, all of it
 * @throws Error when the packed data is damaged, too short or too long
 */
export function unpackPixels(
  kernels: Kernels,
  memory: (bytes: number) => Uint8Array,
  packed: readonly Uint8Array[],
  { width, height, channels, stride }: PngRows,
  data: Uint8Array,
): void {
  /** How far back deflate may reach: https://www.rfc-editor.org/rfc/rfc1951#page-3. */
  const history = 1 << 15;
  /** So much is unpacked at a time: it stays in the processor's cache until it is in its place. */
  const room = history + stride + Math.max(stride, 1 << 17);
  /** The loops read up to so many bytes behind what they are given. */
  const slack = 64;
  const [full, done, ended] = [0, 1, 2];

  const packedAt = kernels.sizeOfTables();
  const length = packed.reduce((sum, part) => sum + part.length, 0);
  const above = packedAt + length + slack;
  const own = above + width * 4;
  const start = own + Math.floor(room / stride) * width * 4;
  const bytes = memory(start + room + slack);
  bytes.fill(0, packedAt + length, above);
  packed.reduce((to, part) => {
    bytes.set(part, to);
    return to + part.length;
  }, packedAt);
  kernels.startRows(above, width, channels);
  if (!kernels.startInflate(packedAt, length)) throw new Error('incorrect header check');
  let [rows, next, end] = [0, start, start];
  for (let state = full; state !== done; ) {
    state = kernels.inflate(start, end, start + room);
    if (state !== full && state !== done) throw new Error(state === ended ? 'unexpected end of file' : 'invalid data');
    end = kernels.endOfInflated();
    const count = Math.floor((end - next) / stride);
    if (rows + count > height || (rows + count === height && end > next + count * stride)) throw wrongRows('more');
    const known = kernels.unfilterRows(next, own, width, count, channels);
    if (known < count) throw new Error(`there is no filter type - ${bytes[next + known * stride]}`);
    data.set(bytes.subarray(own, own + count * width * 4), rows * width * 4);
    bytes.copyWithin(above, above + count * width * 4, own + count * width * 4);
    rows += count;
    next += count * stride;
    // What comes may repeat what was.
    const away = Math.min(next, Math.max(start, end - history)) - start;
    bytes.copyWithin(start, start + away, end);
    next -= away;
    end -= away;
  }
  if (rows < height) throw wrongRows('fewer');

  function wrongRows(which: 'more' | 'fewer'): Error {
    return new Error(`the PNG has ${which} rows than its head says`);
  }
}

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
export function unpackInWorker(
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
