import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../model/errors.js';

/** What a config exports, as JSON has it; or why that is unknown. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly found: string };

const TIMEOUT_MS = 30_000;

/**
 * Runs a config in JavaScript or TypeScript, and gives what it exports. Functions become a mark.
 *
 * The config runs in a process of its own, with an empty environment and no network. By Node's permission model it writes no
 * file, and starts no process, thread or addon. It may read files. This keeps a config from side effects; it is no sandbox
 * for hostile code.
 *
 * @param maxBytes how much JSON the config may amount to
 */
export function evaluateConfig(file: string, maxBytes: number): Promise<Evaluated> {
  const args = [...permissionFlags(), ...preloads(), '--max-old-space-size=512', programPath(), resolve(file)];
  const child = spawn(process.execPath, args, { env: baseEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  return new Promise((settle) => {
    let [answer, complaint, isTooMuch] = ['', '', false];
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      isTooMuch ||= answer.length > maxBytes;
      if (isTooMuch) child.kill('SIGKILL');
    });
    // What has answered has nothing more to do, whatever timers the config started.
    child.stdio[3]?.on('end', () => child.kill('SIGKILL'));
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk).slice(-4000);
    });
    const end = (failure: string) => {
      clearTimeout(timer);
      settle(isTooMuch ? failed(`it exports more than ${maxBytes} bytes`) : readAnswer(answer, failure));
    };
    child.on('error', (cause) => end(messageOf(cause)));
    child.on('close', (_, signal) => {
      const reason = complaint.split('\n').find((line) => /Error|error/.test(line));
      end(reason ?? (signal === 'SIGKILL' ? `it took longer than ${TIMEOUT_MS / 1000} s` : 'its process ended early'));
    });
  });
}

/** Checks what the program in `config-process.ts` writes. */
const answerSchema = z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ error: z.string() })]);

function readAnswer(answer: string, failure: string): Evaluated {
  if (answer === '') return failed(`it could not be run (${failure.trim()})`);
  try {
    const parsed = answerSchema.parse(JSON.parse(Buffer.from(answer, 'latin1').toString('utf8')));
    return 'error' in parsed ? failed(`it could not be run (${parsed.error})`) : { kind: 'value', value: parsed.value };
  } catch {
    return failed('it gave no answer that can be read');
  }
}

function failed(found: string): Evaluated {
  return { kind: 'failed', found };
}

/** Node 20 has the permission model under another name. */
function permissionFlags(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isStable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return [isStable ? '--permission' : '--experimental-permission', '--allow-fs-read=*'];
}

/** Under Yarn's Plug'n'Play, packages are found by what it preloads; the child has no NODE_OPTIONS to name that. */
function preloads(): string[] {
  if (process.versions.pnp === undefined) return [];
  return ['--require', createRequire(import.meta.url).resolve('pnpapi')];
}

/** Windows starts no process without its root. */
function baseEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

/** The package finds itself by its name: from `src/`, where the tests run, as well as from `dist/`. */
function programPath(): string {
  return join(createRequire(import.meta.url).resolve('proofsheet/package.json'), '..', 'dist', 'config-process.js');
}
