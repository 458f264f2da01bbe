import { spawn } from 'node:child_process';
import { watchMemory } from './processes.mjs';

/**
 * Runs a command of an arm.
 *
 * @returns its exit code, its time, and what the largest process below it held.
 */
export function runOnce({ cwd }, [command, args]) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { cwd, stdio: process.env.BENCH_VERBOSE ? 'inherit' : 'ignore' });
    const memory = watchMemory(child.pid);
    child.on('error', reject);
    child.on('close', (code) => {
      const most = memory();
      resolve({ code, ms: performance.now() - start, memoryMb: most?.rssMb ?? 0, largest: most?.name ?? 'unknown' });
    });
  });
}
