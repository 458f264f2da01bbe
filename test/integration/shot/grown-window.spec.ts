import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

const STYLE = '<style>body { margin: 0 } .hero { height: 100vh; background: #06c } .tall { height: 2000px }</style>';

/** Pages whose window grows for the image, and what comes of each: its status, and the height or the message. */
const PAGES: Record<string, { page: string; fields?: string; said: string | RegExp }> = {
  // A login wall is fixed: it is hidden while the image is compared with what a visitor sees.
  wall: {
    page: '<title>Sign in</title><div style="position: fixed; inset: 0; background: #fff"><h1>Sign in</h1><input type="password"></div><div class="tall"></div>',
    fields: 'strict: true',
    said: /^error: .*the page asks for a password and looks like a sign-in page/,
  },
  // It reloads when its window has grown. The second document begins in the window that was asked for.
  reloads: {
    page: `<div class="hero"></div><div class="tall"></div><script>
      if (!sessionStorage.seen) setTimeout(() => { sessionStorage.seen = 1; location.reload(); }, 5_300)</script>`,
    said: 'new: 2300 px',
  },
  // Scripts of some pages reload it at each new size of the window.
  resizes: {
    page: '<div class="hero"></div><div class="tall"></div><script>onresize = () => location.reload()</script>',
    said: 'new: 2300 px',
  },
  // The footer comes into view with the taller window.
  vanishes: {
    page: `<button id="buy" style="position: fixed; bottom: 0">Buy</button><div class="tall"></div><footer>End</footer><script>
      new IntersectionObserver(([entry]) => { buy.style.display = entry.isIntersecting ? 'none' : ''; }).observe(document.querySelector('footer'))</script>`,
    fields: 'element: "#buy"',
    said: /^error: .*locator\('#buy'\) is not visible/,
  },
  // The script of the list ends, and the page draws no frame any more.
  frozen: {
    page: '<p>Text</p>',
    fields: 'timeout: 3, javascriptCode: "requestAnimationFrame(() => { for (;;); })"',
    said: /^error: .*timeout of 3 s exceeded/,
  },
};

test('a page is the same in a window that grew: its parts, its next document, its element', async ({ runs, serve }) => {
  const site = await serve(({ url }) => html(PAGES[url.pathname.slice(1)]?.page ?? '', STYLE));
  const names = Object.keys(PAGES);
  const pages = names.map((name) => {
    const { fields } = PAGES[name] ?? {};
    return `  - { name: ${name}, url: /${name}${fields ? `, ${fields}` : ''} }`;
  });
  const list = `baseURL: ${site.url}\ndefaults: { width: 400, height: 300, fullSize: true, strict: false }\npages:\n${pages.join('\n')}\n`;
  const { shot } = await runs.run(list, { mode: 'changed' });
  for (const [name, { said }] of Object.entries(PAGES)) {
    const { status, reason, after } = shot(name);
    const result = `${status}: ${reason ?? `${after?.height} px`}`;
    expect.soft(result, name).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  }
});
