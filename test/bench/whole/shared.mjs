/** What many specimens share. Their texts have two versions: see `site.mjs`. */

/** What is above the place of the change, and higher than the window. */
export const TALL = '<h1>Specimen</h1><div class="tall"></div>';

/** The change that a visitor sees. */
export const CHANGE =
  '<div id="change" style="height:120px;padding:8px;background:«#fc6|#6cf»">«Price: 10 EUR|Price: 20 EUR»</div>';

/** A place whose content comes late: a script calls `show`. */
export const LATE = `<h1>Specimen</h1><div id="change" style="width:320px;height:120px"></div><script>
function show(text) { if (!text) return; const place = document.querySelector('#change'); place.textContent = text; place.style.background = text.includes('20') ? '#6cf' : '#fc6'; }
function add(name, fields) { document.head.append(Object.assign(document.createElement(name), fields)); }
</script>`;

/** What a late response says: nothing, and then something. The page equals its baseline until it arrives. */
export const NEWS = '«|News: 20»';

/** What a late response says: one thing, and then another. */
export const VALUE = '«Value: 10|Value: 20»';

/** Writes a document. `load` are files of libraries. */
export function writeDocument(load, body) {
  const tags = load.map((path) =>
    path.endsWith('.css') ? `<link rel="stylesheet" href="/lib/${path}">` : `<script src="/lib/${path}"></script>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Specimen</title>
<style>body{margin:0;font:16px/1.5 sans-serif}h1,p{margin:24px}iframe{border:0}.tall{height:1800px;background:#eef}</style>
${tags.join('\n')}\n${body}</html>`;
}

/** Repeats a text, in which `#` is the number from 1. */
export function repeat(count, text) {
  return Array.from({ length: count }, (_, index) => text.replaceAll('#', index + 1)).join('\n');
}

export const SVG = 'xmlns="http://www.w3.org/2000/svg"';

/** The style of a page whose parts scroll, and not the page. */
export const SHELL = 'html,body{height:100%;overflow:hidden}';
export const style = (css) => `<style>p{margin:0 16px 12px}${css}</style>`;
export const inner = (body, css = '') => writeDocument([], `${style(css)}${body}`);
export const said = (says) => `<p id="change" style="background:#fd6;padding:16px">${says}</p>`;

/** The visitor turns the wheel sideways. */
export const RIGHT = { turn: [400, 0] };

/** What a visitor sees within a frame. */
export const IN_FRAME = { see: 'iframe >> internal:control=enter-frame >> #change', over: [300, 300] };
