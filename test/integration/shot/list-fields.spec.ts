import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { box, STYLE } from '../boxes.js';
import { test } from '../runs.js';

/** What changes between the baselines and the run after them. */
const CHANGING: Record<string, (second: boolean) => string> = {
  '/clock': (second) => box(20, 20, 100, 30, 'class="m"', second ? '12:01' : '12:00'),
  '/clock-and-more': (second) =>
    box(20, 20, 100, 30, 'class="m"', second ? '12:01' : '12:00') +
    box(200, 100, 50, 20, `style="background: ${second ? '#f00' : '#00f'}"`),
  '/moved': (second) => box(second ? 160 : 20, second ? 90 : 20, 100, 30),
  '/come': (second) => `<h1>Come</h1>${second ? box(20, 20, 100, 30) : ''}`,
  '/steady': () => '<h1>Steady</h1><table><tr><th>A<th>B<tr><td>1<td>2</table>',
  '/print': (second) => `<h1>Bill</h1><p>${second ? '11.00' : '10.00'}</p>`,
  // Chromium sometimes draws the element at (0, 0) as hovered, so it is one without a hover style.
  '/menu': () => `<p>Account</p><button onclick="list.hidden = false">Menu</button><ul id="list" hidden><li>One</ul>`,
  '/tall': () => '<h1>Tall</h1><div style="height: 1200px; background: #cde"></div>',
  '/vh': () => '<h1>Window</h1><div style="height: 200vh; background: #cde"></div>',
  '/short': () => '<h1 style="margin: 0">Short</h1>',
  '/too-tall': () => '<h1>Too tall</h1><div style="height: 20100px"></div>',
};

test('masks, PDFs, states and content-height viewports are compared with their baselines', async ({ runs, serve }) => {
  let second = false;
  const site = await serve(({ url }) => html(CHANGING[url.pathname]?.(second) ?? '', STYLE));
  const list = `baseURL: ${site.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: clock-and-more, url: /clock-and-more, mask: .m }
  - { name: moved, url: /moved, mask: .m }
  - { name: typo, url: /clock, mask: ".m, .typo" }
  - { name: typo-strict, url: /clock, mask: ".m, .typo", strictMasks: true }
  - { name: invalid, url: /clock, mask: ".m:no-such" }
  - { name: same-print, url: /steady, format: pdf }
  - { name: other-print, url: /print, format: pdf }
  - { name: menu, url: /menu, base: false, states: { open: { actions: [click: button] }, wide: { width: 600 } } }
  - { name: steady, url: /steady, states: { dark: { colorScheme: dark } } }
  - { name: tall, url: /tall, height: null, width: 700 }
  - { name: come, url: /come, mask: .m }
  - { name: vh, url: /vh, height: null }
  - { name: short, url: /short, height: null }
  - { name: too-tall, url: /too-tall, height: null }
`;
  const first = (await runs.run(list, { mode: 'changed' })).statuses;
  const wrong = ['invalid: error', 'too-tall: error', 'typo-strict: error'];
  expect(first.filter((status) => !status.endsWith(': new'))).toEqual(wrong);
  expect(readFileSync(runs.path('same-print.pdf')).toString('latin1', 0, 5)).toBe('%PDF-');

  second = true;
  const run = await runs.run(list);
  expect(run.passed).toBe(false);
  const { statuses } = run;
  expect(statuses.filter((status) => !status.endsWith(': passed'))).toEqual([
    ...['clock-and-more: changed', 'invalid: error'],
    ...['other-print: changed', 'too-tall: error', 'typo-strict: error'],
  ]);
  expect(statuses).toEqual(
    expect.arrayContaining(['menu/open: passed', 'menu/wide: passed', 'steady/dark: passed', 'steady: passed']),
  );
  expect(statuses).not.toContain('menu: passed');
  const { reason, regions, summary } = run.shot('clock-and-more');
  expect(regions).toEqual([{ x: 200, y: 100, width: 50, height: 20, pixels: 1000 }]);
  expect(summary).toMatchObject({ mismatchPixels: 1000, totalPixels: 400 * 300 });
  expect(reason).toBeTruthy();
  const { reason: typo } = run.shot('typo-strict');
  expect(run.shot('typo').warnings).toEqual([{ code: 'mask-no-match', message: '`mask`: no element matches ".typo"' }]);
  expect(typo).toContain('`mask`: no element matches ".typo" (`strictMasks`');
  expect(run.shot('invalid').reason).toContain('`mask`: ".m:no-such" is not a valid CSS selector');
  const print = run.shot('other-print');
  expect([print.after?.width, print.after?.height]).toEqual([596, 843]);
  expect(print).toMatchObject({ summary: { totalPixels: 1192 * 1686, sameDimensions: true }, diff: { width: 1192 } });
  expect(print.reason).toMatch(/^[\d,]+ px \(.*\) differ, limit 0 px; /);
  const size = (id: string) => [run.shot(id).capture?.width, run.shot(id).capture?.height];
  const image = (id: string) => [run.shot(id).after?.width, run.shot(id).after?.height];
  expect(size('tall')).toEqual(image('tall'));
  expect(size('tall')[0]).toBe(700);
  expect(size('tall')[1]).toBeGreaterThan(1200);
  expect(size('short')).toEqual([400, 100]);
  expect(size('menu/wide')).toEqual([600, 300]);
  expect(run.shot('come').warnings).toEqual([]);
  expect(run.shot('too-tall').reason).toMatch(
    /the content is 20\d\d\d px tall; the maximum height of a viewport is 20000 px/,
  );
});
