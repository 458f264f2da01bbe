import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installFolder } from '../../scripts/install-package.mjs';

/** What `proofsheet report` has begun with. */
export interface Served {
  readonly child: ChildProcess;
  /** Its first line. */
  readonly said: string;
  readonly url: string;
}

/** Starts the packed `proofsheet report` in a folder, and waits until it has said something. */
export async function startReport(cwd: string, args: readonly string[]): Promise<Served> {
  const cli = join(installFolder('current'), 'node_modules/proofsheet/dist/cli.js');
  const child = spawn(process.execPath, [cli, 'report', ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.endsWith('\n')) break;
  }
  const [url = ''] = /http:\/\/[^\s"]+/.exec(said) ?? [];
  return { child, said, url };
}

/** Ends it as Ctrl+C does. @returns its exit code */
export async function endReport({ child }: Served): Promise<number> {
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  return code ?? -1;
}
