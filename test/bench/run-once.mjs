import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { countBy, print, seconds } from './sample.mjs';

/** What an outer test runner and CI set is not for this run. */
const NOT_OURS = /^(CI$|TEST_|PLAYWRIGHT_|PW_|FORCE_COLOR)/;

/** Milliseconds of one tick of `/proc`: Linux counts 100 a second. */
const TICK_MS = 10;

/**
 * Runs a command of an arm.
 *
 * @returns its exit code, its wall time, its processor time, and what the largest process held. The processor time is the busy time of the
 * whole machine, and `ownCpuMs` is that of the processes, as far as it was seen. Both and the memory need Linux.
 */
export function runOnce({ cwd }, [command, args]) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const busyMs = readBusyMs();
    const shown = process.env.BENCH_VERBOSE ? 'inherit' : 'ignore';
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name)));
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', shown, shown] });
    const held = watch(child.pid);
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, ms: performance.now() - start, cpuMs: readBusyMs() - busyMs, ...held() });
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

/**
 * Runs a command of an arm of ours over pages, and prints how many shots have each status.
 *
 * @param options - `pages`; `folder`: for the images of the shots that are `isWrong`; `tell`: gives further words about the run
 * @returns the figures, the `counts` of the statuses, and the shots with their `index` among the pages and their `path`
 */
export async function runNamed(arm, command, name, { pages, folder, isWrong, tell = () => '' }) {
  const { report, record: _, ...run } = await runOurs(arm, command);
  const shots = run.shots.map((shot) => {
    const index = Number(shot.page.replace('page-', ''));
    return { ...shot, index, path: pages[index] };
  });
  for (const shot of shots.filter(isWrong)) keepImages(report, shot, folder, name.replace(' ', '-'));
  const counts = countBy(shots.map(({ status }) => status));
  const cells = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  const time = `wall ${seconds(run.ms)}, CPU ${seconds(run.cpuMs)}`;
  print(`${name.padEnd(10)} ${cells.join(', ')}; ${time}${tell(shots)}`);
  return { ...run, name, counts, shots };
}

/** Copies the images of a shot out of a report that the next run replaces. */
function keepImages(report, shot, folder, name) {
  for (const side of ['before', 'after', 'diff']) {
    const link = shot[side]?.link;
    if (link) cpSync(join(report, decodeURI(link)), join(folder, `${shot.page}-${name}-${side}${extname(link)}`));
  }
}

/** Watches a process and all below it, up to the last look at each. @returns a function that ends it and gives what {@link runOnce} says */
function watch(pid) {
  const held = { memoryMb: 0, largest: 'unknown' };
  const times = new Map();
  const timer = setInterval(() => {
    for (const { pid: own, name, cpuMs, peakMb } of familyOf(pid)) {
      times.set(own, cpuMs);
      if (peakMb > held.memoryMb) Object.assign(held, { memoryMb: peakMb, largest: name });
    }
  }, 200);
  return () => {
    clearInterval(timer);
    return { ...held, ownCpuMs: [...times.values()].reduce((sum, ms) => sum + ms, 0) };
  };
}

/**
 * Gives a process and all below it: their names, what they hold, and the most that each has ever held. The system keeps the latter: what
 * is held for a moment is not missed, and a long run does not show more of it than a short one.
 */
export function familyOf(root) {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const all = new Map(pids.flatMap((pid) => readOne(Number(pid)) ?? []).map((process) => [process.pid, process]));
  const isBelow = ({ pid, parent }) => pid === root || (all.has(parent) && isBelow(all.get(parent)));
  return [...all.values()].filter(isBelow);
}

/** A process may end while it is looked at. */
function readOne(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    const megabytes = (name) => Number(field(name)) / 1024;
    const held = { rssMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
    // The fields after the name, which may contain spaces.
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 13);
    const cpuMs = times.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
    // What a process of a browser does, such as `renderer` or `gpu-process`.
    const kind = /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
    return { pid, parent: Number(field('PPid')), name: kind ?? field('Name'), cpuMs, ...held };
  } catch {
    return undefined;
  }
}

/** Reads for how long all cores together have worked since the start of the machine. */
function readBusyMs() {
  if (!existsSync('/proc/stat')) return Number.NaN;
  // `cpu`, then ticks: user, nice, system, idle, iowait, irq, softirq.
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 8).map(Number);
  return (user + nice + system + irq + softirq) * TICK_MS;
}
