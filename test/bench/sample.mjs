import { cpus } from 'node:os';

/** Gives the least, the median and the most of some numbers. */
export function spanOf(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return [sorted[0], median, sorted.at(-1)];
}

/** Takes so many of the pages, evenly out of all. */
export function spread(all, most) {
  if (most >= all.length) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]);
}

/** Describes what figures depend on besides the code: the cores, the version of Node, and the day. */
export function describeMachine() {
  return `${cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
}
