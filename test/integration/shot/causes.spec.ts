import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { unpackStructure } from '../../../src/baselines/baseline.js';
import { extractText } from '../../../src/image/metadata.js';
import type { FileCodec } from '../../../src/model/image.js';
import { renderCause } from '../../../src/report/causes.js';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

const NAME = '<img src=x onerror=alert(1)>';

/** The same page before and after. Everything that must stay out of a structure has the word `planted`. */
const pageOf = (isAfter: boolean) => `<link rel="stylesheet" href="/site.css">
  ${isAfter ? '<div class="banner" style="height: 40px; background: #fee2e2">New</div>' : ''}
  <a class="btn" style="display: block; width: 200px">Buy</a>
  <main style="margin-top: 100px">
    <p id="price">${isAfter ? 54 : 49} EUR</p>
    <p class="${NAME.replaceAll(' ', '&#32;')}" title="Note">${isAfter ? 'Text' : 'Words'}</p>
  </main>
  <div class="box"></div>
  <div id="host" style="margin-top: 40px"></div>
  <script>
    const root = document.getElementById('host').attachShadow({ mode: 'closed' });
    root.innerHTML = '<i style="font: 20px Arial">${isAfter ? 'Closed door' : 'Closed gate'}</i>';
  </script>
  <iframe src="/inner" style="height: 60px; margin-top: 40px; display: block"></iframe>
  <input style="margin-bottom: 80px" value="planted-value-${isAfter ? 1 : 2}"><p class="masked">planted-mask ${isAfter}</p>
  <p class="hidden">planted-hidden ${isAfter}</p>
  <img alt="Portrait" src="/portrait.svg" style="display: block; margin-top: 40px">`;

const portrait = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="${color}"/></svg>`;

test('a two-state shot names each change: element, value, and declaration', async ({ runs, serve }) => {
  const site = (isAfter: boolean) =>
    serve(({ url: { pathname } }) => {
      if (pathname === '/site.css')
        return {
          headers: { 'content-type': 'text/css' },
          body: `/* line 1 */\n.btn {\n  color: ${isAfter ? '#1d4ed8' : '#3b82f6'};\n}
.box { height: 20px; background: #fde68a; width: ${isAfter ? 320 : 300}px }`,
        };
      if (pathname === '/inner') return html(`<h1 style="margin: 0">${isAfter ? 'Inner' : 'Frame'}</h1>`);
      if (pathname === '/portrait.svg')
        return { headers: { 'content-type': 'image/svg+xml' }, body: portrait(isAfter ? 'red' : 'blue') };
      return html(pageOf(isAfter));
    });
  const [before, after] = [await site(false), await site(true)];
  const run = await runs.run(`baseURL: ${after.url}
before: ${before.url}
pages:
  - { name: page, url: /, fullSize: true, mask: [".masked"], hide: [".hidden"] }
`);
  const { causes = [], reason } = run.shot('page');
  const named = causes.map(({ kind, element, property, before: from, after: to }) => [
    kind,
    element,
    property,
    from,
    to,
  ]);
  expect(named).toContainEqual(['inserted', '.banner', null, null, null]);
  expect(named).toContainEqual(['restyled', 'a.btn', 'color', 'rgb(59, 130, 246)', 'rgb(29, 78, 216)']);
  // Of the sizes that changed, only this one is declared.
  expect(named).toContainEqual(['restyled', '.box', 'width', '300px', '320px']);
  expect(named).toContainEqual(['reworded', '#price', null, '49 EUR', '54 EUR']);
  expect(named).toContainEqual(['reworded', '#host i', null, 'Closed gate', 'Closed door']);
  expect(named).toContainEqual(['reworded', 'h1', null, 'Frame', 'Inner']);
  expect(named).toContainEqual(['image', 'img', null, '/portrait.svg', '/portrait.svg']);
  expect(causes.find(({ property }) => property === 'color')?.source).toEqual({
    ...{ selector: '.btn', file: '/site.css', line: 3 },
  });
  // The input has other text, but its structure has no value.
  expect(named).toContainEqual(['opaque', 'input', null, null, null]);
  expect(JSON.stringify(causes)).not.toContain('planted');
  expect(reason).toContain('; 7 more causes');
  expect(causes.every(({ kind, certain }) => certain === (kind !== 'opaque'))).toBe(true);
});

