import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Bundles the report's page into one script and one style in `dist/report/viewer`. Returns the bundled source files. */
export async function buildViewer() {
  // Only now: the set-up of a fresh clone installs it.
  const { build } = await import('rolldown');
  const [from, to] = [join(root, 'src/report/viewer'), join(root, 'dist/report/viewer')];
  const { output } = await build({
    input: join(from, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(from, 'tsconfig.json'),
    logLevel: 'warn',
    // A door exports more than the page takes: what is not used has no effect, and is left out.
    external: /^node:/,
    treeshake: { moduleSideEffects: false },
    output: { file: join(to, 'viewer.js'), format: 'iife', minify: true },
  });
  // It stands between tags of the page, where these would end it or begin a comment.
  if (/<\/script|<!--/i.test(readFileSync(join(to, 'viewer.js'), 'utf8'))) throw new Error('the viewer holds a tag');
  copyFileSync(join(from, 'viewer.css'), join(to, 'viewer.css'));
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}
