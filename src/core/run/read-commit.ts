import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the commit that a folder is at; null where there is none, or no git. */
export async function readCommit(folder: string): Promise<string | null> {
  const git = promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: folder, timeout: 5_000 });
  return git.then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}