/** An application of which two parts scroll. They grow with their content, and so does what is around them. */
const orders = (status: string, count: number) => `<style>
  * { box-sizing: border-box }
  body { margin: 0; height: 100vh; display: flex; overflow: hidden }
  nav { width: 200px; flex: none }
  .main { flex: 1; min-width: 0; height: calc(100vh - 1rem); overflow: auto; padding: 16px }
  .wrap { max-height: calc(100vh - 210px); overflow: auto }
  td { padding: 9px 18px; white-space: nowrap }
  </style><nav>Orders</nav><div class="main"><div class="wrap"><table>${Array.from(
    { length: count },
    (_, row) =>
      `<tr><td>Order ${row}${`<td>${'Long street name '.repeat(3)}`.repeat(5)}<td>${row === 37 ? status : 'Paid'}`,
  ).join('')}</table></div></div>`;

/** Its first part follows the height of the window, which grows. */
const hero = (height: string) => `<style>
  .hero { height: ${height}; background: #fde68a }
  </style><div class="hero"></div><p>Text</p><div style="height: 1500px"></div><p>End</p>`;

/** A frame of another site that grows with its content. What follows it moves. */
const booking = (
  url: URL,
) => `<iframe id="booking" src="http://localhost:${url.port}/rows" style="display: block; height: 100px"></iframe>
  <p>Imprint</p>`;

test('what proofsheet itself sets to show a page is no cause, and no source of one', async ({ runs, serve }) => {
  let isAfter = false;
  const pages: Record<string, (url: URL) => string> = {
    orders: () => (isAfter ? orders('Refunded', 41) : orders('Paid', 40)),
    hero: () => hero(isAfter ? '60vh' : '50vh'),
    booking,
    rows: () => `<p style="height: 300px">Row</p>${isAfter ? '<p style="height: 60px">More</p>' : ''}`,
  };
  const site = await serve(({ url }) => html(pages[url.pathname.slice(1)]?.(url) ?? ''));
  const names = ['orders', 'hero', 'booking'];
  const list = `baseURL: ${site.url}
pages: [${names.map((name) => `{ name: ${name}, url: /${name}, fullSize: true }`).join(', ')}]\n`;
  await runs.run(list, { mode: 'missing' });
  isAfter = true;
  const run = await runs.run(list);
  const causesOf = (id: string) => run.shot(id).causes?.map(renderCause);
  expect(causesOf('orders')).toEqual(['.wrap tr: inserted', '.wrap td: text "Paid" -> "Refunded"']);
  expect(causesOf('hero')).toEqual(['possibly .hero: height 360px -> 432px (/hero:2)']);
  // Nothing is known of its content.
  expect(causesOf('booking')).toEqual(['#booking: height 336px -> 412px']);
});

