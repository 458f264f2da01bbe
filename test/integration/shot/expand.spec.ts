import { expect } from '@playwright/test';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

const ROWS = Array.from({ length: 20 }, (_, row) => `<p style="margin: 0; height: 30px">row ${row}</p>`).join('');
const PANEL = `<div id="panel" style="height: 200px; overflow: auto">${ROWS}</div>`;
const SHELL = `<style>html, body { height: 100%; margin: 0 } main { height: 100%; overflow: auto }</style><main>${ROWS}${ROWS}</main>`;

test('`expand` shows areas in full, `expand: false` shows none, and a selector without a match is a warning', async ({
  serve,
  shoot,
}) => {
  const site = await serve(({ url }) =>
    html({ '/shell': SHELL, '/wide': WIDE }[url.pathname] ?? PANEL, '<style>body { margin: 0 }</style>'),
  );
  const list = `baseURL: ${site.url}
defaults: { fullSize: true, strict: false, height: 500 }
pages:
  - { name: found, url: /shell }
  - { name: none, url: /shell, expand: false }
  - { name: panel, url: /panel }
  - { name: named, url: /wide, expand: ["#wide", .absent] }
`;
  const shots = await shoot(list);
  const heightOf = (id: string) => shots.capture(id).image.size.height;
  expect(['found', 'none', 'panel'].map(heightOf)).toEqual([1200, 500, 600]);
  const warningsOf = (id: string) => shots.capture(id).warnings.map(({ code, message }) => `${code}: ${message}`);
  expect(warningsOf('found')).toEqual([]);
  expect(warningsOf('none')).toEqual([]);
  expect(warningsOf('panel')).toEqual([]);
  expect(warningsOf('named')).toEqual(['expand-no-match: `expand`: no element matches ".absent"']);
});

const WIDE = '<div id="wide" style="width: 300px; overflow: auto"><p style="width: 900px">wide</p></div>';
const BESIDE = `${WIDE}<b style="position: absolute; left: 400px; top: 20px">beside</b>`;
const SLIDES = `<div style="display: flex; width: 400px; overflow-x: auto">${'<p style="flex: 0 0 80%; height: 100px">slide</p>'.repeat(6)}</div>`;
const RECYCLED = `<div id="list" style="height: 200px; overflow: auto"><div id="all" style="height: 2000px; position: relative"></div></div><script>
  const show = () => {
    const first = Math.floor(list.scrollTop / 40);
    all.innerHTML = Array.from({ length: 6 }, (_, at) => '<b style="position: absolute; background: #f00; width: 100px; height: 40px; top: ' + (first + at) * 40 + 'px"></b>').join('');
  };
  list.addEventListener('scroll', show); show();</script>`;
const queried = (
  listen: string,
) => `<div id="hero" style="height: 100px">Hero</div><div style="height: 1500px"></div><script>
  const low = matchMedia('(max-height: 900px)');
  const show = () => { hero.style.height = low.matches ? '100px' : '700px'; };
  ${listen};</script>`;
const CLOSED = `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '${PANEL}'</script>`;
const WHEELED = `<style>html, body { height: 100%; overflow: hidden }</style>${ROWS}${ROWS}<script>addEventListener('wheel', () => {})</script>`;
const PINNED = `<b id="bar" style="position: fixed; top: 0" hidden>Read on</b><p>Story</p><div style="height: 1500px"></div><script>
  addEventListener('scroll', () => { bar.hidden = scrollY < 400; })</script>`;
const DARK = `<header style="position: sticky; top: 0">Top</header><div style="height: 1500px"></div><script>
  const header = document.querySelector('header');
  addEventListener('scroll', () => { header.style.background = scrollY < 400 ? '' : 'black'; })</script>`;
const SCROLLED = `<div id="box" style="height: 200px; overflow: hidden">${ROWS}</div><script>
  box.addEventListener('scroll', () => {})</script>`;
