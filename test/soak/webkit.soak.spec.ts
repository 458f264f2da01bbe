import { readFileSync } from 'node:fs';
import { type Browser, expect, webkit } from '@playwright/test';
import { look, readImage } from '../e2e/direct.js';
import { html } from '../e2e/project.js';
import { test as base } from '../integration/runs.js';
import { installWebKit, launchWebKit } from '../webkit-window.mjs';

// WebKitGTK as Debian ships it. Playwright's own WebKit runs the same code of ours.
const test = base.extend<object, { webkitWindows: Browser }>({
  webkitWindows: [
    async ({}, use) => {
      installWebKit();
      const browser = await launchWebKit(webkit);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

const pageOf = (isAfter: boolean) => `<style>.title { color: ${isAfter ? '#1d4ed8' : '#3b82f6'} }</style>
  <h1 class="title">A title</h1><p id="clock" style="background: #eee; width: 200px"></p>
  <details><summary>Menu</summary><p>Entry</p></details>
  <div id="late" style="height: 200px; margin-top: 1500px"></div>
  ${isAfter ? '<p class="notice" style="height: 40px; background: #fee2e2">A notice</p>' : ''}
  <div style="height: 1000px; background: linear-gradient(#fff, #06c)"></div>
  <p id="last" style="margin: 0; height: 30px; background: #0f0">Last line</p>
  <div id="cookie-banner" style="position: fixed; bottom: 0; background: #fde68a">
    We use cookies. <button>Accept all</button> <button>Reject all</button></div>
  <script>
    clock.textContent = Math.random();
    new IntersectionObserver(([{ isIntersecting }]) => {
      if (isIntersecting) late.textContent = 'Appeared when it was scrolled to';
    }).observe(late);
  </script>`;

test('WebKit captures whole pages, windows and elements to the same bytes twice, and names the causes of a change', async ({
  runs,
  serve,
  webkitWindows: browser,
}) => {
  let isAfter = false;
  const site = await serve(() => html(pageOf(isAfter)));
  const list = `baseURL: ${site.url}
defaults: { scale: device }
pages:
  - { name: whole, url: /, fullSize: true, mask: ["#clock"], hideCookie: true }
  - { name: window, url: /, ignore: ["#clock"], actions: [{ click: summary }] }
  - { name: element, url: /, element: h1 }
`;
  const names = ['element', 'whole', 'window'];
  const first = await runs.run(list, { browser, mode: 'missing' });
  expect(first.statuses).toEqual(names.map((name) => `${name}: new`));
  const whole = await look(readImage(readFileSync(runs.path('whole.png'))));
  expect(whole.at(20, whole.height - 9), 'the last row').toBe('#00ff00');
  expect(whole.count('#fde68a'), 'no banner').toBe(0);
  expect(first.shot('whole').environment).toMatchObject({ browser: 'webkit' });

  const second = await runs.run(list, { browser });
  expect(second.statuses).toEqual(names.map((name) => `${name}: passed`));

  isAfter = true;
  const third = await runs.run(list, { browser });
  expect(third.statuses).toEqual(names.map((name) => `${name}: changed`));
  const causesOf = (name: string) =>
    third.shot(name).causes?.map(({ kind, element, property }) => [kind, element, property]);
  const title = ['restyled', 'h1.title', 'color'];
  expect(causesOf('whole')).toEqual([['inserted', 'p.notice', null], title]);
  expect(third.shot('whole').events).toContainEqual(expect.objectContaining({ kind: 'inserted' }));
  expect(causesOf('window')).toEqual([title]);
  expect(causesOf('element')).toEqual([title]);
});

test('WebKit loads a page a third time if both loads lost a response', async ({
  runs,
  serve,
  webkitWindows: browser,
}) => {
  const site = await serve(({ url: { pathname } }) =>
    pathname === '/lost.png' ? { isReset: true } : html('<h1>Text</h1><img src="/lost.png">'),
  );
  const list = `baseURL: ${site.url}\npages: [{ name: lost, url: /, scale: device, strict: false }]\n`;
  const run = await runs.run(list, { browser, mode: 'missing' });
  expect(run.statuses).toEqual(['lost: new']);
  expect(site.received.filter(({ url }) => url.pathname === '/')).toHaveLength(3);
});
