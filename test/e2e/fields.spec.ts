import { readFileSync } from 'node:fs';
import { decodeImage } from '../../src/image/decode.js';
import type { Exclusion } from '../../src/model/environment.js';
import type { Rectangle } from '../../src/model/image.js';
import { look, startServer, test } from './direct.js';
import { config, expect, html, SPEC, test as withProject } from './project.js';

const MASKED = '#ff00ff';
/** The color of everything that is to be masked, hidden or removed. */
const LIME = '#00ff00';

const STYLE = `<style>
  html, body { margin: 0; background: #fff }
  .m { position: absolute; background: ${LIME} }
  .at { position: absolute; box-sizing: content-box }
  iframe { position: absolute; border: 3px solid #333; padding: 4px; box-sizing: content-box }
</style>`;

function rectanglesOf(exclusions: readonly Exclusion[]): Rectangle[] {
  return exclusions.flatMap(({ rectangles }) => rectangles);
}

function box(x: number, y: number, width: number, height: number, more = 'class="m"', inner = ''): string {
  const style = `position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px;`;
  return `<div ${more.includes('style="') ? more.replace('style="', `style="${style}`) : `${more} style="${style}"`}>${inner}</div>`;
}

/** A page with something to mask in every kind of place; every place is told with what can be seen of it. */
function maskedPage(port: number): string {
  const frame = (x: number, y: number, src: string, more = '') =>
    `<iframe style="left: ${x}px; top: ${y}px; width: 200px; height: 150px; ${more}" src="${src}"></iframe>`;
  const other = `http://127.0.0.1:${port}/in-frame`;
  return html(
    [
      box(0, 0, 10, 6000, ''),
      ...Array.from({ length: 40 }, (_, index) => box(20, 1000 + index * 100, 60, 40)),
      frame(200, 1000, '/in-frame'),
      frame(200, 1300, other),
      frame(200, 1600, '/outer-frame'),
      frame(200, 1900, '/in-frame', 'visibility: hidden'),
      frame(200, 2200, '/in-frame', 'display: none'),
      // Only the left half of this frame can be seen.
      box(200, 2500, 110, 400, 'class="at" style="overflow: hidden"', frame(0, 0, '/in-frame')),
      frame(200, 2800, '/in-frame', 'transform: scale(0.5); transform-origin: 0 0'),
      '<div id="host" style="position: absolute; left: 450px; top: 1000px"></div>',
      box(
        450,
        1200,
        100,
        100,
        'class="at" id="scroller" style="overflow: auto"',
        box(0, 0, 50, 80) + box(0, 400, 50, 80),
      ),
      // What is placed by something outside is not clipped by what it lies in.
      `<div style="overflow: hidden; width: 10px; height: 10px">${box(450, 1400, 50, 50)}</div>`,
      box(450, 1500, 30, 30, 'class="m" style="display: none;"'),
      box(450, 1600, 30, 30, 'class="m" style="visibility: hidden;"'),
      box(450, 1700, 0, 0, 'class="m"'),
      box(450.4, 1800.6, 30.3, 30.3),
      box(450, 1900, 60, 60, 'class="m" style="transform: scale(0.5);"'),
      `<div class="m" style="position: fixed; right: 20px; bottom: 70px; width: 40px; height: 30px"></div>`,
      `<script>
        host.attachShadow({ mode: 'open' }).innerHTML = '<div class="m" style="width: 40px; height: 40px; background: ${LIME}"></div>';
        scroller.scrollTop = 50;
      </script>`,
    ].join('\n'),
    STYLE,
  );
}

const FRAMES: Record<string, string> = {
  '/in-frame': html(box(20, 30, 50, 40) + box(180, 130, 100, 100), STYLE),
  '/outer-frame': html(
    `<iframe style="left: 10px; top: 10px; width: 100px; height: 100px; border: 0; padding: 0" src="/in-frame"></iframe>`,
    STYLE,
  ),
};

