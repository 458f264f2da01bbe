import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareResponseSchema } from '../../src/service/protocol/responses.js';
import { EDGES } from '../unit/compare/golden-edges.js';
import { fill, png, sheet } from '../unit/image/paint.js';
import { type Answer, look, readImage, startServer } from './direct.js';
import { type Ended, expect, html, type Project, test } from './project.js';

const WHOLE = 'Pass the path of an image file, or an http:// or https:// URL.';

/** Two images of 100x80: 20 pixels of the second are red. */
function writeImages(project: Project): void {
  const [white, red] = [png(sheet(100, 80)), png(sheet(10, 2, '#ff0000'))];
  const after = fill(sheet(100, 80), { x: 30, y: 10, width: 10, height: 2 }, '#ff0000');
  project.write({
    ...{ 'a.png': white.bytes, 'b.png': png(after).bytes, 'taller.png': png(sheet(100, 90)).bytes },
    ...{ 'cut.png': white.bytes.subarray(0, 60), 'wrong.jpg': red.bytes },
  });
}

function responseOf({ stdout }: Ended) {
  return compareResponseSchema.parse(JSON.parse(stdout));
}

function imageAt(link: string | null | undefined) {
  return look(readImage(readFileSync(fileURLToPath(link ?? ''))));
}

test('compare counts the pixels that differ between two files, and writes the images', { tag: '@soak' }, async ({
  project,
}) => {
  writeImages(project);
  const changed = await project.proofsheet(['compare', 'a.png', 'b.png']);
  expect(changed).toExit(1);
  expect(changed.stdout).toBe(`changed: 20 px (0.25 %) differ, limit 0 px; 1 region: 10x2 px at (30, 10)
  before  100x80      proofsheet-compare/before.png
  after   100x80      proofsheet-compare/after.png
  diff    100x80      proofsheet-compare/diff.png
`);
  expect(readFileSync(project.path('proofsheet-compare/after.png'))).toEqual(readFileSync(project.path('b.png')));

  const same = await project.proofsheet(['compare', 'a.png', 'a.png']);
  expect(same).toExit(0);
  expect(same.stdout).toContain('passed: images match: 0 px differ\n');
  expect(project.files('proofsheet-compare'), 'a diff does not outlive its comparison').toEqual([
    'after.png',
    'before.png',
  ]);

  const verdicts: [string[], number, number][] = [
    [['--max-diff-pixels', '20'], 0, 20],
    [['--max-diff-pixels', '19'], 1, 20],
    [['--max-diff-pixel-ratio', '0.0025'], 0, 20],
    [['--max-diff-pixel-ratio', '0.002', '--max-diff-pixels=20'], 1, 20],
    [['--ignore', '30,10,10,1'], 1, 10],
    [['--ignore', '30,10,10,1', '--ignore', '0,11,100,1', '--engine', 'pixelmatch'], 0, 0],
    [['--threshold', '1'], 0, 0],
  ];
  for (const [flags, code, mismatchPixels] of verdicts) {
    const run = await project.proofsheet(['compare', 'a.png', 'b.png', '--json', '-o', 'out', ...flags]);
    expect(run, flags.join(' ')).toExit(code);
    const { passed, summary, diff } = responseOf(run);
    expect({ passed, mismatchPixels: summary.mismatchPixels }, flags.join(' ')).toEqual({
      passed: code === 0,
      mismatchPixels,
    });
    expect(diff === null, 'there is a diff where a pixel differs').toBe(mismatchPixels === 0);
  }

  const taller = responseOf(await project.proofsheet(['compare', 'a.png', 'taller.png', '--json']));
  expect(taller.summary).toMatchObject({ mismatchPixels: 1000, totalPixels: 9000, sameDimensions: false });
  expect(taller.before).toEqual({
    link: expect.stringMatching(/^file:.*\/before\.png$/),
    width: 100,
    height: 80,
    source: 'a.png',
  });
  expect(taller.diff).toMatchObject({ width: 100, height: 90 });
  expect((await imageAt(taller.diff?.link)).height).toBe(90);
  const wrong = await project.proofsheet(['compare', 'wrong.jpg', 'wrong.jpg', '--ignore', '10,0,5,5']);
  expect(wrong).toExit(0);
  expect(wrong.output).toContain('proofsheet: before: wrong.jpg is png, but its file extension is that of jpeg\n');
  expect(wrong.output).toContain('proofsheet: ignore: the rectangle 10,0,5,5 is outside both images\n');
});

