import { readFileSync } from 'node:fs';
import { compareImages } from '../../.build/compare/compare.js';
import { inspectImage } from '../../.build/image/inspect.js';

/**
 * Compares pairs of images one after the other in a process of its own, as a worker does, and writes the most memory that it
 * had, in MB: node compare-memory.mjs SETTINGS BEFORE AFTER [BEFORE AFTER ...]
 */
const [settings, ...paths] = process.argv.slice(2);
const open = (path) => inspectImage(readFileSync(path)).image;
for (let at = 0; at < paths.length; at += 2) {
  await compareImages(open(paths[at]), open(paths[at + 1]), JSON.parse(settings), []);
}
process.stdout.write(`${(process.resourceUsage().maxRSS / 1024).toFixed(0)}\n`);