/** What can be seen of all that is masked on that page, from the top left corner of its document. */
const SEEN: readonly Rectangle[] = [
  ...Array.from({ length: 40 }, (_, index) => ({ x: 20, y: 1000 + index * 100, width: 60, height: 40 })),
  ...[1000, 1300].flatMap((top) => [
    { x: 227, y: top + 37, width: 50, height: 40 },
    { x: 387, y: top + 137, width: 20, height: 20 },
  ]),
  { x: 237, y: 1647, width: 50, height: 40 },
  { x: 227, y: 2537, width: 50, height: 40 },
  { x: 213, y: 2818, width: 26, height: 21 },
  { x: 293, y: 2868, width: 11, height: 11 },
  { x: 450, y: 1000, width: 40, height: 40 },
  { x: 450, y: 1200, width: 50, height: 30 },
  { x: 450, y: 1400, width: 50, height: 50 },
  { x: 450, y: 1800, width: 31, height: 31 },
  { x: 465, y: 1915, width: 30, height: 30 },
  { x: 740, y: 500, width: 40, height: 30 },
];

test('a mask covers what can be seen of a match, wherever it is, and nothing else', async ({ serve, shoot }) => {
  const other = await serve(({ url }) => FRAMES[url.pathname] ?? { status: 404 });
  const site = await serve(({ url }) => FRAMES[url.pathname] ?? maskedPage(other.port));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { mask: .m, width: 800, height: 600, fullSize: true }
pages: [{ name: full, url: / }]
`);
  const capture = shots.capture('full');
  const picture = await look(capture.image);
  expect(sorted(rectanglesOf(capture.masks))).toEqual(sorted(SEEN));
  expect(picture.boxOf(LIME), 'nothing of it is to be seen').toBeNull();
  expect(picture.count(MASKED), 'and nothing else is covered').toBe(areaOf(SEEN));
  expect(capture.warnings).toEqual([]);
});

test('a mask lies where it is painted, in every kind of image', async ({ serve, shoot }) => {
  const site = await serve(({ url }) =>
    html(
      `${box(0, 0, 10, 2000, '')}${box(30.5, 950.25, 99.3, 40)}
      <div id="card" style="position: absolute; left: 20.3px; top: 900.6px; width: 300px; height: 200px; background: #ddd">${box(50, 100, 60, 20)}</div>`,
      // Without it, a phone shows the page in a window of 980 px, smaller than it is.
      STYLE + (url.pathname === '/wide' ? '' : '<meta name="viewport" content="width=device-width">'),
    ),
  );
  const shots = await shoot(`baseURL: ${site.url}
viewports: { plain: { width: 800, height: 600 }, double: { device: Desktop Chrome HiDPI }, triple: { device: iPhone 15 }, odd: { device: Pixel 7 } }
defaults: { mask: .m }
pages:
  - { name: full, url: /, fullSize: true }
  - { name: full-dense, url: /, fullSize: true, scale: device }
  - { name: scrolled, url: /, actions: [scrollTo: 850] }
  - { name: scrolled-dense, url: /, actions: [scrollTo: 850], scale: device }
  - { name: card, url: /, element: "#card" }
  - { name: card-dense, url: /, element: "#card", scale: device }
  - { name: wide, url: /wide, viewports: [triple, odd], actions: [scrollTo: 850] }
  - { name: wide-dense, url: /wide, viewports: [triple, odd], actions: [scrollTo: 850], scale: device }
`);
  for (const page of ['full', 'full-dense', 'scrolled', 'scrolled-dense', 'card', 'card-dense']) {
    for (const viewport of ['plain', 'double', 'triple', 'odd']) {
      const id = `${page}/${viewport}`;
      const { image, ...capture } = shots.capture(id);
      const masks = rectanglesOf(capture.masks);
      const picture = await look(image);
      expect(masks, id).toHaveLength(2);
      expect(picture.boxOf(LIME), id).toBeNull();
      // On a screen of 2.625, the edge of a box may lie within a pixel, which is a mixture then.
      const count = picture.count(MASKED);
      if (viewport !== 'odd') expect(count, id).toBe(areaOf(masks));
      else expect(count / areaOf(masks), id).toBeGreaterThan(0.9);
    }
  }
  for (const id of ['wide/triple', 'wide/odd', 'wide-dense/triple', 'wide-dense/odd']) {
    const { image, ...capture } = shots.capture(id);
    const masks = rectanglesOf(capture.masks);
    const painted = (await look(image)).boxOf(MASKED);
    // The edge of a box lies within a pixel here, which is a mixture then: it is masked, too.
    expect(distance(roundAll(masks), painted), id).toBeLessThanOrEqual(2);
  }
});

test('`hide` and `remove` reach into frames and shadow roots', async ({ serve, shoot }) => {
  const other = await serve(({ url }) => FRAMES[url.pathname] ?? { status: 404 });
  const site = await serve(({ url }) => FRAMES[url.pathname] ?? maskedPage(other.port));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 800, height: 600, fullSize: true }
pages:
  - { name: plain, url: / }
  - { name: hidden, url: /, hide: .m }
  - { name: removed, url: /, remove: "#absent, .m" }
`);
  expect((await look(shots.capture('plain').image)).count(LIME)).toBeGreaterThan(0.95 * areaOf(SEEN));
  for (const id of ['hidden', 'removed']) {
    expect((await look(shots.capture(id).image)).boxOf(LIME), id).toBeNull();
    expect(shots.capture(id).masks).toEqual([]);
  }
  expect(shots.capture('removed').warnings).toEqual([
    { code: 'remove-no-match', message: '`remove`: #absent matches nothing on the page' },
  ]);
});

