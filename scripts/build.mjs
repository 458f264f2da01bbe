import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTypes } from './build-types.mjs';
import { buildViewer } from './build-viewer.mjs';
import { mustRun, root } from './run.mjs';

/** The entry points of the package and of its worker threads. */
const ENTRIES = {
  index: 'index',
  reporter: 'reporter',
  client: 'client',
  cli: 'cli',
  'compare-thread': 'compare/compare-thread',
  'pdf-thread': 'image/pdf/pdf-thread',
};

/**
 * Compiles the package and writes the two JSON schemas that it publishes: single modules into
 * `.build/`, which the benches look into, and the package's own code into a few files in `dist/`, beside its types. A test
 * runner that starts a worker anew after each failing test loads a few files in half the time of two hundred.
 *
 * @param {object} [options]
 * @param {boolean} [options.checksTypes] false if the caller checks the types itself.
 */
export async function build({ checksTypes = true } = {}) {
  for (const folder of ['.build', 'dist']) rmSync(join(root, folder), { recursive: true, force: true });
  await mustRun('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json', ...(checksTypes ? [] : ['--noCheck'])]);
  const files = [...(await bundle()), ...(await buildViewer())];
  await buildTypes(IMPORTED);
  writeLicences(packagesIn(files));
  const { renderPagesSchema } = await load('.build/list/schema/json-schema.js');
  const { renderResultsSchema } = await load('.build/model/run-record.js');
  writeFileSync(join(root, 'pages.schema.json'), renderPagesSchema());
  writeFileSync(join(root, 'results.schema.json'), renderResultsSchema());
}

/** Bundles the package's code. Returns the bundled source files. */
async function bundle() {
  // Only now: the set-up of a fresh clone installs it.
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, module]) => [name, join(root, '.build', `${module}.js`)]),
  );
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  // What a user does not install goes into the bundle: `docs/internals.md` says why.
  const isDependency = (id) => id.startsWith('node:') || installed.some((name) => `${id}/`.startsWith(`${name}/`));
  // A door exports more than an entry point takes: our own files have no effect but what they export.
  const treeshake = { moduleSideEffects: (id) => id.includes('node_modules') };
  const bundled = await rolldown({ input, platform: 'node', external: isDependency, treeshake });
  const dir = join(root, 'dist');
  // A chunk of many modules has the name of their folder, `.build`: without its dot, no tool takes it for a hidden file.
  const chunkFileNames = ({ name }) => `chunks/${name.replace(/^\./, '')}.js`;
  const { output } = await bundled.write({ dir, format: 'esm', chunkFileNames });
  await bundled.close();
  const imported = Object.fromEntries(IMPORTED.map((name) => [name, input[name]]));
  const commonJs = await rolldown({ input: imported, platform: 'node', external: isDependency, treeshake });
  const { output: commonJsOutput } = await commonJs.write({
    dir,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    // Node keeps the way a CommonJS module loads an ES module that is named in import().
    dynamicImportInCjs: true,
  });
  await commonJs.close();
  return [...output, ...commonJsOutput].flatMap(({ moduleIds = [] }) => moduleIds);
}

/**
 * The entry points that code imports. Node loads them as ES modules, `require` included (`module-sync`). Resolvers that do not
 * know that condition, Yarn's Plug'n'Play for one, take the build for CommonJS.
 */
const IMPORTED = ['index', 'reporter', 'client'];

/** Returns the names of the packages that these files belong to. */
function packagesIn(files) {
  const names = files.flatMap((file) => {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    return name === undefined ? [] : [name.replace('\\', '/')];
  });
  return [...new Set(names)].sort();
}

/** Writes the licences of the bundled packages: each asks to be part of every copy of its code. */
function writeLicences(names) {
  writeFileSync(join(root, 'dist', 'LICENSES.txt'), names.map(licenceOf).join('\n'));
}

function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const [file] = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

function load(path) {
  return import(pathToFileURL(join(root, path)).href);
}

/** `npm pack` and `npm publish` run `prepack`, which builds, and then `prepare`. Git dependencies run `prepare` only. */
function isBuiltByPrepack({ npm_lifecycle_event: event, npm_command: command }) {
  return event === 'prepare' && (command === 'pack' || command === 'publish');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!isBuiltByPrepack(process.env)) await build();
}
