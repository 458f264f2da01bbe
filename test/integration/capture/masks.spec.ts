import { expect } from '@playwright/test';
import type { Rectangle, Size } from '../../../src/model/image.js';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { box, LIME, rectanglesOf, STYLE, sorted } from '../boxes.js';

const MASKED = '#ff00ff';

/** The number of boxes to mask that stand one below the other. */
const BOXES = 20;

/** A page with something to mask in every kind of place; every place is told with what can be seen of it. */
function maskedPage(port: number): string {
  const frame = (x: number, y: number, src: string, more = '') =>
    `<iframe style="left: ${x}px; top: ${y}px; width: 200px; height: 150px; ${more}" src="${src}"></iframe>`;
  const other = `http://127.0.0.1:${port}/in-frame`;
  const scrolled = box(0, 0, 50, 80) + box(0, 400, 50, 80);
  return html(
    [
      box(0, 0, 10, 3100, ''),
      ...Array.from({ length: BOXES }, (_, index) => box(20, 1000 + index * 100, 60, 40)),
      frame(200, 1000, '/in-frame'),
      frame(200, 1300, other),
      frame(200, 1600, '/outer-frame'),
      frame(200, 1900, '/in-frame', 'visibility: hidden'),
      frame(200, 2200, '/in-frame', 'display: none'),
      // Only the left half of this frame can be seen.
      box(200, 2500, 110, 400, 'class="at" style="overflow: hidden"', frame(0, 0, '/in-frame')),
      frame(200, 2800, '/in-frame', 'transform: scale(0.5); transform-origin: 0 0'),
      '<div id="host" style="position: absolute; left: 450px; top: 1000px"></div>',
      box(450, 1200, 100, 100, 'class="at" id="scroller" style="overflow: auto"', scrolled),
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
  ...Array.from({ length: BOXES }, (_, index) => ({ x: 20, y: 1000 + index * 100, width: 60, height: 40 })),
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
  { x: 740, y: 3000, width: 40, height: 30 },
];

test('a mask covers the visible part of each match, and nothing more', async ({ serve, shoot }) => {
  const other = await serve(({ url }) => FRAMES[url.pathname] ?? { status: 404 });
  const site = await serve(({ url }) => FRAMES[url.pathname] ?? maskedPage(other.port));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { mask: .m, width: 800, height: 600, fullSize: true, expand: false }
pages: [{ name: full, url: / }]
`);
  const capture = shots.capture('full');
  const picture = await look(capture.image);
  expect(rectanglesOf(capture.masks)).toEqual(sorted(SEEN));
  expect(picture.boxOf(LIME), 'nothing of it is to be seen').toBeNull();
  expect(picture.count(MASKED), 'and nothing else is covered').toBe(areaOf(SEEN));
  expect(capture.warnings).toEqual([]);
});

/** Images whose edges may lie within a pixel: their fields, and viewports. */
const KINDS: Record<string, string> = {
  'full/odd': 'url: /, fullSize: true',
  'full-dense/triple': 'url: /, fullSize: true, scale: device',
  'scrolled/plain': 'url: /, actions: [scrollTo: 850]',
  'scrolled-dense/odd': 'url: /, actions: [scrollTo: 850], scale: device',
  'card/plain': 'url: /, element: "#card"',
  'card-odd/odd': 'url: /, element: "#card"',
  'card-dense/triple': 'url: /, element: "#card", scale: device',
  'card-dense-odd/odd': 'url: /, element: "#card", scale: device',
  'wide/triple': 'url: /wide, actions: [scrollTo: 850]',
  'wide-dense/odd': 'url: /wide, actions: [scrollTo: 850], scale: device',
};

const COMMON_KINDS = ['full-dense/triple', 'scrolled/plain', 'card-odd/odd', 'wide/triple'];

for (const { where, kinds, tag } of [
  { where: 'common kinds', kinds: COMMON_KINDS, tag: [] },
  { where: 'every kind', kinds: Object.keys(KINDS), tag: '@soak' },
])
  test(`the recorded masks match the painted masks in ${where} of image`, { tag }, async ({ serve, shoot }) => {
    const site = await serve(({ url }) =>
      html(
        `${box(0, 0, 10, 1700, '')}${box(30.5, 950.25, 99.3, 40)}
      <div id="card" style="position: absolute; left: 20.3px; top: 900.6px; width: 300px; height: 200px; background: #ddd">${box(50, 100, 60, 20)}</div>`,
        // Without it, a phone shows the page in a window of 980 px, smaller than it is.
        STYLE + (url.pathname === '/wide' ? '' : '<meta name="viewport" content="width=device-width">'),
      ),
    );
    const pages = kinds.map((id) => {
      const [name, viewport] = id.split('/');
      return `  - { name: ${name}, viewports: [${viewport}], ${KINDS[id]} }\n`;
    });
    const shots = await shoot(`baseURL: ${site.url}
viewports: { plain: { width: 800, height: 600 }, triple: { device: iPhone 15 }, odd: { device: Pixel 7 } }
defaults: { mask: .m }
pages:
${pages.join('')}`);
    for (const id of kinds) {
      const { image, ...capture } = shots.capture(id);
      const masks = rectanglesOf(capture.masks);
      const picture = await look(image);
      const [share, gap] = [picture.count(MASKED) / areaOf(masks), distance(roundAll(masks), picture.boxOf(MASKED))];
      // On a screen of 2.625, and in a page that is wider than its window, the edge of a box may lie within a pixel, which is a mixture then.
      if (id.startsWith('wide')) expect(gap, id).toBeLessThanOrEqual(2);
      else if (id.endsWith('/odd')) expect(share, id).toBeGreaterThan(0.9);
      else expect(share, id).toBe(1);
      if (id.startsWith('wide')) continue;
      expect(masks, id).toHaveLength(2);
      expect(picture.boxOf(LIME), id).toBeNull();
    }
  });

function secret(style = ''): string {
  return `<div class="m" style="position: static; width: 60px; height: 40px; margin: 30px; ${style}"></div>`;
}

/** What a mask must cover although its place or its size is not that of the element's own box. */
function displacedPages(other: string): Record<string, string> {
  const css = (text: string) => `<style>${text}</style>`;
  const lime = `background: ${LIME}`;
  const frames = (style = '') =>
    ['/inner', other]
      .map((src) => `<iframe style="position: static; width: 200px; height: 150px; ${style}" src="${src}"></iframe>`)
      .join('');
  const large = secret('width: 300px; height: 300px; margin: 0');
  const clipped = (style: string, inner = large) =>
    `<div style="width: 100px; height: 60px; margin: 100px; ${style}">${inner}</div>`;
  const dialog = `<dialog class="m" style="border: 0; padding: 0; outline: 0; width: 80px; height: 50px"></dialog>
    <script>document.querySelector('dialog').showModal()</script>`;
  return {
    zoomed: css('html { zoom: 1.5 }') + secret() + clipped('zoom: 1.3; border: 10px solid; overflow: hidden'),
    'zoomed-body': css('body { zoom: 0.8 }') + secret() + secret('zoom: 1.7'),
    'zoomed-twice': `${css('html { zoom: 1.5 } body { zoom: 0.8 }')}<div style="zoom: 2">${secret()}</div>`,
    'zoomed-frames': css('html { zoom: 1.5 }') + frames('zoom: 1.1'),
    scaled: css('html { scale: 0.7 }') + secret(),
    turned: clipped('rotate: 90deg; border-left: 40px solid; overflow: hidden'),
    'turned-clip': clipped('rotate: 90deg; overflow-x: clip'),
    'turned-frames': clipped('rotate: 40deg; width: 450px', frames()),
    'mirrored-frames': clipped('scale: -1 1; width: 450px', frames()),
    'clip-margin': clipped('overflow: clip; overflow-clip-margin: 30px'),
    wide: `<div style="width: 2000px; display: flex; justify-content: end">${secret()}</div>`,
    'right-to-left': `${css('html { direction: rtl }')}<div style="width: 2000px">${secret('margin: 30px 200px')}</div>`,
    'no-box': `<div class="m" style="display: contents"><p style="${lime}">text</p></div>`,
    'visible-child': `<div style="visibility: hidden" class="m"><p style="${lime}; visibility: visible">text</p></div>`,
    overflowing: secret('width: 20px; height: 20px').replace('></', `><p style="width: 90px; ${lime}">text</p></`),
    'top-layer': clipped('overflow: hidden; transform: scale(1)', dialog),
  };
}

/** Pages that are scrolled sideways: their names and fields. */
const SCROLLED = [
  ['scrolled', 'url: /wide, fullSize: false, javascriptCode: "scrollTo(2000, 0)"'],
  ['scrolled-right-to-left', 'url: /right-to-left, fullSize: false, javascriptCode: "scrollTo(-100, 0)"'],
] as const;

/** One page of each kind. */
const FEW = ['zoomed', 'zoomed-frames', 'turned', 'mirrored-frames', 'top-layer', 'visible-child'];

for (const { driver, isFew, tag } of [
  { driver: 'frames', isFew: true, tag: [] },
  { driver: 'frames', isFew: false, tag: '@soak' },
  { driver: 'plain', isFew: false, tag: '@soak' },
])
  test(`what is masked is not seen in ${isFew ? 'a few pages that are' : 'a page that is'} zoomed, turned or mirrored (${driver})`, {
    tag,
  }, async ({ serve, shoot, browser }) => {
    const inner = html(secret() + secret(), STYLE);
    const other = await serve(() => inner);
    const all = Object.entries(displacedPages(other.url));
    const pages = Object.fromEntries(all.filter(([name]) => !isFew || FEW.includes(name)));
    const scrolled = isFew ? [] : SCROLLED;
    const site = await serve(({ url }) => {
      const body = pages[url.pathname.slice(1)];
      return body === undefined ? inner : html(body, STYLE);
    });
    const entries = Object.keys(pages).map((name) => `  - { name: ${name}, url: /${name} }\n`);
    const list = `baseURL: ${site.url}
defaults: { mask: .m, fullSize: true, width: 500, height: 400, timeout: 60 }
pages:
${[...entries, ...scrolled.map(([name, fields]) => `  - { name: ${name}, ${fields} }\n`)].join('')}  - { name: whole, url: /zoomed, mask: html, minCompared: 0 }
`;
    const shots = await shoot(list, driver === 'plain' ? browser : undefined);
    for (const id of [...Object.keys(pages), ...scrolled.map(([name]) => name), 'whole']) {
      const { image, masks } = shots.capture(id);
      const picture = await look(image);
      expect(picture.boxOf(LIME), id).toBeNull();
      const recorded = within(roundAll(rectanglesOf(masks)), picture);
      expect(distance(recorded, picture.boxOf(MASKED)), id).toBe(0);
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
    { code: 'remove-no-match', message: '`remove`: no element matches "#absent"' },
  ]);
});

test('`hide` preserves the layout, `remove` does not', async ({ serve, shoot }) => {
  const blue = '<p style="background: #00f; margin: 0">Blue</p>';
  const site = await serve(() => html(`<div class="m" style="position: static; height: 50px"></div>${blue}`, STYLE));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages: [{ name: hidden, url: /, hide: .m }, { name: removed, url: /, remove: .m }]
`);
  expect((await look(shots.capture('hidden').image)).boxOf('#0000ff')?.y).toBe(50);
  expect((await look(shots.capture('removed').image)).boxOf('#0000ff')?.y).toBe(0);
});

function areaOf(boxes: readonly Rectangle[]): number {
  return boxes.reduce((sum, { width, height }) => sum + width * height, 0);
}

function roundAll(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const [right, bottom] = [boxes.map((box) => box.x + box.width), boxes.map((box) => box.y + box.height)];
  return { x, y, width: Math.max(...right) - x, height: Math.max(...bottom) - y };
}

function within({ x, y, width, height }: Rectangle, image: Size): Rectangle {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return {
    x: left,
    y: top,
    width: Math.min(image.width, x + width) - left,
    height: Math.min(image.height, y + height) - top,
  };
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