const MAP = `<div id="map" style="position: relative; height: 200px; overflow: hidden"><b style="position: absolute; height: 900px">Map</b>
  </div><script>map.addEventListener('scroll', () => {})</script>`;
const NOTICED = `<p id="notice">More below</p>${PANEL}<script>
  new ResizeObserver(() => { notice.style.visibility = panel.clientHeight > 300 ? 'hidden' : ''; }).observe(panel)</script>`;
const LOADING = `<style>html, body { height: 100%; overflow: hidden } main { height: 100%; overflow: auto }</style><main>${ROWS}</main><script>
  const main = document.querySelector('main');
  main.addEventListener('scroll', () => { if (main.scrollTop > 50) main.style.paddingBottom = '400px'; })</script>`;
const UNDRAWN = `<div id="list" style="height: 200px; overflow: auto"><div style="height: 2000px">${ROWS.slice(0, 400)}</p></div></div>`;
const GRID = `<style>html, body { height: 100%; overflow: hidden } body { display: grid; grid-template-rows: minmax(0, 1fr) 100px 50px }</style>
  <main style="overflow: auto">${ROWS}</main><div style="overflow: auto">${ROWS}</div><footer style="background: #0f0">End</footer>`;
const BAR = `<div id="box" style="position: relative; height: 200px; overflow: hidden"><div id="lines"></div>
  <div style="position: absolute; right: 0; top: 0; bottom: 0; width: 16px; overflow-y: scroll"><div style="height: 800px"></div></div></div><script>
  new ResizeObserver(() => { lines.innerHTML = '<p style="margin: 0; height: 20px">line</p>'.repeat(box.clientHeight / 20); }).observe(box)</script>`;
const RESET = `<div id="box" style="height: 200px; overflow: hidden"><div id="panel" style="height: 100%; overflow: auto">${ROWS}</div></div><script>
  new ResizeObserver(() => setTimeout(() => { box.style.cssText = 'height: 200px; overflow: hidden'; }, 500)).observe(panel)</script>`;
const TERMINAL = `<pre id="log" style="height: 200px">line 9</pre><script>
  let line = 9;
  log.addEventListener('wheel', ({ deltaY }) => { line = Math.min(9, line + Math.sign(deltaY)); log.textContent = 'line ' + line; })</script>`;
const FILM = `<p>Film</p><div style="height: 1800px"><canvas style="position: sticky; top: 0"></canvas></div><script>
  const paper = document.querySelector('canvas').getContext('2d');
  addEventListener('scroll', () => { paper.clearRect(0, 0, 300, 150); paper.fillRect(0, 0, scrollY / 20, 50); })</script>`;
const LINE = `<p>Up</p><div style="height: 1200px"></div><p id="late" style="height: 50px">Late</p><div style="height: 600px"></div><script>
  const line = new IntersectionObserver(([one]) => { if (one.isIntersecting) late.style.background = '#00ff00'; }, { rootMargin: '-50% 0% -49% 0%' });
  line.observe(late)</script>`;
const JUMP = `<a hidden>Back to top</a><ul><li>One</li><li>Two</li></ul><div id="area" style="height: 200px; overflow: auto">${ROWS}</div><script>
  let second = 0;
  setInterval(() => { document.querySelectorAll('li')[1].textContent = ++second; }, 300);
  area.addEventListener('scroll', () => { document.querySelector('a').hidden = area.scrollTop < 100; })</script>`;
const CAPTION = `<p style="margin-bottom: 600px">Hall</p><div id="rail" style="display: flex; width: 300px; overflow: auto; scroll-snap-type: x mandatory">
  ${['Hall', 'Tower', 'Garden'].map((name) => `<div title="${name}" style="flex: 0 0 300px; height: 50px; scroll-snap-align: start">Picture</div>`).join('')}</div><script>
  rail.addEventListener('scrollsnapchange', ({ snapTargetInline }) => { document.querySelector('p').textContent = snapTargetInline.title; })</script>`;
