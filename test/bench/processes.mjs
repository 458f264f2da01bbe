import { readdirSync, readFileSync } from 'node:fs';

/**
 * Watches the memory of a process and all below it.
 *
 * @returns a function that ends it and gives the most that any one of them has held, in MB, and its name; null where the
 * machine does not tell (it needs /proc).
 */
export function watchMemory(pid) {
  let most = null;
  const look = () => {
    for (const { name, rssMb } of familyOf(pid)) if (rssMb > (most?.rssMb ?? 0)) most = { name, rssMb };
  };
  const timer = setInterval(look, 200);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Gives a process and all below it: their names, and what they hold. */
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

/** A process may end while it is looked at. */
function readOne(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    return { pid, parent: Number(field('PPid')), name: field('Name'), rssMb: Number(field('VmRSS')) / 1024 };
  } catch {
    return undefined;
  }
}
