import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ImageCodec, Pixels } from '../model/index.js';
import { toBuffer } from './canvas.js';

/**
 * Decodes JPEG (mozjpeg) or WebP (libwebp) with WebAssembly.
 *
 * @throws Error with all messages of the codec, including warnings. libjpeg only warns when it fills unreadable parts with grey.
 */
export async function decodeByWasm(codec: keyof typeof CODECS, bytes: Buffer): Promise<Pixels> {
  const { instance: decoder, complaints } = await createInstance<Decoder>(CODECS[codec]);
  const image = withImageData(() => {
    try {
      return decoder.decode(bytes, ...CODECS[codec].flags);
    } catch (cause) {
      // libjpeg exits on a fatal error. Its printed messages are more specific than the exit status in the thrown error.
      if (complaints.length === 0) complaints.push(cause instanceof Error ? cause.message : 'the decoder failed');
      return null;
    }
  });
  if (!image || complaints.length > 0) throw new Error(complaints.join('; ') || 'the decoder returned no image');
  const { data, width, height } = image;
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

// The used part of an Emscripten module. The types of the packages lack `print`.
interface Decoder {
  decode(bytes: Uint8Array, ...flags: readonly boolean[]): ImageData | null;
}

/** `flags` are further arguments of `decode`. */
const CODECS = {
  jpeg: {
    load: () => import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js'),
    wasm: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
    flags: [false], // Ignores the Exif orientation.
  },
  webp: {
    load: () => import('@jsquash/webp/codec/dec/webp_dec.js'),
    wasm: '@jsquash/webp/codec/dec/webp_dec.wasm',
    flags: [],
  },
} as const satisfies Record<Exclude<ImageCodec, 'png'>, WasmCodec<Decoder> & { readonly flags: readonly boolean[] }>;

interface Encoder {
  encode(bytes: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
}

const ENCODER: WasmCodec<Encoder> = {
  load: () => import('@jsquash/webp/codec/enc/webp_enc.js'),
  wasm: '@jsquash/webp/codec/enc/webp_enc.wasm',
};

/** Encodes pixels as lossy WebP (libwebp), for small pictures. Equal pixels give equal bytes. @throws Error of the codec */
export async function encodeWebp({ data, width, height }: Pixels): Promise<Buffer> {
  const { defaultOptions } = await import('@jsquash/webp/meta.js');
  const { instance: encoder, complaints } = await createInstance(ENCODER);
  // Method 2 takes a quarter of the time of the default, for files that are a tenth larger.
  const encoded = encoder.encode(data, width, height, { ...defaultOptions, quality: 80, method: 2 });
  if (!encoded) throw new Error(complaints.join('; ') || 'the encoder returned no image');
  // A copy, because the bytes are in the memory of the instance.
  return Buffer.from(toBuffer(encoded));
}

/** A codec of a `@jsquash` package: an Emscripten module and its WebAssembly. */
interface WasmCodec<T> {
  load(): Promise<{ readonly default: (options: object) => Promise<T> }>;
  readonly wasm: string;
}

/**
 * Creates an instance of a codec, which adds its messages to `complaints`. Use one per image, because its memory never shrinks and it is
 * unusable after an abort.
 */
async function createInstance<T>({ load, wasm }: WasmCodec<T>) {
  const { default: factory } = await load();
  const compiling = compiled.get(wasm) ?? compile(wasm);
  compiled.set(wasm, compiling);
  const module = await compiling;
  const instantiateWasm = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    done(instance);
    return instance.exports;
  };
  const complaints: string[] = [];
  const print = (text: string) => complaints.push(text);
  const options = { noInitialRun: true, print, printErr: print, instantiateWasm };
  return { instance: await withImageData(() => factory(options)), complaints };
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(wasm: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(wasm)));
}

/**
 * Runs a call into a codec. The codecs return an instance of the global ImageData, which Node lacks, and define one themselves. All calls
 * are synchronous, so no other code sees the global.
 */
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
