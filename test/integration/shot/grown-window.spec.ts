import { expect } from '@playwright/test';
import { look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

// The window grows until it is as tall as the page.

// Each step has an observer of its own, and all of them come into view when the window grows. Chromium calls them in a random order.
const PAGE =
  html(`<style>p { height: 600px } #last { position: absolute; top: 0; left: 0; width: 50px; height: 50px }</style>
  <div id="last"></div>${'<p>step</p>'.repeat(6)}<script>
    document.querySelectorAll('p').forEach((step, index) => {
      const show = (entries) => { if (entries[0].isIntersecting) last.style.background = '#00' + index + index + 'ff'; };
      new IntersectionObserver(show, { threshold: 0.5 }).observe(step);
    });
  </script>`);

test('observers that are called in one frame are called in the order in which they were created', async ({
  serve,
  shoot,
}) => {
  const site = await serve(() => PAGE);
  const names = ['a', 'b', 'c', 'd'];
  const pages = names.map((name) => `{ name: ${name}, url: / }`).join(', ');
  const shots = await shoot(
    `baseURL: ${site.url}\ndefaults: { width: 300, height: 400, fullSize: true }\npages: [${pages}]\n`,
  );
  for (const name of names) expect((await look(shots.capture(name).image)).at(10, 10), name).toBe('#0055ff');
});

test('a capture starts no animation that depends on the window size', async ({ serve, shoot }) => {
  const seen: string[] = [];
  const site = await serve(({ url }) => {
    if (url.pathname === '/seen') seen.push(url.search);
    return html(`<style>body { margin: 0 } @keyframes turn { to { background: #00f } }
      #box { width: 100px; height: 100px; background: #f00; transition: background 1s }
      @media (min-height: 301px) { #box { background: #00f; animation: turn 1s forwards } }</style>
      <div id="box"></div><div style="height: 2000px"></div>
      <script>for (const event of ['animationstart', 'transitionrun']) addEventListener(event, () => fetch('/seen?' + event))</script>`);
  });
  const list = `baseURL: ${site.url}\npages: [{ name: tall, url: /, fullSize: true, width: 400, height: 300 }]\n`;
  const picture = await look((await shoot(list)).capture('tall').image);
  expect([picture.count('#ff0000'), picture.count('#0000ff'), seen]).toEqual([10_000, 0, []]);
});
