import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { look, readImage } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

const RED = '#ff0000';
const BLUE = '#0000ff';
const PAUSED = `<style>@keyframes grow { to { width: 200px } }
  i { display: block; height: 20px; width: 0; background: ${RED}; animation: grow 10s linear paused; animation-delay: -3s }</style><i></i>`;
/** What the browser itself moves, by its own style sheet. */
const CONTROLS = `<progress></progress><meter value="0.5"></meter><input type="range"><input type="number" value="1"><input type="date">
  <select size="1"><option>one</option></select><marquee width="200">Breaking news</marquee><audio controls></audio>
  <video controls width="200" height="80"></video><details><summary>more</summary>text</details><input autofocus>`;
const FILM =
  '<video autoplay muted loop playsinline width="320" height="180" src="/clip.webm" style="display: block"></video>';
const FILM_IN_SHADOW = `<div><template shadowrootmode="open">${FILM}</template></div>`;
const HOVER = `<style>div { width: 400px; height: 200px; background: ${BLUE} } div:hover { background: ${RED} }</style><div></div>`;

/** The image of a page that is wider than its window needs several frames, and their number differs. */
const WIDE = `<style>@keyframes turn { to { transform: rotate(1turn) } }
  b { display: block; width: 80px; height: 80px; border: 9px solid; border-color: ${RED} ${BLUE}; animation: turn 20ms linear infinite }
  p { width: 700px }</style><b></b>`;

/** Moves by a pixel in each millisecond, with a clock of its own. */
const SPINNER = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="20">
  <style>@keyframes run { to { transform: translateX(1000px) } } rect { fill: ${RED}; animation: run 1s linear infinite }</style>
  <rect width="400" height="20"/></svg>`;

const FIELDS: Record<string, string> = { clicked: ', actions: [{ click: div }]', wide: ', fullSize: true' };

const PAGES: Record<string, string> = {
  wide: WIDE,
  paused: PAUSED,
  spinner: '<img src="/spinner.svg">',
  controls: `${CONTROLS}<iframe src="/frame"></iframe>`,
  film: FILM,
  'film-in-shadow': FILM_IN_SHADOW,
  clicked: HOVER,
  hover: HOVER,
};

test('what moves by itself stands still at a place that is known, and nothing is hovered over', async ({
  runs,
  serve,
}) => {
  let text = 'old';
  const clip = readFileSync('fixtures/settle/videos/clip.webm');
  const site = await serve(({ url: { pathname } }) => {
    if (pathname === '/clip.webm') return { headers: { 'content-type': 'video/webm' }, body: clip };
    if (pathname === '/spinner.svg') return { headers: { 'content-type': 'image/svg+xml' }, body: SPINNER };
    if (pathname === '/frame') return html(CONTROLS);
    return html(`${PAGES[pathname.slice(1)]}<p>${text}</p>`, '<style>body { margin: 0 }</style>');
  });
  const list = `baseURL: ${site.url}
defaults: { width: 400, height: 800, timeout: 60 }
pages:
${Object.keys(PAGES)
  .map((name) => `  - { name: ${name}, url: /${name}${FIELDS[name] ?? ''} }\n`)
  .join('')}`;
  const run = async (mode: 'missing' | 'none') => (await runs.run(list, { mode })).statuses;
  const each = (status: string) =>
    Object.keys(PAGES)
      .map((name) => `${name}: ${status}`)
      .sort();
  expect(await run('missing')).toEqual(each('new'));
  const pictureOf = (name: string) => look(readImage(readFileSync(runs.path(`${name}.png`))));
  expect((await pictureOf('paused')).boxOf(RED)).toEqual({ x: 0, y: 0, width: 60, height: 20 });
  expect((await pictureOf('spinner')).count(RED), 'a frame after a whole second').toBe((400 - 17) * 20);
  expect((await pictureOf('clicked')).count(RED), 'the click hovers over it').toBe(400 * 200);
  expect((await pictureOf('hover')).count(BLUE), 'nothing does').toBe(400 * 200);
  const pixelsOf = async (name: string) => (await decodeImage(readImage(readFileSync(runs.path(`${name}.png`))))).data;
  expect(Buffer.compare(await pixelsOf('film'), await pixelsOf('film-in-shadow')), 'both show the first frame').toBe(0);
  expect(await run('none')).toEqual(each('passed'));
  text = 'new';
  expect(await run('none')).toEqual(each('changed'));
});
