import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ProofsheetError, renderPlain } from '../model/index.js';

/**
 * Returns the executable of the headless shell that a version of Playwright launches. If it is not installed, that version installs it.
 *
 * @throws ProofsheetError `browser-missing` if it cannot
 */
export async function findPlaywrightBrowser(version: string): Promise<string> {
  const install = ['exec', '--yes', '--', `playwright@${version}`, 'install', 'chromium-headless-shell'];
  const dryRun = await runNpm([...install, '--dry-run']);
  const folder = locationIn(dryRun);
  const known = folder && (await findExecutable(folder));
  if (known) return known;
  const installed = folder === null ? dryRun : await runNpm(install);
  const found = folder && (await findExecutable(folder));
  if (found) return found;
  const lines = installed.trim().split('\n');
  throw new ProofsheetError({
    code: 'browser-missing',
    where: `--from-playwright ${version}`,
    found: `Playwright ${version} cannot install its browser: ${renderPlain(lines.at(-1) ?? '')}`,
    advice: `Run: npx playwright@${version} install chromium-headless-shell. Or pass its executable: --from-browser PATH`,
  });
}

/** Returns the folder that `playwright install --dry-run` prints: `  Install location:    /home/me/.cache/ms-playwright/...`. */
export function locationIn(printed: string): string | null {
  return /^\s*Install location:\s+(.+?)\s*$/m.exec(printed)?.[1] ?? null;
}

/** The name of the executable: `headless_shell` until Playwright 1.56, `chrome-headless-shell` since then. */
const EXECUTABLE = /^(chrome-)?headless[-_]shell(\.exe)?$/;

async function findExecutable(folder: string): Promise<string | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const file = entries.find((entry) => entry.isFile() && EXECUTABLE.test(entry.name));
  return file ? join(file.parentPath, file.name) : null;
}

/**
 * Returns the command and the words with which `spawn` starts npm. On Windows, npm is a script, which needs a shell, and Node warns if a shell
 * gets words beside the command. The words need no quotes: they are a version and those of this file.
 */
export function npmCommand(words: readonly string[], platform: NodeJS.Platform) {
  const needsShell = platform === 'win32';
  const [command, args] = needsShell ? [['npm', ...words].join(' '), []] : ['npm', words];
  return { command, args, shell: needsShell };
}

/** Returns what npm printed, or why it did not start. */
function runNpm(words: readonly string[]): Promise<string> {
  const { command, args, shell } = npmCommand(words, process.platform);
  return new Promise((done) => {
    execFile(command, args, { shell, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      done(stdout + stderr || messageOf(error));
    });
  });
}
