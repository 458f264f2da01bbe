import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { compareResponseSchema } from '../../../src/service/protocol/responses.js';
import { EDGES } from '../compare/golden-edges.js';
import { fill, imageOf, png, sheet } from '../image/paint.js';
import { makeTempFolder, writeFiles } from '../temp-folder.js';
import { runCommand } from './run-command.js';

let folder: string;

/** Two images of 100x80: 20 pixels of the second are red. */
beforeEach(() => {
  const after = fill(sheet(100, 80), { x: 30, y: 10, width: 10, height: 2 }, '#ff0000');
  folder = makeTempFolder({
    ...{ 'a.png': png(sheet(100, 80)).bytes, 'b.png': png(after).bytes },
    ...{ 'taller.png': png(sheet(100, 90)).bytes, 'wrong.jpg': png(sheet(10, 2)).bytes },
  });
});

const compare = (...args: string[]) => runCommand(folder, ['compare', ...args]);
const responseOf = ({ stdout }: { stdout: string }) => compareResponseSchema.parse(JSON.parse(stdout));

test('counts the pixels that differ between two files, and writes the images', async () => {
  const changed = await compare('a.png', 'b.png');
  expect(changed.code).toBe(1);
  expect(changed.stdout).toBe(`changed: 20 px (0.25 %) differ, limit 0 px; 1 region: 10x2 px at (30, 10)
  before  100x80      proofsheet-compare/before.png
  after   100x80      proofsheet-compare/after.png
  diff    100x80      proofsheet-compare/diff.png
`);
  expect(readFileSync(join(folder, 'proofsheet-compare/after.png'))).toEqual(readFileSync(join(folder, 'b.png')));
  const same = await compare('a.png', 'a.png');
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('passed: images match: 0 px differ\n')]);
  const left = readdirSync(join(folder, 'proofsheet-compare'));
  expect(left.sort(), 'a diff does not outlive its comparison').toEqual(['after.png', 'before.png']);
});

test.each([
  ['--max-diff-pixels 20', 0, 20],
  ['--max-diff-pixel-ratio 0.0025', 0, 20],
  ['--max-diff-pixel-ratio 0.002 --max-diff-pixels=20', 1, 20],
  ['--ignore 30,10,10,1', 1, 10],
  ['--ignore 30,10,10,1 --ignore 0,11,100,1 --engine pixelmatch', 0, 0],
  ['--threshold 1', 0, 0],
])('%s exits with %i and counts %i px', async (flags, code, mismatchPixels) => {
  const run = await compare('a.png', 'b.png', '--json', '-o', 'out', ...flags.split(' '));
  const { passed, summary, diff } = responseOf(run);
  expect({ code: run.code, passed, count: summary.mismatchPixels }).toEqual({
    ...{ code, passed: code === 0, count: mismatchPixels },
  });
  expect(diff === null, 'there is a diff where a pixel differs').toBe(mismatchPixels === 0);
});

test('the answer of images of two sizes has both, and the size of the diff', async () => {
  const { summary, before, diff } = responseOf(await compare('a.png', 'taller.png', '--json'));
  expect(summary).toMatchObject({ mismatchPixels: 1000, totalPixels: 9000, sameDimensions: false });
  const link = expect.stringMatching(/^file:.*\/before\.png$/);
  expect(before).toEqual({ link, width: 100, height: 80, source: 'a.png' });
  expect(diff).toMatchObject({ width: 100, height: 90 });
  expect(imageOf(readFileSync(fileURLToPath(diff?.link ?? ''))).size.height).toBe(90);
});

test('a wrong extension and an ignored area outside of both images are notices', async () => {
  const { code, output } = await compare('wrong.jpg', 'wrong.jpg', '--ignore', '10,0,5,5');
  expect(code).toBe(0);
  expect(output).toContain('proofsheet: before: wrong.jpg is png, but its file extension is that of jpeg\n');
  expect(output).toContain('proofsheet: ignore: the rectangle 10,0,5,5 is outside both images\n');
});

test('anti-aliased pixels count only with --antialiasing count', async () => {
  const [edge] = EDGES;
  if (!edge) throw new Error('there are edges');
  writeFiles(folder, { 'a.png': png(edge.before).bytes, 'b.png': png(edge.after).bytes });
  const apart = await compare('a.png', 'b.png');
  expect(apart.stdout).toContain('passed: images match: 52 px differ by anti-aliasing only');
  expect((await compare('a.png', 'b.png', '--antialiasing', 'count')).stdout).toContain('changed: 52 px');
});
