import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../model/errors.js';
import { renderCount } from '../../model/words.js';

/** The value that a config exports, as JSON, or the reason why it is unknown. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly found: string };

const TIMEOUT_MS = 30_000;

/**
 * Runs a JavaScript or TypeScript config and returns the value that it exports. Functions become a marker object.
 *
 * The config runs in a separate process, with an empty environment and without network. Node's permission model denies
 * writing files and starting processes, threads and addons. Reading files is allowed. This prevents side effects of a
 * config; it is not a sandbox for malicious code.
 *
 * @param maxBytes the maximum size of the exported JSON, in bytes
 */
export function evaluateConfig(file: string, maxBytes: number): Promise<Evaluated> {
  const args = [...permissionFlags(), ...preloads(), '--max-old-space-size=512', programPath(), resolve(file)];
  const child = spawn(process.execPath, args, { env: baseEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  return new Promise((resolveResult) => {
    let [answer, errorOutput, isTooLarge] = ['', '', false];
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      isTooLarge ||= answer.length > maxBytes;
      if (isTooLarge) child.kill('SIGKILL');
    });
    // The process is no longer needed after its answer, but timers of the config may keep it running.
    child.stdio[3]?.on('end', () => child.kill('SIGKILL'));
    child.stderr?.on('data', (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk).slice(-4000);
    });
    const end = (failure: string) => {
      clearTimeout(timer);
      resolveResult(
        isTooLarge
          ? failed(`the exported value has more than ${renderCount(maxBytes)} bytes`)
          : readAnswer(answer, failure),
      );
    };
    child.on('error', (cause) => end(messageOf(cause)));
    child.on('close', (_, signal) => {
      const reason = errorOutput.split('\n').find((line) => /Error|error/.test(line));
      end(reason ?? (signal === 'SIGKILL' ? `timeout of ${TIMEOUT_MS / 1000} s exceeded` : 'the process ended early'));
    });
  });
}

/** The output of the program in `config-process.ts`. */
const answerSchema = z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ error: z.string() })]);

function readAnswer(answer: string, failure: string): Evaluated {
  if (answer === '') return failed(`the config cannot be run (${failure.trim()})`);
  try {
    const parsed = answerSchema.parse(JSON.parse(Buffer.from(answer, 'latin1').toString('utf8')));
    return 'error' in parsed
      ? failed(`the config cannot be run (${parsed.error})`)
      : { kind: 'value', value: parsed.value };
  } catch {
    return failed('the process of the config returned invalid JSON');
  }
}

function failed(found: string): Evaluated {
  return { kind: 'failed', found };
}

/** The flag of the permission model has a different name in older versions of Node, such as Node 20. */
function permissionFlags(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isStable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return [isStable ? '--permission' : '--experimental-permission', '--allow-fs-read=*'];
}

/** Yarn Plug'n'Play resolves packages by a preloaded module. The child needs a flag for it, as it has no NODE_OPTIONS. */
function preloads(): string[] {
  if (process.versions.pnp === undefined) return [];
  return ['--require', createRequire(import.meta.url).resolve('pnpapi')];
}

/** Windows cannot start a process without `SystemRoot`. */
function baseEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

/** Resolves the package by its own name, which works from `src/` (in tests) and from `dist/`. */
function programPath(): string {
  return join(createRequire(import.meta.url).resolve('proofsheet/package.json'), '..', 'dist', 'config-process.js');
}
