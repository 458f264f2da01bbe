import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryName } from '../../../src/baselines/locks.js';

export function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** Names a file as another process of this machine names its own before their rename. */
export function nameOfProcess(pid: number): string {
  return temporaryName().replace(`-${process.pid}-`, `-${pid}-`);
}

/** Leaves in a folder what a process leaves there that is killed while it writes. @returns its name */
export async function leaveBehind(folder: string): Promise<string> {
  const name = nameOfProcess(endedProcess());
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), 'half');
  return name;
}
