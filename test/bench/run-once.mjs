import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TICK_MS, watchMemory } from './processes.mjs';

/** Runs a command and then writes the processor time of all its processes to file descriptor 3. */
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/** What an outer test runner and CI set is not for this run. */
const NOT_OURS = /^(CI$|TEST_|PLAYWRIGHT_|PW_|FORCE_COLOR)/;

/**
 * Runs a command of an arm.
 *
 * @returns its exit code, its wall time, its processor time, and what the largest process held. On Linux, the processor time is
 * the busy time of the whole machine, and `ownCpuMs` is that of the processes, as far as it was seen. Elsewhere it is the sum of the child processes. That sum lacks about half: the parent of most
 * processes of a browser is killed before it waits for them.
 */
export function runOnce({ cwd }, [command, args]) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const busyMs = readBusyMs();
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
      const cpuMs = busyMs === null ? readTimes(times) : readBusyMs() - busyMs;
      const held = { memoryMb: most?.peakMb ?? 0, largest: most?.name ?? 'unknown', ownCpuMs: most?.ownCpuMs ?? 0 };
      resolve({ code, ms, cpuMs, ...held });
    });
  });
}

/** Runs a command of an arm of ours. @returns the figures, the record of the run, and the folder of its report */
export async function runOurs(arm, command = arm.compare) {
  const report = join(arm.cwd, 'proofsheet-report');
  // The whole report: the reporter does not replace a folder without results.json.
  rmSync(report, { recursive: true, force: true });
  const figures = await runOnce(arm, command);
  const results = join(report, 'results.json');
  if (!existsSync(results)) throw new Error(`${arm.name}: no results.json; set BENCH_VERBOSE=1`);
  const record = JSON.parse(readFileSync(results, 'utf8'));
  return { ...figures, report, record, shots: record.shots };
}

/** Copies the images of a shot out of a report that the next run replaces. */
export function keepImages(report, shot, folder, name) {
  for (const side of ['before', 'after', 'diff']) {
    const link = shot[side]?.link;
    if (link) cpSync(join(report, decodeURI(link)), join(folder, `${shot.page}-${name}-${side}${extname(link)}`));
  }
}

/** The second line of `times` has the children: `1m2.50s 0m0.75s`, user and system. */
function readTimes(text) {
  const [, children = ''] = text.split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (ms, [, minutes, seconds]) => ms + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

/** Reads for how long all cores together have worked since the start of the machine; null where the system does not say. */
function readBusyMs() {
  try {
    // `cpu`, then ticks: user, nice, system, idle, iowait, irq, softirq.
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 8).map(Number);
    return (user + nice + system + irq + softirq) * TICK_MS;
  } catch {
    return null;
  }
}