const LARGE =
  '<section style="content-visibility: auto; contain-intrinsic-size: auto 100px"><div style="height: 2100px">Part</div></section>'.repeat(
    10,
  );
const RESIZED = `<section>Hero</section><div style="height: 1500px"></div><script>
  onresize = () => { document.querySelector('section').style.height = innerHeight - 50 + 'px'; };
  onresize();</script>`;
const GROWING = `<div style="height: 1500px"></div><p style="margin: 0">Loading</p><script>
  new IntersectionObserver(([{ isIntersecting, target }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    setTimeout(() => { target.style.height = '700px'; }, 3000);
  }).observe(document.querySelector('p'))</script>`;

test('a frame that scrolls is shown in full, and what an image cannot show is named', async ({ serve, shoot }) => {
  const pages: Record<string, string> = {
    '/frame': '<iframe src="/rows" style="display: block; border: 0; height: 100px"></iframe>',
    '/rows': ROWS,
    '/sideways': WIDE,
    '/beside': BESIDE,
    '/slides': SLIDES,
    '/recycled': RECYCLED,
    '/on-change': queried('low.onchange = show'),
    '/add-listener': queried('low.addListener(show)'),
    '/closed': CLOSED,
    '/wheeled': WHEELED,
    '/pinned': PINNED,
    '/dark': DARK,
    '/undrawn': UNDRAWN,
    '/resized': RESIZED,
    '/growing': GROWING,
    '/scrolled': SCROLLED,
    '/map': MAP,
    '/noticed': NOTICED,
    '/loading': LOADING,
    '/grid': GRID,
    '/bar': BAR,
    '/reset': RESET,
    '/terminal': TERMINAL,
    '/film': FILM,
    '/line': LINE,
    '/large': LARGE,
    '/jump': JUMP,
    '/caption': CAPTION,
  };
  const site = await serve(({ url }) => html(pages[url.pathname] ?? '', '<style>body { margin: 0 }</style>'));
  const other = site.url.replace('127.0.0.1', 'localhost');
  pages['/beside-frame'] = `<div style="display: flex; overflow: auto"><p style="flex: 0 0 1400px">Videos</p>
    <iframe src="${other}/rows" style="flex: none; width: 300px; height: 600px"></iframe></div>`;
  const names = Object.keys(pages).flatMap((path) => (path === '/rows' ? [] : [path.slice(1)]));
  const list = names.map((name) => `  - { name: ${name}, url: /${name} }\n`).join('');
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { fullSize: true, strict: false, height: 500 }\npages:\n${list}`,
  );
  const tall = [
    'frame',
    'recycled',
    'on-change',
    'add-listener',
    'closed',
    'resized',
    'growing',
    'scrolled',
    'map',
    'loading',
    'grid',
    'bar',
    'large',
  ];
  expect(tall.map((id) => shots.capture(id).image.size.height)).toEqual([
    600, 2000, 1600, 1600, 600, 1950, 2200, 600, 500, 1000, 1250, 800, 21_000,
  ]);
  expect(shots.capture('slides').image.size.width).toBe(1920);
  expect((await look(shots.capture('recycled').image)).count('#ff0000')).toBe(100 * 2000);
  expect((await look(shots.capture('line').image)).count('#00ff00')).toBeGreaterThan(0);
  const warningsOf = (id: string) => shots.capture(id).warnings.map(({ code, message }) => `${code}: ${message}`);
  expect(names.map(warningsOf)).toEqual([
    [],
    [],
    ['content-hidden: the area div#wide scrolls, and 600 px of its content are not in the image'],
    ...[[], [], [], []],
    [],
    ['content-hidden: the area body scrolls, and 700 px of its content are not in the image'],
    [
      'content-missing: b#bar shows "Read on" when the page is scrolled, and the image shows another state of it',
    ],
    [
      'content-missing: header looks different when the page is scrolled, and the image shows another state of it',
    ],
    ['content-hidden: the area div#list scrolls, and 1800 px of its content are not in the image'],
    [],
    [],
    ...[[], []],
    ['content-hidden: the area div#panel scrolls, and 400 px of its content are not in the image'],
    [],
    ...[[], []],
    ['content-hidden: the area div#panel scrolls, and 400 px of its content are not in the image'],
    [
      'content-hidden: the area pre#log shows another text when the mouse wheel is turned over it: that is not in the image',
    ],
    [
      'content-missing: canvas looks different when the page is scrolled, and the image shows another state of it',
    ],
    ...[[], []],
    [
      'content-missing: a shows "Back to top" when the area div#area is scrolled, and the image shows another state of it',
    ],
    [
      'content-missing: p shows "Tower" when the area div#rail is scrolled, and the image shows another state of it',
      'content-missing: p shows "Garden" when the area div#rail is scrolled, and the image shows another state of it',
    ],
    ['content-hidden: the frame iframe of another site lies beside the window: it is not drawn'],
  ]);
});

test('in Chromium, the plain driver shows all of a page, too', async ({ browser, serve, shoot }) => {
  const section = '<div style="height: 100px; background: #00ff00"></div>';
  const page = `${PANEL}<section style="margin-top: 1000px; height: 100px; content-visibility: auto">${section}</section>
    <div id="list" style="position: relative; height: 2000px"></div><script>
      const show = () => {
        const rows = Array.from({ length: 20 }, (_, row) => Math.max(0, Math.floor((scrollY - 1700) / 40)) + row);
        list.innerHTML = rows.filter((row) => row < 50).map((row) =>
          '<div style="position: absolute; width: 500px; height: 40px; background: #0000ff; top: ' + row * 40 + 'px"></div>').join('');
      };
      addEventListener('scroll', show);
      show();
    </script>`;
  const site = await serve(() => html(page, '<style>body { margin: 0 }</style>'));
  const list = `baseURL: ${site.url}\ndefaults: { fullSize: true, height: 300 }\npages: [{ name: whole, url: / }]\n`;
  const { image } = (await shoot(list, browser)).capture('whole');
  expect(image.size.height, 'the panel, a margin, a section, a list').toBe(600 + 1000 + 100 + 2000);
  const { at } = await look(image);
  expect([at(10, 1650), at(10, 1710), at(10, 3690)]).toEqual(['#00ff00', '#0000ff', '#0000ff']);
});

test('what a page masks in a list that draws a fixed number of rows is not filled in, with a warning', async ({
  serve,
  shoot,
}) => {
  const page = `<div id="list" style="position: relative; height: 3000px"></div><script>
    const show = () => {
      const first = Math.floor(scrollY / 40);
      list.innerHTML = Array.from({ length: 8 }, (_, at) => '<b style="position: absolute; top: ' + (first + at) * 40 + 'px">secret ' + (first + at) + '</b>').join('');
    };
    addEventListener('scroll', show); show();</script>`;
  const site = await serve(() => html(page));
  const list = `baseURL: ${site.url}\ndefaults: { fullSize: true, strict: false, height: 300 }\npages: [{ name: list, url: /, mask: b }]\n`;
  const [warning] = (await shoot(list)).capture('list').warnings;
  expect(warning?.code).toBe('content-missing');
  expect(warning?.message).toContain('was seen when scrolled to, and is blank in the image');
});

test('what a slow page shows further down, and a page that refuses to scroll, are not compared with the image, with a warning', async ({
  serve,
  shoot,
}) => {
  const page = `<h1>Slow</h1><div style="height: 6000px"></div><script>
    let wasTall = false;
    addEventListener('resize', () => { wasTall ||= innerHeight > 2000; });
    addEventListener('scroll', () => { if (wasTall && innerHeight < 2000) fetch('/late?' + scrollY); });</script>`;
  const refusing = `<div style="height: 2000px">text</div><script>
    Element.prototype.scrollTo = () => { throw new Error('no scrolling'); };</script>`;
  const site = await serve(({ url }) => {
    if (url.pathname === '/late') return { body: 'late', afterMs: 700 };
    return html(url.pathname === '/refusing' ? refusing : page);
  });
  const list = `baseURL: ${site.url}\ndefaults: { fullSize: true, strict: false, height: 500 }\npages:
  - { name: slow, url: /, timeout: 8 }
  - { name: refusing, url: /refusing }\n`;
  const shots = await shoot(list);
  const warningsOf = (id: string) => shots.capture(id).warnings.map(({ code, message }) => `${code}: ${message}`);
  expect(warningsOf('slow')).toEqual([
    expect.stringMatching(
      /^content-missing: what is below \d+ px is not compared with what a visitor sees: the page is too slow or too tall$/,
    ),
  ]);
  expect(warningsOf('refusing')).toEqual([
    'content-missing: the image is not compared with what a visitor sees: no scrolling',
  ]);
});

// Each step has an observer of its own, and all of them come into view when the window grows. Chromium calls them in a random order.
const STEPS =
  html(`<style>p { height: 600px } #last { position: absolute; top: 0; left: 0; width: 50px; height: 50px }</style>
  <div id="last"></div>${'<p>step</p>'.repeat(6)}<script>
    document.querySelectorAll('p').forEach((step, index) => {
      const show = (entries) => { if (entries[0].isIntersecting) last.style.background = '#00' + index + index + 'ff'; };
      new IntersectionObserver(show, { threshold: 0.5 }).observe(step);
    });
  </script>`);

test('in a page without a doctype, a percentage of the window keeps its length', async ({ serve, shoot }) => {
  // The browser lays such a body out again only if something else in it follows the window, too.
  const parts = '<div><p style="height: 100%; margin: 0; background: #00ff00"></p></div>'.repeat(2);
  const body = `<body style="margin: 0; font-size: 2vh">${parts}<div style="height: 90px"><p style="height: 50%; margin: 0; background: #0000ff"></p></div>`;
  const site = await serve(() => ({ body, headers: { 'content-type': 'text/html' } }));
  const shots = await shoot(`baseURL: ${site.url}\ndefaults: { fullSize: true, height: 500 }\npages: [/]\n`);
  const { image } = shots.capture('index');
  expect(image.size.height).toBe(1090);
  const { count } = await look(image);
  expect([count('#00ff00'), count('#0000ff')]).toEqual([1280 * 1000, 1280 * 45]);
});

test('observers that are called in one frame are called in the order in which they were created', async ({
  serve,
  shoot,
}) => {
  const site = await serve(() => STEPS);
  const names = ['a', 'b', 'c', 'd'];
  const pages = names.map((name) => `{ name: ${name}, url: / }`).join(', ');
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { width: 300, height: 400, fullSize: true }\npages: [${pages}]\n`,
  );
  for (const name of names) expect((await look(shots.capture(name).image)).at(10, 10), name).toBe('#0055ff');
});

test('a capture starts no animation that depends on the window size', async ({ serve, shoot }) => {
  const seen: string[] = [];
  const site = await serve(({ url }) => {
    if (url.pathname === '/seen') seen.push(url.search);
    return html(`<style>body { margin: 0 } @keyframes turn { to { background: #00f } }
      #box { width: 100px; height: 100px; background: #f00; transition: background 1s }
      @media (min-height: 301px) { #box { background: #00f; animation: turn 1s forwards } }</style>
      <div id="box"></div><div style="height: 2000px"></div>
      <script>for (const event of ['animationstart', 'transitionrun']) addEventListener(event, () => fetch('/seen?' + event))</script>`);
  });
  const list = `baseURL: ${site.url}\npages: [{ name: tall, url: /, fullSize: true, width: 400, height: 300 }]\n`;
  const picture = await look((await shoot(list)).capture('tall').image);
  expect([picture.count('#ff0000'), picture.count('#0000ff'), seen]).toEqual([10_000, 0, []]);
});
