import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { root } from '../../../scripts/run.mjs';

const TEXT = 'The harbour opens at six. Boats leave every half hour, in winter every hour, and carry mail and bread.';
const PARAGRAPHS = `<p>${TEXT}</p>`.repeat(4);
const FONT_CSS = (display) =>
  `@font-face { font-family: Own; src: url(inter.woff2); font-display: ${display}; } body { font-family: Own, serif; }`;
/** `address` is an expression. */
const LIST_SCRIPT = (address = "'items.json'") => `
  fetch(${address}).then((response) => response.json()).then(({ items }) => {
    document.querySelector('#list').innerHTML = items.map((item) => '<li>' + item + '</li>').join('');
  })`;
const ITEMS = (from) => JSON.stringify({ items: Array.from({ length: 6 }, (_, index) => `Item ${from + index}`) });
const STYLE = 'body { background: #f0f4ff; color: #123; margin: 40px; } h1 { color: #a33; letter-spacing: 2px; }';
const LINK = '<link rel="stylesheet" href="style.css">';

/** Each page is a kind of late content; it has its own files, so that no page warms up another. */
const PAGES = {
  stylesheet: page(LINK, PARAGRAPHS, { 'style.css': STYLE }),
  'stylesheet-by-script': page(
    '',
    `${PARAGRAPHS}<script>addEventListener('load', () => { const link = document.createElement('link');
        link.rel = 'stylesheet'; link.href = 'style.css'; document.head.append(link); });</script>`,
    { 'style.css': STYLE },
  ),
  'font-swap': page(`<style>${FONT_CSS('swap')}</style>`, PARAGRAPHS, { 'inter.woff2': 'font' }),
  'font-optional': page(LINK, PARAGRAPHS, { 'style.css': FONT_CSS('optional'), 'inter.woff2': 'font' }),
  'images-without-size': page(
    '',
    images(6, (n) => `<img src="${n}.png" alt="Boat ${n}"><p>${TEXT}</p>`),
  ),
  'lazy-images': page(
    '',
    images(5, (n) => `<p style="height: 900px">${TEXT}</p><img loading="lazy" src="${n}.png" alt="">`),
  ),
  'async-scripts': page(
    '<script async src="a.js"></script><script async src="b.js"></script><script defer src="c.js"></script>',
    `<div id="a">a waits</div><div id="b">b waits</div><div id="c">c waits</div>${PARAGRAPHS}`,
    Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.js`, show(`#${name}`, `${name} is ready`)])),
  ),
  'module-chain': page('<script type="module" src="main.js"></script>', '<div id="list">Loading</div>', {
    'main.js': `import { text } from './text.js'; document.querySelector('#list').textContent = text;`,
    'text.js': `import { word } from './word.js'; export const text = 'The ' + word + ' is open';`,
    'word.js': `export const word = 'harbour';`,
  }),
  'fetch-with-error-text': page(
    '',
    `<ul id="list"><li>Loading</li></ul><script>${LIST_SCRIPT()}
        .catch(() => { document.querySelector('#list').textContent = 'The list could not be loaded'; })</script>`,
    { 'items.json': ITEMS(10) },
  ),
  'fetch-chain': page(
    '',
    `<ul id="list"></ul><img id="image" alt=""><script>fetch('first.json').then((response) => response.json())
        .then(({ next, image }) => { document.querySelector('#image').src = image; return ${LIST_SCRIPT('next').trim()}; })</script>`,
    { 'first.json': JSON.stringify({ next: 'items.json', image: '1.png' }), 'items.json': ITEMS(30) },
  ),
  'content-on-scroll': page(
    '',
    `${'<section style="min-height: 700px">Loading</section>'.repeat(4)}<script>
      const watch = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if (isIntersecting) {
        watch.unobserve(target);
        fetch(target.dataset.part).then((response) => response.text()).then((html) => { target.innerHTML = html; }); } });
      document.querySelectorAll('section').forEach((section, index) => { section.dataset.part = index + '.html'; watch.observe(section); });
      </script>`,
    Object.fromEntries([0, 1, 2, 3].map((n) => [`${n}.html`, `<h2>Part ${n}</h2><img src="${n + 1}.png" alt="">`])),
  ),
  frame: page('', `${PARAGRAPHS}<iframe src="inner.html" width="600" height="400"></iframe>`, {
    'inner.html': render(LINK, `<p>${TEXT}</p><img src="1.png" alt="">`),
    'style.css': STYLE,
  }),
};

/**
 * Writes the pages into a folder.
 *
 * @returns their paths below the folder.
 */
export function writeOwnPages(folder) {
  for (const [name, files] of Object.entries(PAGES)) {
    for (const [file, content] of Object.entries(files)) {
      const place = join(folder, name, file);
      mkdirSync(dirname(place), { recursive: true });
      if (content === 'font') cpSync(join(root, 'fixtures/site/fonts/inter-latin-400-normal.woff2'), place);
      else writeFileSync(place, content);
    }
    const used = Object.values(files).flatMap((text) => [...text.matchAll(/\b(\d)\.png/g)]);
    for (const [file, number] of used) writeFileSync(join(folder, name, file), paint(Number(number)));
  }
  return Object.keys(PAGES).map((name) => `${name}/index.html`);
}

/** The files of a page, but for its images: each that it names is painted. */
function page(head, body, files = {}) {
  return { 'index.html': render(head, body), ...files };
}

function render(head, body) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour</title><link rel="icon" href="data:,">${head}</head><body><h1>Harbour</h1>${body}</body></html>`;
}

function show(selector, text) {
  const set = `document.querySelector('${selector}').textContent = '${text}'`;
  return `document.readyState === 'loading' ? addEventListener('DOMContentLoaded', () => { ${set} }) : (${set});`;
}

function images(count, markup) {
  return Array.from({ length: count }, (_, index) => markup(index + 1)).join('');
}

/** Paints an image whose colors depend on its number. */
function paint(number) {
  const png = new PNG({ width: 320, height: 200 });
  for (let y = 0; y < png.height; y++)
    for (let x = 0; x < png.width; x++)
      png.data.set([(x + 60 * number) % 256, (y * 2 + 90 * number) % 256, (x ^ y) % 256, 255], (y * png.width + x) * 4);
  return PNG.sync.write(png);
}
