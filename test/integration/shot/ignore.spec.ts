import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { extractText } from '../../../src/image/metadata.js';
import { decodeBaselineRecord } from '../../../src/model/environment.js';
import type { Rectangle } from '../../../src/model/image.js';
import { look } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { STYLE as BOXES, box, LIME, rectanglesOf } from '../boxes.js';
import { test } from '../runs.js';

/** Areas to be ignored have the class `m`. */
const STYLE = `${BOXES}<style>iframe { border: 0; padding: 0 }</style>`;

/** Below the fold, in a frame and in a shadow root. */
const PLACES = html(
  `${box(20, 1500, 60, 40)}${box(0, 0, 10, 2000, '')}
  <iframe style="left: 200px; top: 1000px; width: 100px; height: 100px" src="/in-frame"></iframe>
  <div id="host" style="position: absolute; left: 450px; top: 1200px"></div>
  <script>
    host.attachShadow({ mode: 'open' }).innerHTML = '<div class="m" style="width: 40px; height: 40px; background: ${LIME}"></div>';
  </script>`,
  STYLE,
);
const IN_FRAME = html(box(20, 30, 50, 40), STYLE);

test('ignored areas are found in every place, have the drawn position, and are not painted over', async ({
  serve,
  shoot,
}) => {
  const site = await serve(({ url }) => (url.pathname === '/in-frame' ? IN_FRAME : PLACES));
  const shots = await shoot(`baseURL: ${site.url}
viewports: { plain: { width: 800, height: 600 }, double: { device: Desktop Chrome HiDPI } }
defaults: { ignore: .m, scale: device }
pages:
  - { name: full, url: /, fullSize: true }
  - { name: scrolled, url: /, viewports: [double], actions: [scrollTo: 1000], ignore: { x: 5, y: 7, width: 30, height: 20 } }
  - { name: outside, url: /, viewports: [plain], fullSize: true, ignore: { x: 0, y: 1990, width: 900, height: 20 } }
`);
  for (const [viewport, scale] of [['plain', 1] as const, ['double', 2] as const]) {
    const { image, ignored, masks, warnings } = shots.capture(`full/${viewport}`);
    const picture = await look(image);
    const places = [area(220, 1030, 50, 40), area(450, 1200, 40, 40), area(20, 1500, 60, 40)];
    expect(rectanglesOf(ignored)).toEqual(places.map((place) => scaled(place, scale)));
    expect(picture.count(LIME), 'all of it is in the image').toBe(
      places.reduce((sum, { width, height }) => sum + width * height, 0) * scale * scale,
    );
    expect({ masks, warnings }).toEqual({ masks: [], warnings: [] });
  }
  expect(rectanglesOf(shots.capture('scrolled/double').ignored)).toEqual(
    [area(5, 7, 30, 20), area(220, 30, 50, 40), area(450, 200, 40, 40), area(20, 500, 60, 40)].map((place) =>
      scaled(place, 2),
    ),
  );
  expect(shots.capture('outside/plain').warnings, 'a part of it lies in the image').toEqual([]);
});

test('in the capture of an element, ignored areas are relative to its corner', async ({ serve, shoot }) => {
  const card = `<div id="card" style="position: absolute; left: 30px; top: 900px; width: 300px; height: 200px; background: #ddd">${box(50, 100, 60, 20)}</div>`;
  const site = await serve(() => html(card, STYLE));
  const shots = await shoot(`baseURL: ${site.url}
pages: [{ name: card, url: /, element: "#card", ignore: [.m, { x: 1, y: 2, width: 3, height: 4 }] }]
`);
  expect(shots.capture('card').ignored).toEqual([
    { selector: '.m', rectangles: [area(50, 100, 60, 20)] },
    { selector: '{ x: 1, y: 2, width: 3, height: 4 }', rectangles: [area(1, 2, 3, 4)] },
  ]);
});

/** Content of the pages of the run below, also the second time. Each load of the counter takes half of its timeout. */
const CHANGING: Record<string, (second: boolean) => string> = {
  '/card': (second) => `${box(100, 100, 50, 20)}${dot(second ? 110 : 120, 105)}<h1>Card</h1>`,
  '/moved': (second) => `${box(second ? 160 : 100, 100, 50, 20)}<h1>Moved</h1>`,
  '/more': (second) =>
    `${box(100, 100, 50, 20)}${second ? dot(149, 119) : ''}${second ? dot(150, 119) : ''}<h1>More</h1>`,
  '/counter': () => `<p class="m" id="count" style="width: 100px; height: 40px">0</p>
    <script>let count = 0; setInterval(() => { document.querySelector('#count').textContent = count++ }, 150)</script><h1>Counter</h1>`,
};

function dot(x: number, y: number): string {
  return `<div style="position: absolute; z-index: 1; left: ${x}px; top: ${y}px; width: 1px; height: 1px; background: #000"></div>`;
}

