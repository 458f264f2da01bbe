import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** A codec of a `@jsquash` package: an Emscripten module and its WebAssembly. */
export interface WasmCodec<T> {
  load(): Promise<{ readonly default: (options: object) => Promise<T> }>;
  readonly wasm: string;
}

/**
 * Creates an instance of a codec. The first one of a codec compiles it. Use one per image, because its memory never shrinks and it is
 * unusable after an abort.
 *
 * @param print - called with each message of the codec
 */
export async function createInstance<T>({ load, wasm }: WasmCodec<T>, print: (text: string) => void): Promise<T> {
  const { default: factory } = await load();
  const compiling = compiled.get(wasm) ?? compile(wasm);
  compiled.set(wasm, compiling);
  const instantiateWasm = instantiateFrom(await compiling);
  return withImageData(() => factory({ noInitialRun: true, print, printErr: print, instantiateWasm }));
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(wasm: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(wasm)));
}

function instantiateFrom(module: WebAssembly.Module) {
  return (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    done(instance);
    return instance.exports;
  };
}

/**
 * Runs a call into a codec. The codecs return an instance of the global ImageData, which Node lacks, and define one themselves. All calls
 * are synchronous, so no other code sees the global.
 */
export function withImageData<T>(run: () => T): T {
  if ('ImageData' in globalThis) return run();
  Object.defineProperty(globalThis, 'ImageData', { value: PlainImageData, configurable: true, writable: true });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(globalThis, 'ImageData');
  }
}

class PlainImageData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}
