import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick of `/proc`: Linux counts 100 a second. */
export const TICK_MS = 10;

/**
 * Watches the memory and the processor time of a process and all below it.
 *
 * @returns a function that ends it and gives the most that any one of them has held, in MB, and its name, and the processor time of all, in
 * milliseconds: up to the last look at each; null where the machine does not tell (it needs /proc).
 */
export function watchMemory(pid) {
  let most = null;
  const times = new Map();
  const look = () => {
    for (const process of familyOf(pid)) {
      times.set(process.pid, process.cpuMs);
      const { name, peakMb } = process;
      if (peakMb > (most?.peakMb ?? 0)) most = { name, peakMb };
    }
  };
  const timer = setInterval(look, 200);
  return () => {
    clearInterval(timer);
    const ownCpuMs = [...times.values()].reduce((sum, ms) => sum + ms, 0);
    return most && { ...most, ownCpuMs };
  };
}

/**
 * Gives a process and all below it: their names, what they hold, and the most that each has ever held. The system keeps the latter: what
 * is held for a moment is not missed, and a long run does not show more of it than a short one.
 */
export function familyOf(root) {
  const all = new Map(readAll().map((process) => [process.pid, process]));
  const isBelow = ({ pid, parent }) => pid === root || (all.has(parent) && isBelow(all.get(parent)));
  return [...all.values()].filter(isBelow);
}

function readAll() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => readOne(Number(pid)) ?? []);
  } catch {
    return [];
  }
}

/** What a process of a browser does, such as `renderer` or `gpu-process`. */
function kindOf(pid) {
  return /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
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
    return { pid, parent: Number(field('PPid')), name: kindOf(pid) ?? field('Name'), cpuMs, ...held };
  } catch {
    return undefined;
  }
}