test('of a frame of another site, a cause says what it is; of other frames and of a canvas, that it has no elements', async ({
  runs,
  serve,
}) => {
  let color = 'red';
  const site = await serve(({ url: { pathname, port } }) => {
    const filled = `<body style="background: ${color}">`;
    if (pathname === '/pay') return html(filled);
    return html(`<style>iframe, canvas { display: block; margin-bottom: 90px }</style><iframe id="pay" src="http://localhost:${port}/pay"></iframe>
      <iframe id="own" src="data:text/html,${encodeURIComponent(filled)}"></iframe><canvas id="chart"></canvas>
      <script>const paper = chart.getContext('2d'); paper.fillStyle = '${color}'; paper.fillRect(0, 0, 90, 90)</script>`);
  });
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: / }]\n`;
  await runs.run(list, { mode: 'missing' });
  color = 'green';
  expect((await runs.run(list)).shot('page').causes?.map(renderCause).sort()).toEqual([
    'possibly #chart: its pixels changed; it has no elements to compare',
    'possibly #own: its pixels changed; it has no elements to compare',
    'possibly #pay: its pixels changed; it is a frame of another site',
  ]);
});

/** Line 1 of a style sheet is line 30 of its source. */
const MAP = JSON.stringify({ version: 3, sources: ['../src/button.scss'], names: [], mappings: 'AA6BA' });
const comment = (url: string) => `/*# sourceMappingURL=${url} */`;

// Other maps, those that are too large or come too late: test/unit/page/structure/source-maps.test.ts.
test('a declaration of a style sheet with a source map has the file and the line of its source', async ({
  runs,
  serve,
}) => {
  const names = ['comment', 'header', 'missing'];
  const site = (isAfter: boolean) =>
    serve(({ url: { pathname } }) => {
      const [, name = '', kind = ''] = /^\/maps\/(\w+)\.(css|map)$/.exec(pathname) ?? [];
      const rule = (className: string) => `.${className} { color: ${isAfter ? '#1d4ed8' : '#3b82f6'} }\n`;
      if (kind === 'map') return { status: name === 'missing' ? 404 : 200, body: MAP };
      if (name === 'header')
        return { headers: { 'content-type': 'text/css', SourceMap: '/maps/header.map' }, body: rule(name) };
      if (kind === 'css')
        return { headers: { 'content-type': 'text/css' }, body: `${rule(name)}${comment(`${name}.map`)}` };
      const sheets = names.map((one) => `<link rel="stylesheet" href="/maps/${one}.css"><p class="${one}">${one}</p>`);
      return { headers: { 'content-type': 'text/html', 'set-cookie': 'session=1' }, body: html(sheets.join('')) };
    });
  const [before, after] = [await site(false), await site(true)];
  const run = await runs.run(
    `baseURL: ${after.url}\nbefore: ${before.url}\npages: [{ name: one, url: / }, { name: two, url: /two }]\n`,
    { atOnce: 1 },
  );
  const sources = run.shot('one').causes?.map(({ element, source }) => [element, `${source?.file}:${source?.line}`]);
  expect(Object.fromEntries(sources ?? [])).toEqual({
    ...{ 'p.comment': '/src/button.scss:30', 'p.header': '/src/button.scss:30', 'p.missing': '/maps/missing.css:1' },
  });
  expect(run.shot('two').causes).toEqual(run.shot('one').causes);
  const requests = after.received.filter(({ url }) => url.pathname.endsWith('.map'));
  expect(requests.map(({ url }) => url.pathname).sort(), 'once in a run').toEqual(
    names.map((name) => `/maps/${name}.map`),
  );
  expect(requests.every(({ headers }) => headers.cookie === 'session=1')).toBe(true);
});

/** Returns the structure in an image, as JSON; null if it has none. */
function structureIn(file: Buffer, codec: FileCodec = 'png'): string | null {
  const { data } = extractText(file, codec);
  return data && JSON.stringify(unpackStructure(data));
}

test('a baseline keeps the structure of its page, which names the causes of a change', async ({ runs, serve }) => {
  let isAfter = false;
  const site = await serve(({ url: { pathname }, headers }) => {
    if (pathname === '/inner') return html('<h1>Frame</h1>');
    if (pathname === '/portrait.svg') return { headers: { 'content-type': 'image/svg+xml' }, body: portrait('blue') };
    if (pathname === '/site.css') return { headers: { 'content-type': 'text/css' }, body: '' };
    return html(`${pageOf(isAfter)}<p>${headers['x-token']}`);
  });
  const list = (explain: boolean) => `baseURL: ${site.url}
pages:
  - { name: page, url: /, fullSize: true, mask: [".masked"], hide: [".hidden"], headers: { X-Token: planted-token }, explain: ${explain} }
`;
  const structureOfBaseline = () => structureIn(readFileSync(runs.path('page.png')));
  await runs.run(list(false), { mode: 'all' });
  expect(structureOfBaseline()).toBeNull();
  isAfter = true;
  expect((await runs.run(list(true))).shot('page').causes).toBeUndefined();
  await runs.run(list(true), { mode: 'changed' });
  expect(structureOfBaseline()).toContain('54 EUR');
  expect(structureOfBaseline()).toContain('***');
  expect(structureOfBaseline()).not.toContain('planted');
  isAfter = false;
  const run = await runs.run(list(true));
  expect(run.shot('page').reason).toMatch(/^\.banner: removed; /);
  expect(run.shot('page').causes).toContainEqual(expect.objectContaining({ kind: 'reworded', element: '#price' }));
  // `approve` copies the after image with its structure.
  expect(structureIn(run.of('page').image('after'))).toContain('49 EUR');
});

test('a JPEG baseline keeps the structure of its page in its file', async ({ runs, serve }) => {
  let color = 'red';
  const site = await serve(() => html(`<h1 style="color: ${color}">Title</h1><p>Text</p>`));
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: /, format: jpeg, width: 300, height: 200 }]\n`;
  await runs.run(list, { mode: 'missing' });
  expect(runs.baselines()).toEqual(['page.jpeg']);
  color = 'blue';
  const { causes } = (await runs.run(list)).shot('page');
  expect(causes?.map(({ property, after }) => [property, after])).toEqual([['color', 'rgb(0, 0, 255)']]);
  const changed = await runs.run(list, { mode: 'changed' });
  expect(structureIn(changed.of('page').image('after'), 'jpeg')).toContain('rgb(0, 0, 255)');
});

