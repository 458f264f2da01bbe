import { readFileSync } from 'node:fs';
import { captureResponseSchema } from '../../src/model/run-record.js';
import { type Answer, look, readImage, startServer } from './direct.js';
import { expect, html, test } from './project.js';

const PAGE = html(
  '<h1>Shop</h1><p id="chat">chat</p><div style="height: 1200px"></div>',
  '<style>body { margin: 0 } #chat { position: fixed; top: 0; left: 0; width: 50px; height: 50px; background: #f00 }</style>',
);

test('proofsheet capture writes one page as the flags say, and answers as the v1 service does', async ({ project }) => {
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

  const content = await project.proofsheet(['capture', shop, '-o', 'page.jpg', '--height=content', '--format', 'jpeg']);
  expect(content).toExit(0);
  expect(readImage(readFileSync(project.path('page.jpg'))).size.height).toBeGreaterThan(1200);

  const gone = await project.proofsheet(['capture', `${server.url}/gone`, '-o', 'gone.png', '--json']);
  expect(gone).toExit(2);
  expect(JSON.parse(gone.stdout)).toMatchObject({ status: 'error', error: true, code: 'page-status' });
  expect(project.exists('gone.png')).toBe(false);
  close();
});

test('proofsheet capture names the flag that is wrong', async ({ project }) => {
  project.write({ file: '' });
  const troubles: [string[], string | RegExp][] = [
    [
      ['capture', 'http://localhost', '-o', 'x.png', '--width', '5'],
      '--width must be a whole number from 100 to 8000, not 5.',
    ],
    [
      ['capture', 'http://localhost', '-o', 'x.png', '--delay', 'long'],
      '--delay must be a number from 0 to 10, not "long"',
    ],
    [
      ['capture', 'localhost:3000', '-o', 'x.png'],
      'localhost:3000: it is no URL that begins with http:// or https://. Write it as https://www.example',
    ],
    [['capture', 'file:///etc/passwd', '-o', 'x.png'], 'it is no URL that begins with http:// or https://'],
    [['capture', 'http://localhost'], "required option '-o, --output <file>' not specified"],
    [
      ['capture', 'http://localhost', '-o', 'x.png', '--format', 'gif'],
      "argument 'gif' is invalid. Allowed choices are",
    ],
    [
      ['capture', 'http://localhost', '-o', 'x.gif'],
      '--output x.gif: ".gif" is not a supported extension. Use one of these: .png, .jpeg, .jpg, .webp, .pdf.',
    ],
  ];
  for (const [args, message] of troubles) {
    const run = await project.proofsheet(args);
    expect(run, args.join(' ')).toExit(2);
    expect(run.output, args.join(' ')).toContain(message);
  }
});
