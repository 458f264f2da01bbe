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
    html(
      { '/shell': SHELL, '/wide': WIDE, '/drawn': DRAWN }[url.pathname] ?? PANEL,
      '<style>body { margin: 0 }</style>',
    ),
  );
  const list = `baseURL: ${site.url}
defaults: { fullSize: true, strict: false, height: 500 }
pages:
  - { name: found, url: /shell }
  - { name: none, url: /shell, expand: false }
  - { name: panel, url: /panel }
  - { name: named, url: /wide, expand: ["#wide", .absent] }
  - { name: drawn, url: /drawn, expand: "#list" }
`;
  const shots = await shoot(list);
  const heightOf = (id: string) => shots.capture(id).image.size.height;
  expect(['found', 'none', 'panel'].map(heightOf)).toEqual([1200, 500, 600]);
  for (const id of ['found', 'none', 'panel']) expect(shots.warnings(id), id).toEqual([]);
  expect(shots.warnings('named')).toEqual(['expand-no-match: `expand`: no element matches ".absent"']);
  expect(shots.warnings('drawn')).toEqual([
    'content-hidden: the last 300 px of the area div#list are empty: a script may draw what is in view only',
  ]);
});

const DRAWN = `<div id="list" style="height: 200px; overflow: auto"><div style="height: 900px">${ROWS}</div></div>`;
const WIDE = '<div id="wide" style="width: 300px; overflow: auto"><p style="width: 900px">wide</p></div>';
const queried = (
  listen: string,
) => `<div id="hero" style="height: 100px">Hero</div><div style="height: 1500px"></div><script>
  const low = matchMedia('(max-height: 900px)');
  const show = () => { hero.style.height = low.matches ? '100px' : '700px'; };
  ${listen};</script>`;

