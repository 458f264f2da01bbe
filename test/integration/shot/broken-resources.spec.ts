import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

const STYLES = `<style>
  @font-face { font-family: Gone; src: url(/font.woff2) }
  body { font-family: Gone; background: url(/background.png) }
  p { filter: url(/filter.svg#blur) }
</style>`;

/** A page of which nothing but the document loads. */
const PAGE = html(
  `<h1>Title</h1><p>Text</p><img src="/image.png" width="20" height="20"><img src="/text.png" width="20" height="20">
  <img src="/moved.png" width="20" height="20"><iframe src="/frame.html" width="50" height="50"></iframe>
  <svg width="20" height="20"><use href="/sprite.svg#cart"/></svg>
  <video width="20" height="20" autoplay muted><source src="/video.webm"></video>`,
  `<link rel="stylesheet" href="/style.css"><link rel="prefetch" href="/next.js">${STYLES}
  <script src="/script.js"></script><script>fetch('/data.json')</script>`,
);

const FONT = html(
  '<h1>Font</h1>',
  '<style>@font-face { font-family: F; src: url(/font.woff2) } h1 { font-family: F }</style>',
);

test('what a page does not load is named by URL and status', async ({ runs, serve }) => {
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/') return PAGE;
    if (pathname === '/policy') return { body: FONT, headers: { 'content-security-policy': "font-src 'none'" } };
    if (pathname === '/text.png') return html('A page in place of an image');
    if (pathname === '/moved.png') return { status: 302, headers: { location: '/elsewhere.png' } };
    return pathname === '/image.png' ? { isReset: true } : { status: 404 };
  });
  const run = await runs.run(`baseURL: ${site.url}\npages: [{ name: page, url: / }, /policy]\n`, { mode: 'missing' });
  expect(
    run
      .shot('policy')
      .warnings.map(({ message }) => message)
      .join(),
  ).toContain('/font.woff2');
  const said = Object.fromEntries(
    run.shot('page').warnings.map(({ code, message }) => [code, message.replaceAll(site.url, '')]),
  );
  expect(said).toEqual({
    'broken-image':
      'images did not load: /background.png (404), /image.png (net::ERR_CONNECTION_RESET), /moved.png (404) and 1 more',
    'broken-font': 'fonts did not load: /font.woff2 (404)',
    'broken-stylesheet': 'style sheets did not load: /style.css (404)',
    'broken-script': 'scripts did not load: /script.js (404)',
    'broken-frame': 'frames did not load: /frame.html (404)',
    'broken-media': 'videos or sounds did not load: /video.webm (404)',
    'broken-drawing': 'SVG files did not load: /filter.svg (404), /sprite.svg (404)',
    'baseline-data': 'data did not load: /data.json (404)',
  });
});

test('a baseline of a page that still reads a response after 3 s has a warning, and one that no script reads has none', async ({
  runs,
  serve,
}) => {
  const page = (reads: string) =>
    html(
      `<h1>Answer</h1><p id="text">…</p><script>(async () => { const { body } = await fetch('/answer'); ${reads} })()</script>`,
    );
  const read = `for await (const part of body.pipeThrough(new TextDecoderStream())) text.textContent += part;`;
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/answer') return { body: 'First half, second half', bodyAfterMs: 9_000 };
    return page(pathname === '/read' ? read : '');
  });
  const run = await runs.run(`baseURL: ${site.url}\npages: [/read, /unread]\n`, { mode: 'missing' });
  expect(run.shot('unread').warnings).toEqual([]);
  expect(run.shot('read').warnings).toEqual([
    {
      code: 'baseline-data',
      message: `data were still arriving, and are not waited for any longer: ${site.url}/answer`,
    },
  ]);
});

test('a file that is not an image is named, and so is an image of a page that the test opened', async ({
  runs,
  page,
  serve,
}) => {
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/gone.png') return { status: 404 };
    return pathname === '/' ? html('<h1>Title</h1><img src="/text.png"><img src="/gone.png">') : html('no image');
  });
  await page.goto(site.url);
  const { record } = await runs.match(page, 'own', {}, 'missing');
  expect(record.warnings).toEqual([
    {
      code: 'broken-image',
      message: `images did not load: ${site.url}/gone.png (404), ${site.url}/text.png (the browser cannot decode it)`,
    },
  ]);
});

test('an image or a style sheet that no longer loads is the cause of a change', async ({ runs, serve }) => {
  const gone = new Set<string>();
  const site = await serve(({ url: { pathname } }) => {
    if (gone.has(pathname)) return { status: 404 };
    if (pathname === '/site.css') return { headers: { 'content-type': 'text/css' }, body: 'h1 { color: red }' };
    if (pathname === '/hero.svg')
      return {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50"/></svg>',
      };
    return html(
      '<h1>Title</h1><img class="hero" src="/hero.svg" width="50" height="50">',
      '<link rel="stylesheet" href="/site.css">',
    );
  });
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: / }]\n`;
  await runs.run(list, { mode: 'missing' });
  gone.add('/hero.svg');
  const image = (await runs.run(list)).shot('page');
  expect(image.reason).toMatch(/^img\.hero: \/hero\.svg \(404\) did not load; /);
  expect(image.causes).toHaveLength(1);
  gone.add('/site.css');
  const both = (await runs.run(list)).shot('page');
  expect(both.reason).toMatch(/^(\/site\.css \(404\) did not load; img\.hero: |img\.hero: .*; \/site\.css \(404\))/);
  await runs.run(list, { mode: 'changed' });
  gone.clear();
  // What loads again is not broken.
  expect((await runs.run(list)).shot('page').causes?.map(({ kind }) => kind)).not.toContain('broken');
});