test('`hide` keeps the place of what it hides, `remove` does not', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      `<div class="m" style="position: static; height: 50px"></div><p style="background: #00f; margin: 0">Blue</p>`,
      STYLE,
    ),
  );
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages: [{ name: hidden, url: /, hide: .m }, { name: removed, url: /, remove: .m }]
`);
  expect((await look(shots.capture('hidden').image)).boxOf('#0000ff')?.y).toBe(50);
  expect((await look(shots.capture('removed').image)).boxOf('#0000ff')?.y).toBe(0);
});

test('an element between two pixels has the same size every time', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      `<div id="card" style="position: absolute; left: 288.33px; top: 381.38px; width: 198.3px; height: 114px; background: #36c; color: #fff">Card</div>`,
    ),
  );
  const formats = ['png', 'png', 'png', 'png', 'png', 'png', 'png', 'jpeg', 'jpg', 'webp'];
  const pages = formats.map(
    (format, index) => `  - { name: "${index}", url: /, element: "#card", format: ${format} }\n`,
  );
  const shots = await shoot(`baseURL: ${site.url}\npages:\n${pages.join('')}`);
  const sizes = formats.map((_, index) => shots.capture(`${index}`).image.size);
  expect(sizes).toEqual(formats.map(() => ({ width: 199, height: 115 })));
  const [first] = formats.map((_, index) => shots.capture(`${index}`).image.bytes);
  for (let index = 1; index < 7; index++)
    expect(shots.capture(`${index}`).image.bytes.equals(first ?? Buffer.alloc(0))).toBe(true);
});

test('`waitFor` waits for an element, a text and a response, and says what did not come', async ({ serve, shoot }) => {
  const late = (script: string, afterMs = 3500) =>
    `<p>Early</p><script>setTimeout(() => { ${script} }, ${afterMs})</script>`;
  const site = await serve(({ url }) => {
    switch (url.pathname) {
      case '/element':
        return html(late(`document.body.innerHTML += '<b id="late" style="background: #f00">Late</b>'`));
      case '/minutes-later':
        return html(late(`document.body.innerHTML += '<b style="background: #f00">Late</b>'`, 600_000));
      case '/text':
        return html(late(`document.body.innerHTML += '<b style="background: #f00">It is LATE now</b>'`));
      case '/response':
        return html(late(`fetch('/api/items?page=1').then(() => { document.body.style.background = '#f00' })`));
      case '/early':
        return html(
          `<p>Early</p><script>fetch('/api/items?page=1').then(() => { document.body.style.background = '#f00' })</script>`,
        );
      case '/api/items':
        return { body: '[]', headers: { 'content-type': 'application/json' } };
      default:
        return html('<p>Early</p><p id="unseen" hidden>Late</p>');
    }
  });
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: element, url: /element, waitFor: "#late" }
  - { name: text, url: /text, waitFor: { text: is late } }
  - { name: response, url: /response, waitFor: [p, { response: "**/api/items*" }] }
  - { name: early, url: /early, waitFor: { response: "**/api/items*" } }
  - { name: not-waited, url: /minutes-later }
  - { name: no-element, url: /, waitFor: "#unseen", timeout: 8 }
  - { name: no-text, url: /, waitFor: { text: Sold out }, timeout: 8 }
  - { name: no-response, url: /, waitFor: { response: "**/api/*" }, timeout: 8 }
  - { name: no-selector, url: /, waitFor: "p:::x" }
`);
  for (const id of ['element', 'text', 'response', 'early'])
    expect((await look(shots.capture(id).image)).count('#ff0000'), id).toBeGreaterThan(100);
  expect((await look(shots.capture('not-waited').image)).count('#ff0000')).toBe(0);
  expect(shots.error('no-element')).toContain('#unseen did not come in time');
  expect(shots.error('no-text')).toContain('the text "Sold out" did not come in time');
  expect(shots.error('no-response')).toContain('a response of **/api/*');
  expect(shots.error('no-selector')).toContain('p:::x cannot be waited for');
});

