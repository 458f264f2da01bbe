import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

const SOURCES = join(root, 'src', 'image', 'wasm');
const CODE = join(root, 'src', 'image', 'kernels-code.ts');

/** Compiles the loops over pixels to WebAssembly, and writes it as the module that the package has it from. */
export async function buildKernels() {
  const code = await renderKernels();
  if (code !== readFileSync(CODE, 'utf8')) writeFileSync(CODE, code);
}

/** Gives the module with the compiled loops; the same sources give the same module. */
export async function renderKernels() {
  // Only now: the set-up of a fresh clone installs it.
  const { default: asc } = await import('assemblyscript/asc');
  const files = new Map();
  const flags = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
  const { error, stderr } = await asc.main(['index.ts', '--baseDir', SOURCES, '--outFile', 'kernels.wasm', ...flags], {
    writeFile: (name, contents) => files.set(name, contents),
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const base64 = Buffer.from(files.get('kernels.wasm')).toString('base64');
  return `/** What stands in \`wasm/\`, compiled by scripts/build-kernels.mjs: WebAssembly in base64. */
export const KERNELS_CODE =
  '${base64}';
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildKernels();
