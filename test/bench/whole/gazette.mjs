import { SVG, writeDocument } from './shared.mjs';

const WORDS =
  'harbour council winter ferry market bridge garden library station museum river lantern kitchen window island morning ticket summer valley engine orchard theatre village signal paper copper timber meadow pocket corner'.split(
    ' ',
  );

/** Writes words that are the same in each run, and other ones for each seed. */
export const say = (seed, count) => {
  const words = Array.from({ length: count }, (_, index) => WORDS[(seed * 7 + index * index * 3 + index * 11) % 30]);
  const text = words.join(' ');
  return text[0].toUpperCase() + text.slice(1);
};
export const each = (count, write) => Array.from({ length: count }, (_, index) => write(index + 1)).join('\n');
export const paragraphs = (count, seed = 1) => each(count, (at) => `<p>${say(seed + at, 48 + ((at * 13) % 30))}.</p>`);
export const chapters = (count, seed = 1, length = 3) =>
  each(count, (at) => `<h2>${say(seed * 3 + at, 4)}</h2>${paragraphs(length, seed + at * 5)}`);
export const cards = (count, seed = 1) =>
  each(
    count,
    (at) =>
      `<article class="card"><h3>${say(seed + at, 3)}</h3><p>${say(seed * 2 + at, 16)}.</p><small>${at} min</small></article>`,
  );
export const style = (css) =>
  `<style>*{box-sizing:border-box}body{color:#222}h1,h2,h3,p{margin:0 0 16px}.wrap{max-width:760px;margin:0 auto;padding:24px}.top{display:flex;gap:24px;align-items:center;padding:14px 24px;background:#1c2733;color:#fff}.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:20px}.card{padding:16px;border:1px solid #ddd;border-radius:8px;background:#fff}footer{padding:48px 24px;background:#eee}${css}</style>`;
export const TOP =
  '<header class="top"><b>Northport</b><nav>News &nbsp; Culture &nbsp; Sport &nbsp; Letters</nav></header>';
export const FOOTER = '<footer>Northport Gazette, Quay Street 4. Imprint, privacy, accessibility.</footer>';
export const SANS = 'body{margin:0;font:15px/1.5 sans-serif}';
export const inner = (body, css = '') => writeDocument([], `${style(SANS + css)}${body}`);
export const quote = (html) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
export const picture = (color, width = 600, height = 400) =>
  `<svg ${SVG} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${color}"/><circle cx="${width / 2}" cy="${height / 2}" r="${height / 4}" fill="#fff" opacity=".4"/></svg>`;
export const ticker = (seed) =>
  `<div class="ticker"><div>${each(10, (at) => `<span>${say(seed + (at % 5), 5)}</span>`)}</div></div>`;
export const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Edda', 'Finn', 'Gus', 'Hana'];

export const ENTER = ' >> internal:control=enter-frame >> ';
export const inFrame = (frame = 'iframe', place = '#change') => ({ see: `${frame}${ENTER}${place}` });
