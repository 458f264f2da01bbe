import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

/** What of a page differs from its baseline: the last row of the element, or what is painted over it. */
type Changed = 'nothing' | 'bottom' | 'cover';

interface Parts {
  /** The rows of the element `#e`. The last ones lie beyond a box or a window of 300 px. */
  readonly rows: string;
  /** The color of what is painted over the element. */
  readonly cover: string;
}

const TALL = '<div style="height: 700px">before</div>';
const AFTER = '<div style="height: 900px">after</div>';

/** Places of an element whose capture shows all of it, and nothing over it. */
const PLACES: Record<string, (parts: Parts) => string> = {
  'under a sticky header': ({ rows, cover }) =>
    `<header style="position: sticky; top: 0; height: 80px; background: ${cover}">head</header><div id="e">${rows}</div>${AFTER}`,
  'under a fixed header': ({ rows, cover }) =>
    `<header style="position: fixed; inset: 0 0 auto; height: 80px; background: ${cover}">head</header><div id="e">${rows}</div>${AFTER}`,
  'over a fixed footer': ({ rows, cover }) =>
    `<div id="e">${rows}</div>${AFTER}<footer style="position: fixed; inset: auto 0 0; height: 90px; background: ${cover}">foot</footer>`,
  'within a box that scrolls': ({ rows, cover }) =>
    `${TALL}<div style="height: 200px; overflow: auto"><p style="position: sticky; top: 0; margin: 0; background: ${cover}">head</p>
      <div id="e">${rows}</div></div>${AFTER}`,
  'that is a box that scrolls': ({ rows }) => `${TALL}<div id="e" style="height: 200px; overflow: auto">${rows}</div>`,
  'within a box that scrolls in another one': ({ rows }) =>
    `<div style="height: 250px; overflow: auto">${TALL}<div style="height: 150px; overflow: auto"><div id="e">${rows}</div></div>${AFTER}</div>`,
  'within a box of another element that hides': ({ rows }) =>
    `<div style="height: 200px; overflow: hidden"><div id="e">${rows}</div></div>${AFTER}`,
  'wider than its box': ({ rows }) =>
    `<div style="width: 200px; overflow: auto"><div id="e" style="width: 900px; display: flex">${rows}</div></div>`,
  'that is fixed': ({ rows }) =>
    `<p>before</p><div id="e" style="position: fixed; inset: 20px auto auto 30px">${rows}</div>`,
  'in a shadow root, under a header of another one': ({ rows, cover }) =>
    `<div><template shadowrootmode="open"><header style="position: fixed; inset: 0 0 auto; height: 80px; background: ${cover}"><b
      style="visibility: visible">head</b></header></template></div><div style="position: sticky; top: 0"><template shadowrootmode="open"><div
      style="height: 200px; overflow: auto"><div id="e">${rows}</div></div></template></div>${AFTER}`,
  'within a sticky parent': ({ rows, cover }) =>
    `<div style="position: fixed; inset: 0 0 auto; height: 40px; background: ${cover}">head</div>${TALL}
      <div style="position: sticky; top: 0"><div id="e">${rows}</div></div>${AFTER}`,
  'with a transform': ({ rows, cover }) =>
    `<header style="position: fixed; inset: 0 0 auto; height: 80px; background: ${cover}">head</header>${TALL}
      <div id="e" style="transform: translate(20px, 30px) scale(0.9)">${rows}</div>${AFTER}`,
};

const COMMON = ['within a box that scrolls', 'in a shadow root, under a header of another one'];

function renderPlace(place: string, changed: Changed): string {
  const row = (text: string) => `<p style="margin: 0; height: 40px; width: 150px">${text}</p>`;
  const rows = [
    row('top'),
    ...Array.from({ length: 20 }, (_, index) => row(`row ${index}`)),
    row(changed === 'bottom' ? 'new bottom' : 'bottom'),
  ].join('');
  const cover = changed === 'cover' ? '#f00' : '#0c0';
  return html(PLACES[place]?.({ rows, cover }) ?? '', '<style>body { margin: 0; background: #fff }</style>');
}

for (const { where, names, tag } of [
  { where: 'in a common place', names: COMMON, tag: [] },
  { where: 'wherever it is', names: Object.keys(PLACES), tag: '@soak' },
])
  test(`an element is captured in full, and nothing that is painted over it, ${where}`, { tag }, async ({
    runs,
    serve,
  }) => {
    test.setTimeout(600_000);
    let changed: Changed = 'nothing';
    const site = await serve(({ url }) => renderPlace(names[Number(url.searchParams.get('place'))] ?? '', changed));
    const pages = names.map((name, index) => `  - { name: "${name}", url: "/?place=${index}" }\n`);
    const list = `baseURL: ${site.url}
defaults: { element: "#e", width: 400, height: 300, strict: false, timeout: 60 }
pages:
${pages.join('')}`;
    const run = async (mode: 'missing' | 'none') => (await runs.run(list, { mode })).statuses;
    const each = (status: string) => names.map((name) => `${name}: ${status}`).sort();
    expect(await run('missing')).toEqual(each('new'));
    for (const [what, status] of [
      ['cover', 'passed'],
      ['bottom', 'changed'],
    ] as const) {
      changed = what;
      expect(await run('none'), what).toEqual(each(status));
    }
  });

test('a locator that matches no element, a hidden one or several is an error that names it', async ({ page, runs }) => {
  await page.setContent(html('<h1>Page</h1><p hidden>x</p><i>1</i><i>2</i>'));
  const messageOf = async (selector: string) =>
    (await runs.match(page.locator(selector), 'part', { timeout: 1 }, 'changed')).verdict.message;
  expect(await messageOf('b')).toContain("locator('b') matches 0 elements");
  expect(await messageOf('p')).toContain("locator('p') is not visible");
  expect(await messageOf('i')).toContain("locator('i') matches 2 elements");
  expect(runs.baselines()).toEqual([]);
});
