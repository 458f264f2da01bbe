import type { Page } from '@playwright/test';
import type { CaptureSettings } from '../../../src/model/shot.js';
import { expect, html } from '../../e2e/project.js';
import { take, tell, test } from './settle.js';

test('what failed in a document is forgotten once another one replaces it', async ({ browser, serve }) => {
  const { url, received } = await serve(({ url: { pathname } }) => {
    if (pathname === '/photo.svg')
      return received.filter((request) => request.url.pathname === pathname).length === 1
        ? { status: 401 }
        : { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
    const reload =
      "if (!sessionStorage.seen) { sessionStorage.seen = 1; addEventListener('load', () => location.reload()) }";
    return html(`<h1>Page</h1><img src="/photo.svg"><script>${reload}</script>`);
  });
  const { capture } = await take(browser, url, {});
  expect(received.filter((request) => request.url.pathname === '/photo.svg')).toHaveLength(2);
  expect(capture.warnings).toEqual([]);
  expect(capture.missingResponses).toEqual([]);
});

const DONE: Partial<CaptureSettings> = {
  waitFor: [{ kind: 'selector', selector: 'h1' }],
  javascriptCode: "document.querySelector('h1').textContent += ' done'",
};

for (const { what, script, settings = {} } of [
  { what: 'goes to another page after 4.9 s', script: "setTimeout(() => { location.href = '/other' }, 4_900)" },
  { what: 'reloads after 4.9 s', script: 'setTimeout(() => { location.reload() }, 4_900)' },
  {
    what: 'goes to another page after 2.9 s, before another timer',
    script: "setTimeout(() => { location.href = '/other' }, 2_900); setTimeout(() => {}, 4_900)",
  },
  {
    what: 'a timer leaves, with what the list did in it,',
    script: "setTimeout(() => { location.href = '/other' }, 3_000)",
    settings: DONE,
  },
])
  test(`a page that ${what} is captured as it was before`, async ({ browser, serve }) => {
    const { url } = await serve(({ url: { pathname } }) =>
      html(pathname === '/other' ? '<h1>Other</h1>' : `<h1>Wait</h1><script>${script}</script>`),
    );
    const titles: unknown[] = [];
    const after = async (page: Page) => titles.push(await page.locator('h1').textContent());
    const first = await take(browser, `${url}/wait`, { after, settings });
    const second = await take(browser, `${url}/wait`, { after, settings });
    expect([tell(first, first.capture.image.bytes), tell(second, first.capture.image.bytes)]).toEqual([
      'the same, image 1',
      'the same, image 1',
    ]);
    const title = settings === DONE ? 'Wait done' : 'Wait';
    expect(titles).toEqual([title, title]);
  });

test('a frame that navigates all the time does not keep its page from being captured', { tag: '@soak' }, async ({
  browser,
  serve,
}) => {
  const { url } = await serve(({ url: { pathname } }) =>
    html(
      pathname === '/frame'
        ? '<script>setTimeout(() => { location.search = Number(location.search.slice(1)) + 1 }, 10)</script>'
        : `<h1>Page</h1>${'<iframe src="/frame"></iframe>'.repeat(2)}`,
    ),
  );
  const { kind } = await take(browser, url, { settings: { hide: ['h2'] }, isExpected: () => true, timeoutMs: 60_000 });
  expect(kind).toBe('settled');
});
