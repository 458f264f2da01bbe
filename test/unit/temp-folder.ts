import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for a test. It goes with the run: see `test/own-temp-folder.ts`. */
export function makeTempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'proofsheet-unit-'));
}
