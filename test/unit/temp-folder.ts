import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Makes a folder for a test, with these files. It goes with the run: see `test/own-temp-folder.ts`. */
export function makeTempFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-unit-'));
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
