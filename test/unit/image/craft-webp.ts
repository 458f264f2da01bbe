import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defaultOptions, type EncodeOptions } from '@jsquash/webp/meta.js';
import type { Pixels } from '../../../src/model/image.js';

/** Encodes a WebP in the simple format, or with transparency in the extended one. The same options give the same bytes. */
export async function encodeWebp({ data, width, height }: Pixels, options: Partial<EncodeOptions>): Promise<Buffer> {
  const { default: factory }: { default: Factory } = await import('@jsquash/webp/codec/enc/webp_enc.js');
  const compiled = await WebAssembly.compile(
    await readFile(createRequire(import.meta.url).resolve('@jsquash/webp/codec/enc/webp_enc.wasm')),
  );
  const encoder = await factory({
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(compiled, imports);
      done(instance);
      return instance.exports;
    },
  });
  const bytes = encoder.encode(data, width, height, { ...defaultOptions, ...options });
  if (!bytes) throw new Error('it cannot be encoded');
  return Buffer.from(bytes);
}

type Factory = (options: {
  noInitialRun: true;
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}) => Promise<Encoder>;
interface Encoder {
  encode(data: Uint8Array, width: number, height: number, options: EncodeOptions): Uint8Array | null;
}

/** Writes a RIFF file of chunks: https://developers.google.com/speed/webp/docs/riff_container. */
export function craftWebp(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const body = chunks.flatMap(([type, data]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return [head, data, Buffer.alloc(data.length % 2)];
  });
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...body]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Flags of the chunk VP8X. */
export const VP8X_FLAGS = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, profile: 0x20 } as const;

/** Makes the chunk VP8X. */
export function vp8x(width: number, height: number, flags: number): readonly [type: string, data: Buffer] {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return ['VP8X', data];
}
