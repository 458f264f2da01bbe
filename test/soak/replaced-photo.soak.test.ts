// @module-tag soak
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodePng } from '../../src/image/png/write.js';
import { settings } from '../unit/compare/settings.js';
import { createRandom } from '../unit/image/paint.js';
import { makeTempFolder } from '../unit/temp-folder.js';

const size = { width: 1280, height: 40_000 };
const built = fileURLToPath(new URL('../../.build/', import.meta.url));
const folder = makeTempFolder();
const MAX_MB = 1024;
/** CPU time, which other work on the machine does not change. */
const MAX_MS = 10_000;

/** Writes an image of waves and noise, in which nearly every pixel is a step; or of one color. */
function paint(name: string, seed: number, isFlat = false): void {
  const random = createRandom(seed);
  const data = new Uint8Array(size.width * size.height * 4).fill(255);
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, at += 4) {
      const waves = 60 * Math.sin((x + seed * 37) / 31 + y / 77) + 50 * Math.cos(y / 53 - (x * seed) / 91);
      const grey = isFlat ? 200 : 128 + waves + random() * 6;
      data.set([grey, grey * 0.9 + 10, grey * 0.8 + 20], at);
    }
  }
  writeFileSync(join(folder, name), encodePng({ ...size, data }));
}

beforeAll(() => {
  paint('photo.png', 1);
  paint('other.png', 2);
  paint('flat.png', 3, true);
});

/** Compares two images in a process of its own. Returns its CPU time and the largest memory of the process. */
function measure(before: string, after: string, antialiasing: 'count' | 'ignore'): { mb: number; ms: number } {
  const script = [
    `const { compareImages } = await import(${JSON.stringify(`${built}compare/compare.js`)});`,
    `const { inspectImage } = await import(${JSON.stringify(`${built}image/inspect.js`)});`,
    `const { readFileSync } = await import('node:fs');`,
    `const open = (name) => inspectImage(readFileSync(${JSON.stringify(folder)} + '/' + name)).image;`,
    'const started = process.cpuUsage();',
    `const comparison = await compareImages(open('${before}'), open('${after}'), ${JSON.stringify(settings({ antialiasing }))}, []);`,
    "if (comparison.kind !== 'different') throw new Error(comparison.kind);",
    'const { user, system } = process.cpuUsage(started);',
    'const mb = Math.round(process.resourceUsage().maxRSS / 1024);',
    'process.stdout.write(JSON.stringify({ mb, ms: (user + system) / 1000 }));',
  ].join('\n');
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

const PAIRS = [
  ['photo.png', 'other.png'],
  ['photo.png', 'flat.png'],
];

/** The CPU time of `ignore` is that of pixelmatch: it checks the neighbors of each changed pixel, 11 of 16 s. */
const RULES = [
  { antialiasing: 'count', maxMs: MAX_MS },
  { antialiasing: 'ignore', maxMs: 3 * MAX_MS },
] as const;

describe.each(RULES)('with `antialiasing: $antialiasing`', ({ antialiasing, maxMs }) => {
  test.each(PAIRS)('a comparison of %s with %s is bounded', (before, after) => {
    const { mb, ms } = measure(before, after, antialiasing);
    expect(mb).toBeLessThan(MAX_MB);
    expect(ms).toBeLessThan(maxMs);
  });
});
