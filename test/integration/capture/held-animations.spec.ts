import { expect, type Page } from '@playwright/test';
import { resolveWaits } from '../../../src/page-list/resolve/resolve-capture.js';
import { html } from '../../e2e/project.js';
import { take, test } from './settle.js';

/** Two animations of 0.3 s, the second one delayed, and an image that takes 0.8 s. */
const SPECIMEN = `<style>
    @keyframes rise { from { opacity: 0 } } h1 { animation: rise 0.3s } p { animation: rise 0.3s 0.2s both }
  </style>
  <h1>Title</h1><p>Text</p><img src="/late.png" alt="">
  <script>
    const events = [];
    for (const element of document.querySelectorAll('h1, p'))
      for (const type of ['animationstart', 'animationend'])
        element.addEventListener(type, () => events.push(element.localName + ' ' + type));
    addEventListener('animationend', () => document.body.classList.add('ended'));
    addEventListener('load', () => events.push('load'));
  </script>`;

const CASES = {
  'animations are held until the page is loaded, in its frames too': { wish: {}, isHeld: true },
  'animations are held until the interactions start': {
    wish: { settings: { waitFor: resolveWaits('.ended') } },
    isHeld: true,
  },
  'animations run while the page loads if their stabilizer is off': {
    wish: { settle: { animations: false } },
    isHeld: false,
  },
};

for (const [what, { wish, isHeld }] of Object.entries(CASES))
  test(what, async ({ browser, serve }) => {
    const site = await serve(({ url: { pathname } }) => {
      if (pathname === '/late.png') return { status: 404, afterMs: 800 };
      return html(pathname === '/' ? `${SPECIMEN}<iframe src="/frame"></iframe>` : SPECIMEN);
    });
    let frames: string[][] = [];
    const after = async (page: Page) => {
      frames = await Promise.all(page.frames().map((frame) => frame.evaluate<string[]>('events')));
    };
    await take(browser, site.url, { ...wish, holdsAnimations: true, after });
    const all = ['h1 animationend', 'h1 animationstart', 'load', 'p animationend', 'p animationstart'];
    expect(frames.map((events) => [...events].sort())).toEqual([all, all]);
    for (const events of frames) expect(events.indexOf('load') < events.indexOf('h1 animationend')).toBe(isHeld);
  });