const PAGES: Record<string, string> = {
  frame: '<iframe src="/rows" style="display: block; border: 0; height: 100px"></iframe>',
  rows: ROWS,
  sideways: WIDE,
  beside: `${WIDE}<b style="position: absolute; left: 400px; top: 20px">beside</b>`,
  slides: `<div style="display: flex; width: 400px; overflow-x: auto">${'<p style="flex: 0 0 80%; height: 100px">slide</p>'.repeat(6)}</div>`,
  // Without an area, content may leave the box around it. `content-visibility` cuts it off.
  contained: `<section style="content-visibility: auto; width: 300px"><div style="overflow-x: auto">
  <p style="width: 1700px; height: 60px"><b style="float: right; background: #00ff00">end</b></p></div></section>`,
  shelf: `<ul style="display: grid; grid-auto-flow: column; grid-auto-columns: calc((100% - 20px) / 3); gap: 10px; width: 400px; overflow-x: auto; padding: 0">
  ${'<li style="height: 60px">Lamp</li>'.repeat(11)}<li style="background: #00ff00">Last</li></ul>`,
  recycled: `<div id="list" style="height: 200px; overflow: auto"><div id="all" style="height: 2000px; position: relative"></div></div><script>
  const show = () => {
    const first = Math.floor(list.scrollTop / 40);
    all.innerHTML = Array.from({ length: 6 }, (_, at) => '<b style="position: absolute; background: #f00; width: 100px; height: 40px; top: ' + (first + at) * 40 + 'px"></b>').join('');
  };
  list.addEventListener('scroll', show); show();</script>`,
  'on-change': queried('low.onchange = show'),
  'add-listener': queried('low.addListener(show)'),
  closed: `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '${PANEL}'</script>`,
  wheeled: `<style>html, body { height: 100%; overflow: hidden }</style>${ROWS}${ROWS}<script>addEventListener('wheel', () => {})</script>`,
  pinned: `<b id="bar" style="position: fixed; top: 0" hidden>Read on</b><p>Story</p><div style="height: 1500px"></div><script>
  addEventListener('scroll', () => { bar.hidden = scrollY < 400; })</script>`,
  dark: `<header style="position: sticky; top: 0">Top</header><div style="height: 1500px"></div><script>
  const header = document.querySelector('header');
  addEventListener('scroll', () => { header.style.background = scrollY < 400 ? '' : 'black'; })</script>`,
  undrawn: `<div id="list" style="height: 200px; overflow: auto"><div style="height: 2000px">${ROWS.slice(0, 400)}</p></div></div>`,
  resized: `<section>Hero</section><div style="height: 1500px"></div><script>
  onresize = () => { document.querySelector('section').style.height = innerHeight - 50 + 'px'; };
  onresize();</script>`,
  growing: `<div style="height: 1500px"></div><p style="margin: 0">Loading</p><script>
  new IntersectionObserver(([{ isIntersecting, target }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    setTimeout(() => { target.style.height = '700px'; }, 3000);
  }).observe(document.querySelector('p'))</script>`,
  scrolled: `<div id="box" style="height: 200px; overflow: hidden">${ROWS}</div><script>
  box.addEventListener('scroll', () => {})</script>`,
  map: `<div id="map" style="position: relative; height: 200px; overflow: hidden"><b style="position: absolute; height: 900px">Map</b>
  </div><script>map.addEventListener('scroll', () => {})</script>`,
  noticed: `<p id="notice">More below</p>${PANEL}<script>
  new ResizeObserver(() => { notice.style.visibility = panel.clientHeight > 300 ? 'hidden' : ''; }).observe(panel)</script>`,
  loading: `<style>html, body { height: 100%; overflow: hidden } main { height: 100%; overflow: auto }</style><main>${ROWS}</main><script>
  const main = document.querySelector('main');
  main.addEventListener('scroll', () => { if (main.scrollTop > 50) main.style.paddingBottom = '400px'; })</script>`,
  grid: `<style>html, body { height: 100%; overflow: hidden } body { display: grid; grid-template-rows: minmax(0, 1fr) 100px 50px }</style>
  <main style="overflow: auto">${ROWS}</main><div style="overflow: auto">${ROWS}</div><footer style="background: #0f0">End</footer>`,
  bar: `<div id="box" style="position: relative; height: 200px; overflow: hidden"><div id="lines"></div>
  <div style="position: absolute; right: 0; top: 0; bottom: 0; width: 16px; overflow-y: scroll"><div style="height: 800px"></div></div></div><script>
  new ResizeObserver(() => { lines.innerHTML = '<p style="margin: 0; height: 20px">line</p>'.repeat(box.clientHeight / 20); }).observe(box)</script>`,
  reset: `<div id="box" style="height: 200px; overflow: hidden"><div id="panel" style="height: 100%; overflow: auto">${ROWS}</div></div><script>
  new ResizeObserver(() => setTimeout(() => { box.style.cssText = 'height: 200px; overflow: hidden'; }, 500)).observe(panel)</script>`,
  terminal: `<pre id="log" style="height: 200px">line 9</pre><script>
  let line = 9;
  log.addEventListener('wheel', ({ deltaY }) => { line = Math.min(9, line + Math.sign(deltaY)); log.textContent = 'line ' + line; })</script>`,
  film: `<p>Film</p><div style="height: 1800px"><canvas style="position: sticky; top: 0"></canvas></div><script>
  const paper = document.querySelector('canvas').getContext('2d');
  addEventListener('scroll', () => { paper.clearRect(0, 0, 300, 150); paper.fillRect(0, 0, scrollY / 20, 50); })</script>`,
  line: `<p>Up</p><div style="height: 1200px"></div><p id="late" style="height: 50px">Late</p><div style="height: 600px"></div><script>
  const line = new IntersectionObserver(([one]) => { if (one.isIntersecting) late.style.background = '#00ff00'; }, { rootMargin: '-50% 0% -49% 0%' });
  line.observe(late)</script>`,
  large:
    '<section style="content-visibility: auto; contain-intrinsic-size: auto 100px"><div style="height: 2100px">Part</div></section>'.repeat(
      10,
    ),
  covered: `<b style="position: fixed; top: 0; left: 0; width: 300px; height: 30px; background: gray">Top</b><p>Menu</p>
  <p style="margin: 280px 0 2000px">Opening hours</p><footer>Imprint</footer><div id="note" style="position: fixed; top: 300px; width: 400px; height: 150px; background: white">News</div>
  <div style="position: fixed; bottom: 0; width: 400px; height: 90px; background: gray">Basket</div>`,
  split: `<div id="shell" style="position: relative; height: 300px"><div id="upper" style="position: absolute; width: 100%; overflow: hidden">
  <div id="rows" style="height: 100%; overflow: auto">${ROWS}</div></div><div id="lower" style="position: absolute; width: 100%; background: white">Preview</div></div><script>
  const lay = () => { for (const pane of [upper, lower]) pane.style.height = shell.clientHeight / 2 + 'px'; lower.style.top = upper.style.height; };
  new ResizeObserver(lay).observe(shell); lay();</script>`,
  synced: `<div id="names" style="float: left; width: 100px; height: 200px; overflow: auto">${ROWS}</div>
  <div style="position: relative; height: 200px; overflow: hidden"><div id="bars" style="position: absolute; top: 0">${ROWS}</div></div><script>
  names.addEventListener('scroll', () => { bars.style.top = -names.scrollTop + 'px'; })</script>`,
  feed: `<div id="items">${ROWS}${ROWS}</div><script>
  const seen = innerHeight;
  let pages = 1;
  addEventListener('scroll', () => {
    if (pages === 3 || seen + scrollY < document.documentElement.scrollHeight - 50) return;
    pages += 1;
    setTimeout(() => items.insertAdjacentHTML('beforeend', items.innerHTML), 200);
  })</script>`,
  later: `<div id="items">${ROWS}${ROWS}</div><script>
  let wasTall = false;
  let isLong = false;
  addEventListener('resize', () => { wasTall ||= innerHeight > 1000; });
  addEventListener('scroll', () => {
    if (isLong || !wasTall || innerHeight > 1000 || scrollY < 300) return;
    isLong = true;
    items.insertAdjacentHTML('beforeend', items.innerHTML);
  })</script>`,
  jump: `<a hidden>Back to top</a><ul><li>One</li><li>Two</li></ul><div id="area" style="height: 200px; overflow: auto">${ROWS}</div><script>
  let second = 0;
  setInterval(() => { document.querySelectorAll('li')[1].textContent = ++second; }, 300);
  area.addEventListener('scroll', () => { document.querySelector('a').hidden = area.scrollTop < 100; })</script>`,
  caption: `<p style="margin-bottom: 600px">Hall</p><div id="rail" style="display: flex; width: 300px; overflow: auto; scroll-snap-type: x mandatory">
  ${['Hall', 'Tower', 'Garden'].map((name) => `<div title="${name}" style="flex: 0 0 300px; height: 50px; scroll-snap-align: start">Picture</div>`).join('')}</div><script>
  rail.addEventListener('scrollsnapchange', ({ snapTargetInline }) => { document.querySelector('p').textContent = snapTargetInline.title; })</script>`,
};