test('a page that the test opened has causes too, and is as before', async ({ runs, page, serve }) => {
  const site = await serve(() =>
    html(`<h1>Title</h1><canvas id="noise" width="400" height="300"></canvas><script>
    const context = document.querySelector('canvas').getContext('2d');
    const pixels = context.createImageData(400, 300);
    for (let i = 0, seed = 1; i < pixels.data.length; i++) pixels.data[i] = seed = (seed * 16807) % 2147483647;
    context.putImageData(pixels, 0, 0);</script>`),
  );
  await page.goto(site.url);
  await runs.match(page, 'title', {}, 'missing');
  await page.evaluate(() => document.querySelector('h1')?.setAttribute('style', 'color: rgb(255, 0, 0)'));
  const { record } = await runs.match(page, 'title');
  expect(record.reason).toMatch(/^h1: color #000000 -> #ff0000 \(attribute style\); /);
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain('proofsheet');
});

test('causes do not name what differs in each load, so two runs have the same', async ({ runs, serve }) => {
  let color = 'red';
  let load = 0;
  // As a chart library draws it: ids, references and addresses are new ones each time.
  const site = await serve(() => {
    const id = `mermaid-${1_795_736_994_447 + load++}`;
    return html(`<style>#${id} rect { fill: ${color} }</style>
      <svg id="${id}" width="100" height="60"><defs><marker id="${id}_end"></marker></defs>
        <rect id="${id}-a" width="40" height="40"/><path d="M0 50 L90 50" stroke="blue" marker-end="url(#${id}_end)"/></svg>
      <img id="made" width="50" height="50"><div id="${crypto.randomUUID()}" class="note">${color}</div>
      <script>
        const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="${color}"/></svg>';
        made.src = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
      </script>`);
  });
  const list = `baseURL: ${site.url}\npages: [{ name: page, url: / }]\n`;
  await runs.run(list, { mode: 'missing' });
  expect((await runs.run(list)).shot('page')).toMatchObject({ status: 'passed' });
  color = 'green';
  const [first, second] = [(await runs.run(list)).shot('page').causes, (await runs.run(list)).shot('page').causes];
  expect(first).toEqual(second);
  expect(first?.map((cause) => renderCause(cause).replace(/ \(.*/, '')).sort()).toEqual([
    '#made: image has other content',
    '.note: text "red" -> "green"',
    'rect: fill #ff0000 -> #008000',
  ]);
  expect(JSON.stringify(first)).not.toMatch(/\d{9}/);
});

test('a hostile page has its causes in little time and space, or none', { tag: '@soak' }, async ({ runs, serve }) => {
  const rules = Array.from(
    { length: 10_000 },
    (_, index) => `.r${index} > b { --a: var(--b); --b: var(--a); color: var(--a) }`,
  );
  const deep = Array.from({ length: 400 }, (_, index) => `<div class="r${index}">`).join('');
  const long = 'x'.repeat(1_000_000);
  const wide = '<i>.</i>'.repeat(50_000);
  const site = (isAfter: boolean) =>
    serve(({ url: { pathname } }) => {
      const title = `<h1 id="&lt;script&gt;alert(1)&lt;/script&gt;">${isAfter ? 'After' : 'Before'}</h1>`;
      if (pathname === '/wide') return html(`${title}${wide}`);
      return html(`<style>${rules.join('\n')}</style>${title}${deep}<b>${long}${isAfter}</b>`);
    });
  const [before, after] = [await site(false), await site(true)];
  const run = await runs.run(`baseURL: ${after.url}
before: ${before.url}
pages:
  - { name: hostile, url: / }
  - { name: wide, url: /wide }
`);
  const { causes = [], reason } = run.shot('hostile');
  expect(reason).toMatch(/^#<script>alert\(1\)<\/script>: text "Before" -> "After"; /);
  expect(JSON.stringify(causes).length).toBeLessThan(10_000);
  // Too large: it has no causes, and is judged as any other page.
  expect(run.shot('wide')).toMatchObject({ status: 'changed' });
  expect(run.shot('wide').causes).toBeUndefined();
});
