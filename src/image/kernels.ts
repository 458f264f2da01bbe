import { KERNELS_CODE } from './kernels-code.js';

/** The pixel loops in WebAssembly, documented in `wasm/`. All addresses refer to the same memory. */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  startRows(to: number, width: number, channels: number): void;
  unfilterRows(from: number, to: number, width: number, rows: number, channels: number): number;
  sizeOfTables(): number;
  startInflate(from: number, length: number): number;
  inflate(begin: number, to: number, limit: number): number;
  endOfInflated(): number;
  hashRows(from: number, to: number, stride: number, pixels: number, rows: number): void;
  shadePixels(from: number, to: number, pixels: number, first: number, bits: number): void;
  markDifferent(
    left: number,
    right: number,
    marks: number,
    width: number,
    height: number,
    first: number,
    last: number,
    most: number,
    setsApart: boolean,
  ): number;
  countSmoothed(): number;
}

/** Returns the WebAssembly instance. The first call creates it. */
export function kernels(): Kernels {
  loaded ??= load();
  return loaded;
}

/** The loops may read up to this number of bytes past the end of their input. */
export const SLACK = 64;

/**
 * Returns the memory of the loops, with at least the given number of bytes. All callers share it, so its content is valid only
 * until the next call, and never across an `await`.
 */
export function scratch(bytes: number): Uint8Array {
  const { memory } = kernels();
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return new Uint8Array(memory.buffer);
}

/** Releases the shared memory if it has grown large, for example after an image of noise. */
export function trimScratch(): void {
  if (loaded && loaded.memory.buffer.byteLength > MAX_RETAINED_BYTES) loaded = null;
}

/** Returns the compiled module, for a worker thread that creates its own instance. */
export function compiledKernels(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNELS_CODE, 'base64'));
  return compiled;
}

let compiled: WebAssembly.Module | null = null;
let loaded: Kernels | null = null;

const MAX_RETAINED_BYTES = 64 << 20;

/** https://webassembly.github.io/spec/core/exec/runtime.html#page-size */
const PAGE = 1 << 16;

function load(): Kernels {
  // The exports have the type `Kernels`. `Object.create` returns `any`, so no cast is needed.
  return Object.create(new WebAssembly.Instance(compiledKernels()).exports);
}
