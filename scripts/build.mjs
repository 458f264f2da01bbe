import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildViewer } from './build-viewer.mjs';
import { mustRun, root } from './run.mjs';

/** Compiles the package into `dist/` and writes the two JSON schemas that it publishes. */
export async function build() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await mustRun('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json']);
  await buildViewer();
  const { renderPagesSchema } = await load('dist/plan/json-schema.js');
  const { renderResultsSchema } = await load('dist/report/json-schema.js');
  writeFileSync(join(root, 'pages.schema.json'), renderPagesSchema());
  writeFileSync(join(root, 'results.schema.json'), renderResultsSchema());
}

function load(path) {
  return import(pathToFileURL(join(root, path)).href);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build();
