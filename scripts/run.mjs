import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command in the project's folder with its output shown.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]
 * @param {boolean | 'always'} [options.quiet] the output is shown only when it fails, or not even then.
 * @param {(output: Buffer) => void} [options.write] receives the output of a quiet command that failed.
 * @param {string} [options.cwd]
 * @returns {Promise<number>} its exit code.
 */
export function run(command, args, { env = {}, quiet = false, write = print, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    // npm and npx are scripts on Windows, which need a shell. Node warns if a shell gets words beside the command.
    const needsShell = process.platform === 'win32' && ['npm', 'npx'].includes(command);
    const [program, words] = needsShell ? [[command, ...args].map(quote).join(' '), []] : [command, args];
    const child = spawn(program, words, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: needsShell,
    });
    const kept = [];
    child.stdout?.on('data', (chunk) => kept.push(chunk));
    child.stderr?.on('data', (chunk) => kept.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0 && quiet !== 'always') write(Buffer.concat(kept));
      resolve(code ?? 1);
    });
  });
}

/** @param {string} word */
function quote(word) {
  return /^[\w./:\\@=,-]+$/.test(word) ? word : `"${word}"`;
}

/** @param {Buffer | string} output */
function print(output) {
  process.stdout.write(output);
}

/** Runs a command as {@link run} does, and throws where it fails. */
export async function mustRun(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