test('between two files, anti-aliased pixels count only with --antialiasing count', async ({ project }) => {
  const [edge] = EDGES;
  if (!edge) throw new Error('there are edges');
  project.write({ 'a.png': png(edge.before).bytes, 'b.png': png(edge.after).bytes });
  const apart = await project.proofsheet(['compare', 'a.png', 'b.png']);
  expect(apart).toExit(0);
  expect(apart.stdout).toContain('passed: images match: 52 px differ by anti-aliasing only');
  const counted = await project.proofsheet(['compare', 'a.png', 'b.png', '--antialiasing', 'count']);
  expect(counted).toExit(1);
  expect(counted.stdout).toContain('changed: 52 px');
});

test('compare captures two pages at the same time, and compares a page with a file', async ({ project }) => {
  const answers: Record<string, Answer> = {
    '/old': { afterMs: 700, body: html('<h1>Shop</h1>', STYLE) },
    '/new': { afterMs: 700, body: html('<h1>Shop</h1><i></i>', STYLE) },
    '/gone': { status: 404, body: html('<h1>Gone</h1>') },
    '/icon': html(DISC.replace('R', '20')),
    '/icon-larger': html(DISC.replace('R', '20.1')),
    '/blank': html(''),
  };
  const { server, close } = await startServer(({ url }) => answers[url.pathname] ?? '');
  const run = await project.proofsheet(['compare', `${server.url}/old`, `${server.url}/new`, '--json']);
  expect(run).toExit(1);
  const [first, second] = server.received.filter(({ url }) => /old|new/.test(url.pathname));
  expect(Math.abs((second?.at ?? 0) - (first?.at ?? 0)), 'neither waited for the other').toBeLessThan(700);
  const response = responseOf(run);
  expect(response.summary).toMatchObject({ mismatchPixels: 16, totalPixels: 1280 * 720 });
  expect(response.regions).toEqual([{ x: 200, y: 300, width: 4, height: 4, pixels: 16 }]);
  expect(response.after).toMatchObject({ width: 1280, height: 720, source: `${server.url}/new` });
  expect((await imageAt(response.after.link)).at(201, 301)).toBe('#ff0000');

  project.write({ 'kept.png': readFileSync(project.path('proofsheet-compare/after.png')) });
  const mixed = await project.proofsheet(['compare', 'kept.png', `${server.url}/new`, '-o', 'mixed']);
  expect(mixed).toExit(0);
  expect(mixed.stdout).toContain('passed: images match: 0 px differ');

  const icons = await project.proofsheet(['compare', `${server.url}/icon`, `${server.url}/icon-larger`, '--json']);
  expect(icons, 'one browser draws both: anti-aliasing counts').toExit(1);
  expect(responseOf(icons).summary.antialiasedPixels).toBe(0);

  const lost = await project.proofsheet(['compare', `${server.url}/gone`, `${server.url}/blank`, '--json']);
  expect(lost).toExit(2);
  close();
  const { status, error, code, details, message } = JSON.parse(lost.stdout);
  expect({ status, error, code }).toEqual({ status: 'error', error: true, code: 'page-status' });
  expect(details.map(({ where }: { where: string }) => where)).toEqual([`${server.url}/gone`, `${server.url}/blank`]);
  expect(message).toMatch(
    /\/blank: the screenshot has only one color, #ffffff\. The page is empty or was not rendered\./,
  );
});

const DISC = '<svg width="96" height="96"><circle cx="48" cy="48" r="R" fill="#2563eb"/></svg>';
const STYLE =
  '<style>i { position: absolute; left: 200px; top: 300px; width: 4px; height: 4px; background: #f00 }</style>';

test('an image that cannot be compared is an error with advice and exit code 2, also in JSON', async ({ project }) => {
  writeImages(project);
  const told = await project.proofsheet(['compare', 'cut.png', 'a.png']);
  expect(told).toExit(2);
  expect(told.output).toContain(`proofsheet: cut.png: the file is truncated: its png data is incomplete. ${WHOLE}`);
  expect(told.stdout, 'nothing but an answer goes there').toBe('');
  const answered = await project.proofsheet(['compare', 'cut.png', 'a.png', '--json']);
  expect(answered).toExit(2);
  expect(JSON.parse(answered.stdout)).toMatchObject({ status: 'error', error: true, message: expect.any(String) });
  expect(project.exists('proofsheet-compare')).toBe(false);
});
