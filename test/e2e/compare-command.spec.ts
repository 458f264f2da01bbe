import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareResponseSchema } from '../../src/service/protocol/responses.js';
import { type Answer, look, readImage, startServer } from './direct.js';
import { type Ended, expect, html, test } from './project.js';

function responseOf({ stdout }: Ended) {
  return compareResponseSchema.parse(JSON.parse(stdout));
}

function imageAt(link: string | null | undefined) {
  return look(readImage(readFileSync(fileURLToPath(link ?? ''))));
}

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
