import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ImageCodec, Pixels } from '../model/index.js';

/**
 * Decodes JPEG (mozjpeg) or WebP (libwebp) with WebAssembly. The first image of a format loads its codec.
 *
 * @throws Error with all messages of the codec, including warnings. libjpeg only warns when it fills unreadable parts with grey.
 */
export async function decodeByWasm(codec: WasmCodec, bytes: Buffer): Promise<Pixels> {
  const loaded = loading.get(codec) ?? load(codec);
  loading.set(codec, loaded);
  const { factory, compiled } = await loaded;
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  // One instance per image, because its memory never shrinks and it is unusable after an abort.
  const ready = withImageData(() =>
    factory({ noInitialRun: true, print: complain, printErr: complain, instantiateWasm: instantiateFrom(compiled) }),
  );
  const decoder = await ready;
  const image = withImageData(() => attempt(() => decoder.decode(bytes, ...CODECS[codec].flags), complaints));
  if (!image || complaints.length > 0) throw new Error(complaints.join('; ') || 'the decoder returned no image');
  const { data, width, height } = image;
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

type WasmCodec = Exclude<ImageCodec, 'png'>;

// The used part of an Emscripten module. The types of the packages lack `print`.
type Factory = (options: object) => Promise<Decoder>;
interface Decoder {
  decode(bytes: Uint8Array, ...flags: readonly boolean[]): ImageData | null;
}
interface Loaded {
  readonly factory: Factory;
  readonly compiled: WebAssembly.Module;
}

/** The module of each codec, its WebAssembly, and further arguments of its `decode`. */
const CODECS = {
  jpeg: {
    load: (): Promise<{ default: Factory }> => import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js'),
    wasm: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
    flags: [true], // Applies the Exif orientation.
  },
  webp: {
    load: (): Promise<{ default: Factory }> => import('@jsquash/webp/codec/dec/webp_dec.js'),
    wasm: '@jsquash/webp/codec/dec/webp_dec.wasm',
    flags: [],
  },
} as const;

const loading = new Map<WasmCodec, Promise<Loaded>>();

async function load(codec: WasmCodec): Promise<Loaded> {
  const { load, wasm } = CODECS[codec];
  const { default: factory } = await load();
  const compiled = await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(wasm)));
  return { factory, compiled };
}

function instantiateFrom(compiled: WebAssembly.Module) {
  return (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(compiled, imports);
    done(instance);
    return instance.exports;
  };
}

// libjpeg exits on a fatal error. Its printed messages are more specific than the exit status in the thrown error.
function attempt<T>(decode: () => T, complaints: string[]): T | null {
  try {
    return decode();
  } catch (cause) {
    if (complaints.length === 0) complaints.push(cause instanceof Error ? cause.message : 'the decoder failed');
    return null;
  }
}

// The codecs return an instance of the global ImageData, which Node lacks. They also define a global one themselves. Both calls
// are synchronous, so no other code sees the global.
function withImageData<T>(run: () => T): T {
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
