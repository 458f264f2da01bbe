import { spawn } from 'node:child_process';
import { watchMemory } from './processes.mjs';

/** Runs a command and then writes the processor time of all its processes to file descriptor 3. */
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/** What an outer test runner and CI set is not for this run. */
const NOT_OURS = /^(CI$|TEST_|PLAYWRIGHT_|PW_|FORCE_COLOR)/;

/**
 * Runs a command of an arm.
 *
 * @returns its exit code, its wall time, the processor time of all its processes, and what the largest one held.
 */
export function runOnce({ cwd }, [command, args]) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const shown = process.env.BENCH_VERBOSE ? 'inherit' : 'ignore';
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name)));
    const child = spawn('sh', ['-c', TIMED, 'sh', command, ...args], {
      cwd,
      env,
      stdio: ['ignore', shown, shown, 'pipe'],
    });
    const memory = watchMemory(child.pid);
    let times = '';
    child.stdio[3].on('data', (chunk) => {
      times += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const most = memory();
      const ms = performance.now() - start;
      const held = { memoryMb: most?.peakMb ?? 0, largest: most?.name ?? 'unknown' };
      resolve({ code, ms, cpuMs: readTimes(times), ...held });
    });
  });
}

/** The second line of `times` has the children: `1m2.50s 0m0.75s`, user and system. */
function readTimes(text) {
  const [, children = ''] = text.split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (ms, [, minutes, seconds]) => ms + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}
