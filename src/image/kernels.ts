import { KERNELS_CODE } from './kernels-code.js';

/** The loops over pixels, in WebAssembly; what each does stands in `wasm/`. All addresses are of one memory. */
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

/** Returns the loops, compiled when first asked for. */
export function kernels(): Kernels {
  loaded ??= load();
  return loaded;
}

/** The loops read up to so many bytes behind what they are given. */
export const SLACK = 64;

/**
 * Returns the memory in which the loops work, of so many bytes at least. Whoever asks next gets the same: what is in it is kept
 * only until then, and never across an `await`.
 */
export function scratch(bytes: number): Uint8Array {
  const { memory } = kernels();
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return new Uint8Array(memory.buffer);
}

/** Lets go of that memory where it has grown by much: what one file of noise needed is not kept for all that follow. */
export function trimScratch(): void {
  if (loaded && loaded.memory.buffer.byteLength > MOST_KEPT) loaded = null;
}

/** Returns the loops compiled, for a thread that makes its own of them. */
export function compiledKernels(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNELS_CODE, 'base64'));
  return compiled;
}

let compiled: WebAssembly.Module | null = null;
let loaded: Kernels | null = null;

const MOST_KEPT = 64 << 20;

/** https://webassembly.github.io/spec/core/exec/runtime.html#page-size */
const PAGE = 1 << 16;

function load(): Kernels {
  // What is compiled has the type that is written above; Object.create knows none.
  return Object.create(new WebAssembly.Instance(compiledKernels()).exports);
}