/** The heights of the images of pages that grow. */
const HEIGHTS = {
  ...{ frame: 600, recycled: 2000, 'on-change': 1600, 'add-listener': 1600, closed: 600, resized: 1950, growing: 2200 },
  ...{ scrolled: 600, map: 500, feed: 4800, loading: 1000, grid: 1250, bar: 800, large: 21_000 },
};

const scrolled = (area: string, pixels: number) =>
  `content-hidden: the area ${area} scrolls, and ${pixels} px of its content are not in the image`;
const other = (what: string, when = 'the page is scrolled') =>
  `content-missing: ${what} when ${when}, and the image shows another state of it`;

/** What is said of what the image of a page does not show. Of all other pages, nothing is. */
const WARNINGS: Record<string, string[]> = {
  beside: [scrolled('div#wide', 600)],
  wheeled: [scrolled('body', 700)],
  pinned: [other('b#bar shows "Read on"')],
  dark: [other('header looks different')],
  undrawn: [scrolled('div#list', 1800)],
  noticed: [scrolled('div#panel', 400)],
  reset: [scrolled('div#panel', 400)],
  terminal: [
    'content-hidden: the area pre#log shows another text when the mouse wheel is turned over it: that is not in the image',
  ],
  film: [other('canvas looks different')],
  later: ['content-missing: the page becomes 1200 px longer when it is scrolled to 1000 px'],
  split: [scrolled('div#rows', 300)],
  synced: [other('div#bars looks different', 'the area div#names is scrolled')],
  covered: ['content-missing: div#note covers p, which is seen when the page is scrolled, and is not in the image'],
  jump: [other('a shows "Back to top"', 'the area div#area is scrolled')],
  caption: ['Tower', 'Garden'].map((name) => other(`p shows "${name}"`, 'the area div#rail is scrolled')),
  'beside-frame': ['content-hidden: the frame iframe of another site lies beside the window: it is not drawn'],
};