/** Everything that is done to this page gives it a square of a color of its own. */
const ACTED = `<style>i { display: block; width: 20px; height: 20px } #far { margin-top: 3000px } :focus { outline: none }
  #hover:hover { background: #0000f1 }</style>
  <button id="click">Click</button><p id="hover">Hover</p><input id="fill"><input id="press"><p id="far">Far</p><div id="marks" style="position: fixed; left: 0; bottom: 0"></div>
  <script>
    const mark = (color) => { marks.innerHTML += '<i style="background: ' + color + '"></i>' };
    click.onclick = () => mark('#0000f2');
    fill.oninput = () => { if (fill.value === 'filled in') mark('#0000f3') };
    press.onkeydown = (event) => { if (event.key === 'Enter' && event.target === press) mark('#0000f4') };
    onkeydown = (event) => { if (event.key === 'b') mark('#0000f5') };
    onscroll = () => { if (scrollY > 2000 && !marks.dataset.far) { marks.dataset.far = 1; mark('#0000f6') } };
    setTimeout(() => { document.body.dataset.ready = 1 }, 600);
  </script>`;

test('`actions` are done in their order, as a visitor does them', async ({ serve, shoot }) => {
  const site = await serve(() => html(ACTED));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 400 }
pages:
  - { name: none, url: / }
  - name: all
    url: /
    actions:
      - wait: body[data-ready]
      - click: "#click"
      - fill: { selector: "#fill", value: filled in }
      - press: { key: Enter, selector: "#press" }
      - press: b
      - scrollTo: "#far"
      - wait: 0.1
      - scrollTo: 0
      - hover: "#hover"
`);
  const [none, all] = [await look(shots.capture('none').image), await look(shots.capture('all').image)];
  for (const color of ['#0000f1', '#0000f2', '#0000f3', '#0000f4', '#0000f5', '#0000f6']) {
    expect(all.count(color), color).toBeGreaterThanOrEqual(400);
    expect(none.count(color), color).toBe(0);
  }
});

/** Fields, what is filled into each, and what it has then. */
const FIELDS: Record<string, { tag: string; value: string; taken?: string }> = {
  text: { tag: '<input value="old">', value: 'new "text"' },
  masked: { tag: '<input maxlength="3">', value: 'abcdef', taken: 'abc' },
  empty: { tag: '<input value="old">', value: '' },
  word: { tag: '<input type="password">', value: 'word' },
  number: { tag: '<input type="number" value="1">', value: '42.5' },
  date: { tag: '<input type="date">', value: '2024-05-01' },
  color: { tag: '<input type="color">', value: '#12ab34' },
  range: { tag: '<input type="range" max="10">', value: '7' },
  area: { tag: '<textarea>old</textarea>', value: 'two\\nlines', taken: 'two\nlines' },
  editable: { tag: '<div contenteditable>old <b>text</b></div>', value: 'new' },
};

test('`fill` fills every kind of field, as a framework sees it too', async ({ serve, shoot }) => {
  const seen = new Map<string, unknown>();
  const site = await serve(({ url }) => {
    const name = url.pathname.slice(1);
    if (url.search) {
      seen.set(name, JSON.parse(url.searchParams.get('seen') ?? ''));
      return { status: 204 };
    }
    // As React does it: it keeps the last value that was set by script, and takes an event with that one for none.
    return html(`<form>${FIELDS[name]?.tag}</form><script>
      const field = document.querySelector('form').firstChild;
      const own = Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value');
      let tracked = own?.get.call(field);
      if (own) Object.defineProperty(field, 'value', { get: () => own.get.call(field), set: (value) => { tracked = value; own.set.call(field, value) } });
      let changes = 0;
      field.addEventListener('input', () => {
        const value = own ? own.get.call(field) : field.textContent;
        if (value !== tracked) changes++;
        tracked = value;
        setTimeout(() => fetch('?seen=' + encodeURIComponent(JSON.stringify({ value, heard: changes > 0 }))), 50);
      });
    </script>`);
  });
  const pages = Object.entries(FIELDS).map(
    ([name, { value }]) =>
      `  - { name: ${name}, url: /${name}, actions: [{ fill: { selector: "form > *", value: "${value.replaceAll('"', '\\"')}" } }] }\n`,
  );
  const shots = await shoot(`baseURL: ${site.url}\npages:\n${pages.join('')}`);
  for (const [name, { value, taken }] of Object.entries(FIELDS)) {
    expect(shots.capture(name).warnings, name).toEqual([]);
    expect(seen.get(name), name).toEqual({ value: taken ?? value, heard: true });
  }
});

test('an action may lead to another page; where it has to lead, `finalUrl` says', async ({ serve, shoot }) => {
  const site = await serve(({ url }) => {
    switch (url.pathname) {
      case '/next':
        return html('<h1 id="next" style="background: #f00">Next</h1>');
      case '/slow':
        return { afterMs: 700, body: html('<h1 id="next" style="background: #f00">Next</h1>') };
      case '/gone':
        return { status: 404, body: html('<h1>Gone</h1>') };
      default:
        return html(
          `<h1>First</h1><a href="/next">next</a> <b onclick="location = '/slow'">slow</b> <u onclick="setTimeout(() => { location = '/next' }, 300)">later</u> <i onclick="location = '/gone'">gone</i>`,
        );
    }
  });
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: next, url: /, actions: [click: a] }
  - { name: slow, url: /, actions: [click: b] }
  - { name: later, url: /, actions: [click: u, wait: "#next"] }
  - { name: expected, url: /, finalUrl: /next, actions: [click: a] }
  - { name: slow-expected, url: /, finalUrl: /slow, actions: [click: b] }
  - { name: unexpected, url: /, finalUrl: /other, actions: [click: a] }
  - { name: gone, url: /, actions: [click: i] }
  - { name: gone-expected, url: /, httpStatus: 404, actions: [click: i] }
`);
  for (const id of ['next', 'slow', 'later', 'expected', 'slow-expected'])
    expect((await look(shots.capture(id).image)).count('#ff0000'), id).toBeGreaterThan(1000);
  expect(shots.error('unexpected')).toContain(`the page ended at ${site.url}/next, expected ${site.url}/other`);
  expect(shots.error('gone')).toContain('it answered 404');
  expect(shots.error('gone-expected')).toContain('it answered 200, expected 404');
});