test('changes in ignored areas do not count, and changes next to them do', async ({ page, runs, serve }) => {
  let second = false;
  const site = await serve(({ url }) => html(CHANGING[url.pathname]?.(second) ?? '', STYLE));
  const list = `baseURL: ${site.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: card, url: /card, ignore: .m }
  - { name: card-seen, url: /card }
  - { name: moved, url: /moved, ignore: .m }
  - { name: moved-area, url: /moved, ignore: { x: 100, y: 100, width: 50, height: 20 } }
  - { name: more, url: /more, ignore: .m }
  - { name: counter, url: /counter, ignore: .m, timeout: 8 }
  - { name: typo, url: /card, ignore: [.m, .typo, { x: 400, y: 0, width: 10, height: 10 }] }
`;
  const wrongList = `
  - { name: outside-strict, url: /card, ignore: [.m, { x: 0, y: 300, width: 10, height: 10 }], strictMasks: true }
  - { name: invalid, url: /card, ignore: ".m:no-such" }
`;
  const matchOwn = async (mode: 'changed' | 'none') => {
    await page.setViewportSize({ width: 400, height: 300 });
    await page.goto(`${site.url}/card`);
    const options = { ignore: ['.m', { x: 0, y: 0, width: 1, height: 1 }] };
    return (await runs.match(page, 'own', options, mode)).record.status;
  };
  const first = await runs.run(`${list.trimEnd()}${wrongList}`, { mode: 'changed' });
  expect(await matchOwn('changed')).toBe('new');
  expect(first.passed).toBe(false);
  const wrong = ['invalid: error', 'outside-strict: error'];
  expect(first.statuses.filter((status) => !status.endsWith(': new'))).toEqual(wrong);
  const { ignored, masks } =
    decodeBaselineRecord(extractText(readFileSync(runs.path('moved.png')), 'png').text ?? '') ?? {};
  expect({ ignored, masks }, 'it travels inside the baseline').toEqual({
    ignored: [{ selector: '.m', rectangles: [area(100, 100, 50, 20)] }],
    masks: [],
  });

  second = true;
  const run = await runs.run(list);
  expect(run.passed).toBe(false);
  expect(run.statuses).toEqual([
    ...['card-seen: changed', 'card: passed', 'counter: passed'],
    ...['more: changed', 'moved-area: changed', 'moved: passed', 'typo: passed'],
  ]);
  expect(await matchOwn('none')).toBe('passed');
  expect(run.shot('more').summary?.mismatchPixels, 'the last pixel inside does not count, the next one does').toBe(1);
  expect(run.shot('more').regions).toEqual([{ x: 150, y: 119, width: 1, height: 1, pixels: 1 }]);
  expect(run.shot('card-seen').summary?.mismatchPixels).toBe(2);
  expect(run.shot('moved-area').summary?.mismatchPixels, 'a rectangle does not move with the page').toBe(50 * 20);
  expect(run.shot('typo').warnings).toEqual([
    { code: 'ignore-no-match', message: '`ignore`: no element matches ".typo"' },
    {
      code: 'ignore-no-match',
      message: '`ignore`: the area { x: 400, y: 0, width: 10, height: 10 } is outside the image',
    },
  ]);
  expect(first.shot('outside-strict').reason).toContain('height: 10 } is outside the image (`strictMasks`');
  expect(first.shot('invalid').reason).toContain('`ignore`: ".m:no-such" is not a valid CSS selector');
});

test('of an element, the part that can be seen is ignored, and nothing that lies behind one that cannot', async ({
  serve,
  shoot,
}) => {
  const styled = (style: string, inner = '') => `<div class="m" style="left: 20px; top: 40px; ${style}">${inner}</div>`;
  const size = 'width: 200px; height: 100px;';
  const around = (style: string) =>
    `<div style="position: absolute; left: 20px; top: 40px; ${style}"><div class="m" style="left: 0; top: 0; ${size}"></div></div>`;
  const pages: Record<string, readonly [string, readonly Rectangle[]]> = {
    inset: [styled(`${size} clip-path: inset(10px 20px 30% calc(10% + 5px) round 4px)`), [area(45, 50, 155, 60)]],
    circle: [styled(`${size} clip-path: circle(30px at 50px 40px)`), [area(40, 50, 60, 60)]],
    ellipse: [styled(`${size} clip-path: ellipse(25% 20% at 50% 50%)`), [area(70, 70, 100, 40)]],
    polygon: [styled(`${size} clip-path: polygon(evenodd, 10% 0, 50% 50%, 0 80px)`), [area(20, 40, 100, 80)]],
    path: [styled(`${size} clip-path: path("M 0 0 L 10 10 L 0 10")`), [area(20, 40, 200, 100)]],
    'path-around': [around(`${size} clip-path: inset(0 50% 0 0)`), [area(20, 40, 100, 100)]],
    'overflow-around': [around('width: 50px; height: 60px; overflow: hidden'), [area(20, 40, 50, 60)]],
    'path-zoomed': [
      `<style>html { zoom: 2 }</style>${around(`${size} clip-path: inset(0 50% 0 0)`)}`,
      [area(40, 80, 200, 200)],
    ],
    transparent: [styled(`${size} opacity: 0`), []],
    'transparent-around': [around(`${size} opacity: 0`), []],
    hidden: [styled(`${size} visibility: hidden`), []],
    'visible-child': [
      styled(`${size} visibility: hidden`, '<p style="margin: 0; width: 50px; height: 30px; visibility: visible"></p>'),
      [area(20, 40, 50, 30)],
    ],
    overflowing: [
      styled('width: 20px; height: 20px', '<p style="margin: 0; width: 90px; height: 10px"></p>'),
      [area(20, 40, 20, 20), area(20, 40, 90, 10)],
    ],
  };
  const site = await serve(({ url }) => html(`<h1>Page</h1>${pages[url.pathname.slice(1)]?.[0]}`, STYLE));
  const entries = Object.keys(pages).map((name) => `  - { name: ${name}, url: /${name} }\n`);
  const shots = await shoot(`baseURL: ${site.url}
defaults: { ignore: .m, width: 500, height: 400 }
pages:
${entries.join('')}`);
  const found = Object.keys(pages).map((name) => [name, rectanglesOf(shots.capture(name).ignored)]);
  expect(found).toEqual(Object.entries(pages).map(([name, [, areas]]) => [name, areas]));
});

function area(x: number, y: number, width: number, height: number): Rectangle {
  return { x, y, width, height };
}

function scaled({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return area(x * by, y * by, width * by, height * by);
}
