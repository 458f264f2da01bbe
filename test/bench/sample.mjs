import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

/** Reads the options of a benchmark. Each has the type of its default. */
export function readOptions(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? { type: 'boolean', default: value } : { type: 'string', default: String(value) },
  ]);
  // The name of the benchmark is positional.
  const { values } = parseArgs({ allowPositionals: true, options: Object.fromEntries(options) });
  const read = ([name, value]) => [name, typeof defaults[name] === 'number' ? Number(value) : value];
  return Object.fromEntries(Object.entries(values).map(read));
}

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

export function formatSpan(numbers, digits = 2) {
  return spanOf(numbers)
    .map((number) => number.toFixed(digits))
    .join(' - ');
}

export function seconds(ms, digits = 1) {
  return `${(ms / 1000).toFixed(digits)} s`;
}

/** Formats whether a promise is kept. The benchmark fails if it is not. */
export function judge(isKept) {
  if (!isKept) process.exitCode = 1;
  return isKept ? 'kept' : 'NOT KEPT';
}

export function countBy(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Mulberry32. */
export function createRandom(seed) {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function print(line) {
  process.stdout.write(`${line}\n`);
}

/** Prints the figures of a benchmark, and writes them into a file beside it. */
export function publish(lines, file) {
  const text = `${lines.join('\n')}\n`;
  print(`\n${text}`);
  writeFileSync(new URL(file, import.meta.url), text);
}