test('an action that fails names itself, and not what it filled in', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      '<input id="off" disabled><input id="number" type="number"><p>Text</p><b>1</b><b>2</b><select><option>1</select>',
    ),
  );
  const shots = await shoot(`baseURL: ${site.url}
pages:
  - { name: absent, url: /, timeout: 8, actions: [{ wait: p }, { click: "#absent" }] }
  - { name: many, url: /, actions: [hover: b] }
  - { name: key, url: /, actions: [press: Entr] }
  - { name: wait, url: /, timeout: 8, actions: [wait: { text: Never }] }
  - { name: far, url: /, timeout: 8, actions: [scrollTo: "#absent"] }
  - { name: "off", url: /, timeout: 8, actions: [fill: { selector: "#off", value: s3cret }] }
  - { name: number, url: /, actions: [fill: { selector: "#number", value: s3cret }] }
  - { name: text, url: /, actions: [fill: { selector: p, value: s3cret }] }
  - { name: select, url: /, actions: [fill: { selector: select, value: s3cret }] }
  - { name: no-field, url: /, timeout: 8, actions: [fill: { selector: "#absent", value: s3cret }] }
`);
  expect(shots.error('absent')).toContain('action 2 (click #absent) could not be done (');
  expect(shots.error('many')).toContain('action 1 (hover b) could not be done (');
  expect(shots.error('key')).toContain('action 1 (press Entr) could not be done (');
  expect(shots.error('wait')).toContain('the text "Never" did not come in time');
  expect(shots.error('far')).toContain('action 1 (scrollTo #absent) could not be done (');
  for (const id of ['off', 'number', 'text', 'select', 'no-field']) {
    expect(shots.error(id)).toMatch(/action 1 \(fill \S+\) could not be done \(/);
    expect(shots.error(id), id).not.toContain('s3cret');
  }
});

