import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the report's page is made of, as the build made it out of `viewer/`. */
export interface ViewerFiles {
  readonly script: string;
  readonly style: string;
}

/** Reads the built page, once. */
export function readViewer(): ViewerFiles {
  read ??= { script: readBuilt('viewer.js'), style: readBuilt('viewer.css') };
  return read;
}

let read: ViewerFiles | null = null;

/** The package finds itself by its name: from `src/`, where the tests run, as well as from `dist/`. */
function readBuilt(name: string): string {
  const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
  return readFileSync(join(manifest, '..', 'dist', 'report', 'viewer', name), 'utf8');
}
