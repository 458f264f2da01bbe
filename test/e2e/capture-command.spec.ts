import { readFileSync } from 'node:fs';
import { captureResponseSchema } from '../../src/model/run-record.js';
import { type Answer, look, readImage, startServer } from './direct.js';
import { expect, html, test } from './project.js';

const PAGE = html(
  '<h1>Shop</h1><p id="chat">chat</p><div style="height: 1200px"></div>',
  '<style>body { margin: 0 } #chat { position: fixed; top: 0; left: 0; width: 50px; height: 50px; background: #f00 }</style>',
);

test('proofsheet capture follows its flags, and its JSON is that of the v1 service', async ({ project }) => {
  const answers: Record<string, Answer> = { '/shop': PAGE, '/gone': { status: 404, body: PAGE } };
  const { server, close } = await startServer(({ url }) => answers[url.pathname] ?? '');
  const shop = `${server.url}/shop`;
  const plain = await project.proofsheet(['capture', shop, '-o', 'shots/shop.png']);
  expect(plain).toExit(0);
  expect(plain.stdout).toBe('captured: 1280x720 shots/shop.png\n');
  const picture = await look(readImage(readFileSync(project.path('shots/shop.png'))));
  expect(picture.count('#ff0000')).toBeGreaterThan(2000);

  const flags = ['--full-size', '--width=400', '--height', '300', '--hide', '#chat', '--language=de-DE', '--delay=0.1'];
  const full = await project.proofsheet(['capture', shop, '-o', 'full.webp', '--json', ...flags]);
  expect(full).toExit(0);
  const answer = captureResponseSchema.parse(JSON.parse(full.stdout));
  expect(answer).toMatchObject({ status: 'success', url: shop, width: 400, height: 300 });
  expect(answer.link).toMatch(/^file:.*\/full\.webp$/);
  const image = readImage(readFileSync(project.path('full.webp')));
  expect(image).toMatchObject({ codec: 'webp', size: { width: 400 } });
  expect(image.size.height).toBeGreaterThan(1200);
  expect((await look(image)).count('#ff0000')).toBe(0);
  expect(server.received.find(({ headers }) => headers['accept-language']?.startsWith('de'))).toBeDefined();

  const gone = await project.proofsheet(['capture', `${server.url}/gone`, '-o', 'gone.png', '--json']);
  expect(gone).toExit(2);
  expect(JSON.parse(gone.stdout)).toMatchObject({ status: 'error', error: true, code: 'page-status' });
  expect(project.exists('gone.png')).toBe(false);

  project.write({ file: '' });
  const unwritable = await project.proofsheet(['capture', shop, '-o', 'file/a.png']);
  expect(unwritable).toExit(2);
  expect(unwritable.output).toContain('the image cannot be written');
  close();
});