test('the page sees the clock, the colors, the zone, the browser, the language and the screen that the list says', async ({
  serve,
  shoot,
}) => {
  const seen = new Map<string, Record<string, unknown>>();
  const site = await serve(({ url, headers }) => {
    const id = url.pathname.slice(1);
    if (url.search) {
      seen.set(id, JSON.parse(url.searchParams.get('seen') ?? ''));
      return { status: 204 };
    }
    return html(`<h1>Seen by ${id}</h1><script>
      const seen = { now: Date.now(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone, dark: matchMedia('(prefers-color-scheme: dark)').matches,
        agent: navigator.userAgent, language: navigator.language, width: innerWidth, height: innerHeight, density: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
        reduced: matchMedia('(prefers-reduced-motion: reduce)').matches, sent: ${JSON.stringify([headers['user-agent'], headers['accept-language']])} };
      setTimeout(() => { seen.later = Date.now(); fetch('?seen=' + encodeURIComponent(JSON.stringify(seen))) }, 300);
    </script>`);
  });
  const shots = await shoot(`baseURL: ${site.url}
viewports: { phone: { device: iPhone 15 }, small: { width: 300, height: 200 }, dense: { device: Desktop Chrome HiDPI } }
defaults: { viewports: [small], waitFor: { response: "**/*seen=*" } }
pages:
  - { name: plain, url: /plain }
  - { name: clock, url: /clock, clock: 2024-05-01 }
  - { name: zone, url: /zone, timezone: Pacific/Auckland, clock: "2024-05-01T09:30:00+02:00" }
  - { name: dark, url: /dark, colorScheme: dark }
  - { name: agent, url: /agent, userAgent: Probe/1.0 }
  - { name: german, url: /german, language: de-DE }
  - { name: moving, url: /moving, settle: { motion: false } }
  - { name: phone, url: /phone, viewports: [phone] }
  - { name: dense, url: /dense, viewports: [dense] }
`);
  expect(shots.capture('plain/small').viewport).toEqual({ width: 300, height: 200 });
  expect(seen.get('plain')).toMatchObject({
    dark: false,
    width: 300,
    height: 200,
    density: 1,
    touch: false,
    reduced: true,
  });
  expect(Math.abs(Number(seen.get('plain')?.now) - Date.now())).toBeLessThan(60_000);
  const may = Date.UTC(2024, 4, 1);
  expect(seen.get('clock')).toMatchObject({ now: may, later: may });
  expect(seen.get('zone')).toMatchObject({ now: Date.UTC(2024, 4, 1, 7, 30), zone: 'Pacific/Auckland' });
  expect(seen.get('dark')).toMatchObject({ dark: true });
  expect(seen.get('agent')).toMatchObject({ agent: 'Probe/1.0', sent: ['Probe/1.0', expect.anything()] });
  expect(seen.get('german')).toMatchObject({ language: 'de-DE', sent: [expect.anything(), 'de-DE'] });
  expect(seen.get('moving')).toMatchObject({ reduced: false });
  expect(seen.get('phone')).toMatchObject({ width: 980, density: 3, touch: true });
  expect(String(seen.get('phone')?.agent)).toContain('iPhone');
  expect(seen.get('dense')).toMatchObject({ width: 1280, height: 720, density: 2 });
  expect(shots.capture('phone/phone').viewport).toEqual({ width: 393, height: 659 });
});