test('a frame that scrolls is shown in full, and what an image cannot show is named', async ({ serve, shoot }) => {
  const pages = { ...PAGES };
  const site = await serve(({ url }) => html(pages[url.pathname.slice(1)] ?? '', '<style>body { margin: 0 }</style>'));
  pages['beside-frame'] = `<div style="display: flex; overflow: auto"><p style="flex: 0 0 1400px">Videos</p>
    <iframe src="${site.url.replace('127.0.0.1', 'localhost')}/rows" style="flex: none; width: 300px; height: 600px"></iframe></div>`;
  const names = Object.keys(pages).filter((name) => name !== 'rows');
  const list = names.map((name) => `  - { name: ${name}, url: /${name} }\n`).join('');
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { fullSize: true, strict: false, height: 500, timeout: 90 }\npages:\n${list}`,
  );
  for (const name of names) expect(shots.warnings(name), name).toEqual(WARNINGS[name] ?? []);
  for (const [name, height] of Object.entries(HEIGHTS))
    expect(shots.capture(name).image.size.height, name).toBe(height);
  const widthOf = (name: string) => shots.capture(name).image.size.width;
  expect(['slides', 'contained', 'shelf'].map(widthOf)).toEqual([1920, 1700, 1630]);
  for (const name of ['contained', 'shelf'])
    expect((await look(shots.capture(name).image)).count('#00ff00'), name).toBeGreaterThan(0);
  expect((await look(shots.capture('recycled').image)).count('#ff0000')).toBe(100 * 2000);
  expect((await look(shots.capture('line').image)).count('#00ff00')).toBeGreaterThan(0);
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
  expect(shots.warnings('slow')).toEqual([
    expect.stringMatching(
      /^content-missing: what is below \d+ px is not compared with what a visitor sees: the page is too slow or too tall$/,
    ),
  ]);
  expect(shots.warnings('refusing')).toEqual([
    'content-missing: the image is not compared with what a visitor sees: no scrolling',
  ]);
});

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

// Each step has an observer of its own, and all of them come into view when the window grows. Chromium calls them in a random order.
const STEPS =
  html(`<style>p { height: 600px } #last { position: absolute; top: 0; left: 0; width: 50px; height: 50px }</style>
  <div id="last"></div>${'<p>step</p>'.repeat(6)}<script>
    document.querySelectorAll('p').forEach((step, index) => {
      const show = (entries) => { if (entries[0].isIntersecting) last.style.background = '#00' + index + index + 'ff'; };
      new IntersectionObserver(show, { threshold: 0.5 }).observe(step);
    });
  </script>`);

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

test('a frame that tells the page its height, one that is a flexible item, frames beside each other, and a chat that loads what is older at its top', async ({
  serve,
  shoot,
}) => {
  const tells = `<form id="f"></form><script>setTimeout(() => {
    f.innerHTML = '<div style="height: 400px"></div>';
    new ResizeObserver(() => parent.postMessage(document.body.offsetHeight, '*')).observe(document.body);
  }, 600)</script>`;
  const shell =
    '<style>html, body { height: 100%; overflow: hidden } main { display: flex; flex-direction: column; height: 100vh }</style>';
  const messages = (from: number) =>
    Array.from(
      { length: 20 },
      (_, at) => `<p style="height: 60px; background: ${from + at === 99 ? '#f00' : '#fff'}">${from + at}</p>`,
    );
  const site = await serve(({ url }) => {
    const bodies: Record<string, string> = {
      '/tells': `<div style="height: 900px">Order</div><iframe id="pay" scrolling="no" src="${url.origin.replace('127.0.0.1', 'localhost')}/frame" style="height: 150px"></iframe>
        <p style="height: 40px"></p><script>addEventListener('message', ({ data }) => { pay.style.height = data + 'px' })</script>`,
      '/frame': tells,
      '/mail': `${shell}<main><p style="flex: none; height: 100px">Mail</p><iframe style="flex: 1; min-height: 0" srcdoc="<div style='height: 900px'></div>"></iframe></main>`,
      '/chat': `${shell}<main><div id="log" style="flex: 1; overflow: auto">${messages(80).join('')}</div></main><script>
        let from = 80; log.scrollTop = log.scrollHeight;
        log.addEventListener('scroll', async () => { if (log.scrollTop > 60 || !from) return; const height = log.scrollHeight; from -= 20;
          log.insertAdjacentHTML('afterbegin', await (await fetch('/older?' + from)).text()); log.scrollTop += log.scrollHeight - height; });</script>`,
      '/strip': `<div style="display: flex; overflow-x: auto; width: 800px">${'<iframe src="/chart" style="flex: none; width: 600px; height: 200px"></iframe>'.repeat(4)}</div>`,
      '/chart': `<p id="bar" style="height: 100px">no data</p><script>new IntersectionObserver(([one]) => { if (one.isIntersecting) bar.style.background = '#00f'; }).observe(bar)</script>`,
      '/older': messages(Number(url.search.slice(1))).join(''),
    };
    return html(
      bodies[url.pathname] ?? '',
      '<style>body, p { margin: 0 } iframe { display: block; border: 0 }</style>',
    );
  });
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { fullSize: true, height: 720, strict: false }\npages: [/tells, /mail, /chat, /strip]\n`,
  );
  expect(['tells', 'mail', 'chat'].map((id) => shots.capture(id).image.size.height)).toEqual([1340, 1016, 720]);
  expect((await look(shots.capture('strip').image)).count('#0000ff'), 'all four frames').toBeGreaterThan(4 * 50_000);
  expect((await look(shots.capture('chat').image)).count('#ff0000'), 'the last message is in view').toBeGreaterThan(
    60_000,
  );
});

test('what a header that becomes smaller moves up is not filled in', async ({ serve, shoot }) => {
  const rows = Array.from(
    { length: 30 },
    () => '<p style="height: 24px; width: 200px; background: #f00; margin: 120px 0 0">row</p>',
  ).join('');
  const site = await serve(() =>
    html(
      `<header style="position: sticky; top: 0; height: 100px">Trees</header>${rows}<script>
        addEventListener('scroll', () => { document.querySelector('header').style.height = scrollY > 40 ? '40px' : '100px'; })</script>`,
      '<style>body { margin: 0 }</style>',
    ),
  );
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { fullSize: true, height: 720, strict: false }\npages: [/]\n`,
  );
  const { count } = await look(shots.capture('index').image);
  expect(count('#ff0000')).toBeLessThanOrEqual(30 * 24 * 200);
});
