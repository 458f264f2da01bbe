import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the current commit of a folder; null if there is none or git is not installed. */
export async function readCommit(folder: string): Promise<string | null> {
  const git = promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: folder, timeout: 5_000 });
  return git.then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}