test('`quality` is that of jpeg and webp, and webp is lossless by default', async ({ serve, shoot }) => {
  const bars = Array.from(
    { length: 60 },
    (_, index) => `<i style="background: hsl(${index * 6} 80% 50%)">${index}</i>`,
  );
  const site = await serve(() => html(bars.join(' ')));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: png, url: / }
  - { name: webp, url: /, format: webp }
  - { name: webp-30, url: /, format: webp, quality: 30 }
  - { name: jpeg, url: /, format: jpeg }
  - { name: jpeg-80, url: /, format: jpeg, quality: 80 }
  - { name: jpg-20, url: /, format: jpg, quality: 20 }
`);
  const bytes = (id: string) => shots.capture(id).image.bytes;
  const pixels = async (id: string) => Buffer.from((await decodeImage(shots.capture(id).image)).data);
  expect((await pixels('webp')).equals(await pixels('png'))).toBe(true);
  expect((await pixels('webp-30')).equals(await pixels('png'))).toBe(false);
  expect(bytes('webp-30').length).toBeLessThan(bytes('webp').length);
  expect(bytes('jpeg').equals(bytes('jpeg-80'))).toBe(true);
  expect(bytes('jpg-20').length).toBeLessThan(bytes('jpeg').length / 1.5);
});

test('`delay` counts fractions of a second', async ({ serve, shoot }) => {
  const turning = `<h1>Page</h1><script>setTimeout(() => { document.body.style.background = '#f00' }, 6200)</script>`;
  const site = await serve(() => html(turning));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages: [{ name: before, url: /, delay: 0.35 }, { name: after, url: /, delay: 6.35 }]
`);
  expect((await look(shots.capture('before').image)).count('#ff0000')).toBe(0);
  expect((await look(shots.capture('after').image)).count('#ff0000')).toBeGreaterThan(10_000);
});

/** What changes between the baselines and the run after them. */
const CHANGING: Record<string, (second: boolean) => string> = {
  '/clock': (second) => box(20, 20, 100, 30, 'class="m"', second ? '12:01' : '12:00'),
  '/clock-and-more': (second) =>
    box(20, 20, 100, 30, 'class="m"', second ? '12:01' : '12:00') +
    box(200, 100, 50, 20, `style="background: ${second ? '#f00' : '#00f'}"`),
  '/moved': (second) => box(second ? 160 : 20, second ? 90 : 20, 100, 30),
  '/grown': (second) => box(20, 20, second ? 200 : 100, 30),
  '/come': (second) => `<h1>Come</h1>${second ? box(20, 20, 100, 30) : ''}`,
  '/card': (second) =>
    box(30, 40, 200, 100, 'id="card" style="background: #ddd"', box(20, 20, 60, 30, 'class="m"', second ? '9' : '10')),
  '/steady': () => '<h1>Steady</h1><table><tr><th>A<th>B<tr><td>1<td>2</table>',
  '/print': (second) => `<h1>Bill</h1><p>${second ? '11.00' : '10.00'}</p>`,
  '/menu': () => `<button onclick="list.hidden = false">Menu</button><ul id="list" hidden><li>One</ul>`,
  '/tall': () => '<h1>Tall</h1><div style="height: 1200px; background: #cde"></div>',
  '/vh': () => '<h1>Window</h1><div style="height: 200vh; background: #cde"></div>',
  '/short': () => '<h1 style="margin: 0">Short</h1>',
  '/too-tall': () => '<h1>Too tall</h1><div style="height: 20100px"></div>',
};

