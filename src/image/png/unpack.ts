import { Worker } from 'node:worker_threads';
import { compiledKernels, type Kernels } from '../kernels.js';
import type { PngRows } from './rows.js';

/**
 * Unpacks the rows of a PNG into pixels, a few at a time. {@link serveUnpackRequests} runs it in a worker. The source is sent to the
 * worker as text, so the function must be self-contained.
 *
 * @param memory - returns the memory of the loops, with at least the given number of bytes
 * @param packed - the data of the IDAT chunks
 * @param data - receives all pixels as RGBA
 * @throws Error when the packed data is damaged, too short or too long
 */
export function unpackPixels(
  kernels: Kernels,
  memory: (bytes: number) => Uint8Array,
  packed: readonly Uint8Array[],
  { width, height, channels, stride }: PngRows,
  data: Uint8Array,
): void {
  /** Maximum back-reference distance of deflate: https://www.rfc-editor.org/rfc/rfc1951#page-3. */
  const history = 1 << 15;
  /** Bytes to unpack at a time. They stay in the CPU cache until they are copied. */
  const windowSize = history + stride + Math.max(stride, 1 << 17);
  /** The loops may read up to this number of bytes past the end of their input. */
  const slack = 64;
  const [full, done, ended] = [0, 1, 2];

  const packedAt = kernels.sizeOfTables();
  const length = packed.reduce((sum, part) => sum + part.length, 0);
  const above = packedAt + length + slack;
  const pixelsAt = above + width * 4;
  const windowAt = pixelsAt + Math.floor(windowSize / stride) * width * 4;
  const bytes = memory(windowAt + windowSize + slack);
  bytes.fill(0, packedAt + length, above);
  packed.reduce((to, part) => {
    bytes.set(part, to);
    return to + part.length;
  }, packedAt);
  kernels.startRows(above, width, channels);
  if (!kernels.startInflate(packedAt, length)) throw new Error('incorrect header check');
  let [rows, next, end] = [0, windowAt, windowAt];
  for (let state = full; state !== done; ) {
    state = kernels.inflate(windowAt, end, windowAt + windowSize);
    if (state !== full && state !== done) throw new Error(state === ended ? 'unexpected end of file' : 'invalid data');
    end = kernels.endOfInflated();
    const count = Math.floor((end - next) / stride);
    if (rows + count > height || (rows + count === height && end > next + count * stride)) throw wrongRows('more');
    const known = kernels.unfilterRows(next, pixelsAt, width, count, channels);
    if (known < count) throw new Error(`there is no filter type - ${bytes[next + known * stride]}`);
    data.set(bytes.subarray(pixelsAt, pixelsAt + count * width * 4), rows * width * 4);
    bytes.copyWithin(above, above + count * width * 4, pixelsAt + count * width * 4);
    rows += count;
    next += count * stride;
    // Later data may refer back to the history, so it is moved to the start of the window.
    const consumed = Math.min(next, Math.max(windowAt, end - history)) - windowAt;
    bytes.copyWithin(windowAt, windowAt + consumed, end);
    next -= consumed;
    end -= consumed;
  }
  if (rows < height) throw wrongRows('fewer');

  function wrongRows(which: 'more' | 'fewer'): Error {
    return new Error(`the PNG has ${which} rows than its head says`);
  }
}

/** A request to the worker. The worker writes the pixels to shared memory. */
interface UnpackRequest {
  readonly packed: readonly Uint8Array[];
  readonly rows: PngRows;
  readonly data: Uint8Array<SharedArrayBuffer>;
}

/** The response of the worker: null, or the error in the packed data. */
type UnpackResponse = { readonly wrong: string | null };

/** The result of a request to the worker. */
export type UnpackResult = 'done' | { readonly wrong: string } | 'lost';

/**
 * Unpacks rows like {@link unpackPixels}, but in a worker thread. The first call starts the worker, which lives as long as the
 * process. It keeps Node running only while a request is pending.
 *
 * @param data - receives RGBA. The caller must not use it until the promise resolves.
 * @returns `lost` when the worker cannot start, or has ended. The caller then unpacks the rows itself.
 */
export function unpackInWorker(
  packed: readonly Uint8Array[],
  rows: PngRows,
  data: Uint8Array<SharedArrayBuffer>,
): Promise<UnpackResult> {
  return new Promise((resolve) => {
    try {
      thread ??= startWorker();
    } catch {
      resolve('lost');
      return;
    }
    // Synchronous, because the caller may block this thread before it yields to the event loop.
    const request: UnpackRequest = { packed, rows, data };
    thread.postMessage(request);
    thread.ref();
    waiting.push(resolve);
  });
}

let thread: Worker | null = null;
/** Resolvers of pending requests. Responses arrive in the order of the requests. */
const waiting: ((answer: UnpackResult) => void)[] = [];

function startWorker(): Worker {
  const worker = new Worker(`(${serveUnpackRequests})(${unpackPixels})`, {
    eval: true,
    workerData: compiledKernels(),
    stdout: true,
    stderr: true,
  });
  worker.on('message', ({ wrong }: UnpackResponse) => {
    waiting.shift()?.(wrong === null ? 'done' : { wrong });
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', () => {}); // The `exit` handler resolves pending requests.
  worker.on('exit', () => {
    thread = null;
    for (const resolve of waiting.splice(0)) resolve('lost');
  });
  return worker;
}

/** Main function of the worker. Handles one request after the other. */
function serveUnpackRequests(unpack: typeof unpackPixels): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const compiled: WebAssembly.Module = workerData;
  // The exports have the type `Kernels`. `Object.create` returns `any`, so no cast is needed.
  const kernels: Kernels = Object.create(new WebAssembly.Instance(compiled).exports);
  const memory = (bytes: number) => {
    const missing = bytes - kernels.memory.buffer.byteLength;
    if (missing > 0) kernels.memory.grow(Math.ceil(missing / 65_536));
    return new Uint8Array(kernels.memory.buffer);
  };
  parentPort?.on('message', ({ packed, rows, data }: UnpackRequest) => {
    try {
      unpack(kernels, memory, packed, rows, data);
      parentPort.postMessage({ wrong: null } satisfies UnpackResponse);
    } catch (cause) {
      parentPort.postMessage({
        wrong: cause instanceof Error ? cause.message : String(cause),
      } satisfies UnpackResponse);
    }
  });
}
