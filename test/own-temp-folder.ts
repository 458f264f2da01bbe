import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables that `os.tmpdir()` reads, on every system. */
const VARIABLES = ['TMPDIR', 'TMP', 'TEMP'];

/**
 * Gives a test run a temp folder of its own, for its workers and for all that they start. What a test or a killed process
 * leaves there goes with the run.
 *
 * @returns removes it.
 */
export default function useOwnTempFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-tests-'));
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