withProject(
  'masks, PDFs, states and viewports as tall as the content, held against their baselines',
  async ({ project }) => {
    let second = false;
    const { server, close } = await startServer(({ url }) => html(CHANGING[url.pathname]?.(second) ?? '', STYLE));
    project.write({
      'pages.yaml': `baseURL: ${server.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: clock, url: /clock, mask: .m }
  - { name: clock-and-more, url: /clock-and-more, mask: .m }
  - { name: moved, url: /moved, mask: .m }
  - { name: unmasked, url: /moved }
  - { name: grown, url: /grown, mask: [.m] }
  - { name: come, url: /come, mask: .m }
  - { name: typo, url: /clock, mask: ".m, .typo" }
  - { name: typo-strict, url: /clock, mask: ".m, .typo", strictMasks: true }
  - { name: invalid, url: /clock, mask: ".m:no-such" }
  - { name: card, url: /card, element: "#card", mask: .m }
  - { name: same-print, url: /steady, format: pdf }
  - { name: other-print, url: /print, format: pdf }
  - { name: menu, url: /menu, base: false, states: { closed: {}, open: { actions: [click: button] }, wide: { width: 600 } } }
  - { name: steady, url: /steady, states: { dark: { colorScheme: dark } } }
  - { name: tall, url: /tall, height: null, width: 700 }
  - { name: vh, url: /vh, height: null }
  - { name: short, url: /short, height: null }
  - { name: too-tall, url: /too-tall, height: null }
`,
      'devices.yaml': `baseURL: ${server.url}
viewports: { double: { device: Desktop Chrome HiDPI }, triple: { device: iPhone 15 } }
defaults: { mask: .m, scale: device }
pages: [{ name: moved-dense, url: /moved }, { name: card-dense, url: /card, element: "#card" }, { name: more-dense, url: /clock-and-more }]
`,
      'visual.spec.ts': SPEC,
      'devices.spec.ts': SPEC.replace('pages.yaml', 'devices.yaml'),
      'playwright.config.ts': config(),
    });
    expect(await project.test(['--update-snapshots'])).toExit(1);
    const wrong = ['invalid: error', 'too-tall: error', 'typo-strict: error'];
    expect(project.statuses().filter((status) => !status.endsWith(': new'))).toEqual(wrong);
    expect(readFileSync(project.path('visual.spec.ts-snapshots/same-print-linux.pdf')).toString('latin1', 0, 5)).toBe(
      '%PDF-',
    );
    second = true;
    const run = await project.test();
    close();
    expect(run).toExit(1);
    expect(project.statuses().filter((status) => !status.endsWith(': passed'))).toEqual([
      ...['clock-and-more: changed', 'invalid: error', 'more-dense/double: changed', 'more-dense/triple: changed'],
      ...['other-print: changed', 'too-tall: error', 'typo-strict: error', 'unmasked: changed'],
    ]);
    expect(project.statuses()).toEqual(
      expect.arrayContaining([
        'menu/closed: passed',
        'menu/open: passed',
        'menu/wide: passed',
        'steady/dark: passed',
        'steady: passed',
      ]),
    );
    expect(project.statuses()).not.toContain('menu: passed');
    const { reason, regions, summary } = project.shot('clock-and-more');
    expect(regions).toEqual([{ x: 200, y: 100, width: 50, height: 20, pixels: 1000 }]);
    expect(summary).toMatchObject({ mismatchPixels: 1000, totalPixels: 400 * 300 });
    expect(reason).toBeTruthy();
    const { reason: typo } = project.shot('typo-strict');
    expect(project.shot('typo').warnings).toEqual([
      { code: 'mask-no-match', message: '`mask`: .typo matches nothing on the page' },
    ]);
    expect(project.shot('come').warnings).toEqual([]);
    expect(typo).toContain('`mask`: .typo matches nothing on the page (`strictMasks` makes it an error)');
    expect(project.shot('invalid').reason).toContain('`mask` has ".m:no-such", which is not a CSS selector');
    const print = project.shot('other-print');
    expect([print.after?.width, print.after?.height]).toEqual([596, 843]);
    expect(print).toMatchObject({ summary: { totalPixels: 1192 * 1686, sameDimensions: true }, diff: { width: 1192 } });
    expect(print.reason).toMatch(/^[\d,]+ px \(.*\) differ, limit 0 px; first/);
    const size = (id: string) => [project.shot(id).capture?.width, project.shot(id).capture?.height];
    const image = (id: string) => [project.shot(id).after?.width, project.shot(id).after?.height];
    expect(size('tall')).toEqual(image('tall'));
    expect(size('tall')[0]).toBe(700);
    expect(size('tall')[1]).toBeGreaterThan(1200);
    expect(size('short')).toEqual([400, 100]);
    expect(size('menu/wide')).toEqual([600, 300]);
    expect(project.shot('too-tall').reason).toMatch(/its content is 20\d\d\d px tall, and a viewport can be 20000 px/);
  },
);

function sorted(boxes: readonly Rectangle[]): Rectangle[] {
  return [...boxes].sort((a, b) => a.y - b.y || a.x - b.x);
}

function areaOf(boxes: readonly Rectangle[]): number {
  return boxes.reduce((sum, { width, height }) => sum + width * height, 0);
}

/** Gives the smallest rectangle round all of them. */
function roundAll(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const [right, bottom] = [boxes.map((box) => box.x + box.width), boxes.map((box) => box.y + box.height)];
  return { x, y, width: Math.max(...right) - x, height: Math.max(...bottom) - y };
}

/** Gives how far one rectangle reaches beyond another at most; infinite where it does not reach round it. */
function distance(outer: Rectangle, inner: Rectangle | null): number {
  if (!inner) return Number.POSITIVE_INFINITY;
  const gaps = [
    ...[inner.x - outer.x, inner.y - outer.y],
    ...[outer.x + outer.width - inner.x - inner.width, outer.y + outer.height - inner.y - inner.height],
  ];
  return Math.min(...gaps) < 0 ? Number.POSITIVE_INFINITY : Math.max(...gaps);
}
