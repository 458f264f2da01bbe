import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { RESTLESS } from '../restless.js';
import { test } from '../runs.js';

// As in Firefox and WebKit: nothing of a page is controlled but what Playwright's clock gives to its scripts.
test.use({ control: 'nothing' });

// Animations of CSS have a clock of their own.
const PAGES = {
  ticker: RESTLESS['a ticker by animation frames'],
  carousel: RESTLESS['a carousel every 700 ms'],
  data: `<p id="data">Loading</p><script>
    const ask = (n) => fetch('/data?' + n).then((answer) => answer.text()).then((text) => {
      data.textContent = text + n;
      if (n < 3) setTimeout(ask, 900, n + 1);
    });
    addEventListener('load', () => setTimeout(ask, 900, 1));
  </script>`,
};
const NAMES = Object.keys(PAGES).toSorted();

test('what scripts move by timers and frames is at the same moment in each run, and its change is found', async ({
  runs,
  serve,
}) => {
  let text = 'Page';
  const site = await serve(({ url }) => {
    if (url.pathname === '/data' && url.search) return { body: text, afterMs: 300 };
    return html(`<h1>${text}</h1>${Object.entries(PAGES).find(([name]) => url.pathname === `/${name}`)?.[1]}`);
  });
  const list = `baseURL: ${site.url}\ndefaults: { width: 640, height: 300 }\npages: [${NAMES.map((name) => `/${name}`)}]\n`;
  const statuses = (status: string) => NAMES.map((name) => `${name}: ${status}`);
  expect((await runs.run(list, { mode: 'missing' })).statuses).toEqual(statuses('new'));
  const before = site.received.length;
  expect((await runs.run(list)).statuses).toEqual(statuses('passed'));
  // The first load is accepted, so each page was at the same moment.
  expect(site.received.slice(before).filter(({ url }) => url.search === '')).toHaveLength(NAMES.length);
  text = 'Side';
  expect((await runs.run(list)).statuses).toEqual(statuses('changed'));
});
