import { expect } from '@playwright/test';
import { readRows, take, test, warningsOf } from './settle.js';

/** Pages that wait for something that never comes, and what is said of it. */
const NEVER: Record<string, { path: string; says: string; timeoutMs?: number }> = {
  load: {
    path: 'load/?script=/never/a.js',
    says: 'load: the page did not finish loading: no response for SITE/never/a.js',
  },
  fonts: { path: 'fonts/?font=/never/a.woff2', says: 'fonts: fonts did not finish loading: Specimen' },
  busy: { path: 'busy/?late=60000', says: 'busy: elements are still marked with aria-busy: #arrivals' },
  // A font that never comes, an open socket and a poll: together, they cost less than the default deadline.
  connected: {
    path: 'connected/',
    timeoutMs: 28_000,
    says: 'load: the page did not finish loading: no response for SITE/never/letters.woff2',
  },
};

const NEVER_SHOWN: typeof NEVER = {
  images: {
    path: 'images/?only=lazy&image=/never/a.jpg',
    says: 'images: images or frames did not finish loading: SITE/never/a.jpg',
  },
  backgrounds: {
    path: 'images/?only=background&image=/never/a.jpg',
    says: 'load: the page did not finish loading: no response for SITE/never/a.jpg',
  },
  frames: {
    path: 'images/?only=frame&frame=/never/a.html',
    says: 'images: images or frames did not finish loading: SITE/never/a.html',
  },
  videos: {
    path: 'videos/?video=/never/a.webm',
    says: 'videos: videos did not load their first frame: SITE/never/a.webm',
  },
};

for (const { what, pages, tag = [] } of [
  { what: 'a script, a font or an element', pages: NEVER },
  { what: 'an image, a frame or a video', pages: NEVER_SHOWN, tag: '@soak' },
])
  test(`${what} that never comes is given up, and a warning names it`, { tag }, async ({ browser, site }) => {
    // All at once: each waits until its cause gives up, and does nothing meanwhile.
    const captured = Object.entries(pages).map(async ([name, { path, says, timeoutMs = 90_000 }]) => {
      const result = await take(browser, `${site.url}/${path}`, { isExpected: () => true, timeoutMs });
      expect(warningsOf(result), name).toContain(says.replace('SITE', site.url));
      expect(warningsOf(result).join(), name).not.toContain('/poll');
    });
    await Promise.all(captured);
  });

test('what has not come when the document is read is not waited for if `settle` says so', async ({ browser, site }) => {
  const start = performance.now();
  const result = await take(browser, `${site.url}/load/?script=/never/a.js`, { settle: { load: false } });
  expect(warningsOf(result).join()).not.toContain('load:');
  // A response is waited for 10 s otherwise.
  expect(performance.now() - start).toBeLessThan(9_000);
});

test('a style sheet that takes 4 s is in the first image that is believed', async ({ browser, site }) => {
  const { capture } = await take(browser, `${site.url}/late/`, {});
  const [row] = await readRows(capture.image);
  expect(row?.left).toBe('253,230,138');
});

test('an event stream that was answered has not failed to load; one that never was is named', async ({
  browser,
  serve,
}) => {
  const pages: Record<string, string> = {
    '/source': `new EventSource('/events')`,
    '/fetch': `fetch('/events').then((response) => response.text())`,
    '/unanswered': `new EventSource('/never')`,
  };
  const { url } = await serve(({ url: { pathname } }) => {
    if (pathname === '/never') return null;
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    if (pathname === '/events') return { headers, body: 'data: one\n\ndata: two\n\n', bodyAfterMs: 20_000 };
    return `<p>Tracking</p><script>${pages[pathname]}</script>`;
  });
  const warnings = Object.keys(pages).map(async (path) => {
    const taken = warningsOf(await take(browser, url + path, { isExpected: () => true, timeoutMs: 60_000 }));
    return taken.filter((warning) => warning.startsWith('load:'));
  });
  const unanswered = `load: the page did not finish loading: no response for ${url}/never`;
  expect(await Promise.all(warnings)).toEqual([[], [], [unanswered]]);
});
