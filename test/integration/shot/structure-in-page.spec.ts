import { expect } from '@playwright/test';
import type { Structure, StructureElement, StyleAnswer } from '../../../src/model/capture.js';
import { CLOSED_ROOTS_SCRIPT } from '../../../src/page/cookies/hide-banners.js';
import { callOn, initScriptOf } from '../../../src/page/in-page/frames.js';
import type { Tools } from '../../../src/page/in-page/tools.js';
import { flattenNodes } from '../../../src/page/structure/flatten-nodes.js';
import { readByProtocol, readInPage } from '../../../src/page/structure/read-structure.js';
import { expandAreas } from '../../../src/page/window/expand-areas.js';
import { type Answer, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

const SITE_CSS = `@import url("/imported.css");
/* A comment with a brace: { */
@layer base, theme;
@layer theme { .layered { color: rgb(1, 2, 3) } }
@layer base { #layered { color: rgb(4, 5, 6) } }
.card {
  --gap: 12px;
  padding-top: var(--gap);
  margin: var(--gap);
  border-radius: 4px;
}
.card .title, h3 { color: teal }
.card { & .title { letter-spacing: 1px } }
@media (min-width: 1px) { .wide { width: 300px } }
@media (max-width: 1px) { .wide { width: 100px } }
@supports (display: block) { .supported { opacity: 0.5 } }
@supports (display: nothing) { .supported { opacity: 0.1 } }
.loud { color: red !important }
#quiet { color: blue }
:is(#quiet, p):not(.other) { text-align: right }
:where(#quiet) { text-align: center }
.icon::before { content: "*"; color: green; display: block; width: 20px; height: 20px }
`;

const PAGE = `<link rel="stylesheet" href="/site.css">
  <style>.inline { text-indent: 3px }</style>
  <div class="card"><p class="title">A title</p> between <b>bold</b><p hidden>hidden</p></div>
  <p id="layered" class="layered">Layered</p>
  <p id="quiet" class="loud inline" style="margin-left: 7px">Loud</p>
  <div class="wide supported icon" title="A name">Wide</div>
  <h3>Imported</h3> <p>A line<br></p> <p style="padding-left: 0.4px">Another line<br></p>
  <div style="display: contents"><i>Contents</i></div>
  <div style="visibility: hidden">Invisible<u style="visibility: visible">Visible</u></div>
  <a href="/other"><img alt="Portrait" src="/portrait.svg"></a>
  <div style="width: 30px; height: 30px; background: url(/portrait.svg)"></div>
  <svg width="40" height="40"><defs><marker id="m"></marker></defs><g><rect width="20" height="20" fill="red"/></g></svg>
  <canvas width="20" height="20"></canvas> <input value="a value"> <select><option>One</option></select>
  <table><tr><td>Cell</td></tr></table> <ol style="list-style: none"><li>Item</li></ol>
  <div style="transform: rotate(10deg) scale(1.5); width: 50px">Turned</div>
  <div style="height: 40px; overflow: auto"><div style="height: 200px">Scrolled</div></div>
  <div id="open"><span slot="named">Slotted</span><span slot="missing">Unslotted</span></div>
  <div id="closed"></div>
  <iframe src="/inner" style="border: 3px solid; padding: 2px"></iframe>
  <iframe style="border: 0" srcdoc="<p>Of a source text</p>"></iframe>
  <iframe style="border: 0" src="OTHER/inner"></iframe>
  <section style="width: 321px"><div id="panel" style="width: 400px; height: 50px; margin-left: 2px; overflow: auto"><div style="height: 90px"></div></div></section>
  <div style="height: 2000px"></div>
  <script>
    document.getElementById('open').attachShadow({ mode: 'open' }).innerHTML =
      '<style>:host { border: 1px solid } em { color: purple }</style><em>In it</em><slot name="named"></slot>';
    document.getElementById('closed').attachShadow({ mode: 'closed' }).innerHTML = '<em>Closed</em>';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('h3 { word-spacing: 2px }');
    document.adoptedStyleSheets.push(sheet);
    const style = document.head.appendChild(document.createElement('style'));
    style.sheet.insertRule('b { font-size: 21px }');
  </script>`;

const FILES: Readonly<Record<string, Answer>> = {
  '/site.css': { headers: { 'content-type': 'text/css', 'cache-control': 'max-age=60' }, body: SITE_CSS },
  '/imported.css': {
    headers: { 'content-type': 'text/css', 'cache-control': 'max-age=60' },
    body: '\nh3 { color: navy;\n  padding-left: 5px }',
  },
  '/portrait.svg': {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=60' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="red"/></svg>',
  },
};

/** Properties, and what declares them: an element by its id, class or tag. */
const DECLARED = [
  ['layered', 'color'],
  ['card', 'padding-top'],
  ['card', 'border-top-left-radius'],
  ['title', 'color'],
  ['title', 'letter-spacing'],
  ['wide', 'width'],
  ['supported', 'opacity'],
  ['quiet', 'color'],
  ['quiet', 'margin-left'],
  ['quiet', 'text-align'],
  ['inline', 'text-indent'],
  ['h3', 'color'],
  ['h3', 'padding-left'],
  ['h3', 'word-spacing'],
  ['b', 'font-size'],
  ['em', 'color'],
  ['open', 'border-top-width'],
  ['card', 'height'],
  ['::before', 'color'],
  ['i', 'color'],
  // `holdLength` and `expandAreas` of the test set something.
  ['panel', 'height'],
  ['panel', 'margin-left'],
  ['section', 'width'],
] as const;

/** Returns an element with its styles by name. Where both readers differ on purpose, nothing of it. */
function describeElement({ styles, properties }: Structure, { style = -1, box, ...element }: StructureElement) {
  const values = Object.fromEntries(properties.map((property, column) => [property, styles[style]?.[column]]));
  // A page cannot measure a pseudo-element. The protocol rounds to 1/64 px.
  const place = element.tag.startsWith('::') ? null : box.map((length) => Math.round(length));
  return { ...element, box: place, values };
}

/** Returns an answer with the name of its element. The line of a style sheet in the document is known to the protocol only. */
function describeAnswer({ element, source, ...answer }: StyleAnswer, { elements }: Structure) {
  const { id, classes, tag } = elements[element] ?? {};
  const isInline = source?.file === '/';
  return {
    ...answer,
    element: id ?? classes?.[0] ?? tag,
    source: source && { ...source, ...(isInline && { line: null }) },
  };
}

/** Runs in the page. Sets a length as proofsheet does while the window grows. */
function holdLength({ memory }: Tools, element: HTMLElement): void {
  memory.override(element, { 'letter-spacing': '5px' });
}

test('a script in the page reads the same structure and the same declarations as the protocol of Chromium', async ({
  page,
  serve,
}) => {
  const answer = ({ url: { pathname } }: { url: URL }) =>
    FILES[pathname] ??
    html(pathname === '/inner' ? '<h1 style="margin: 9px">Inner</h1><em>More</em>' : PAGE.replace('OTHER', other.url));
  const other = await serve(() => html('<h1>Of another origin</h1>'));
  const site = await serve(answer);
  await page.addInitScript(initScriptOf(CLOSED_ROOTS_SCRIPT));
  await page.goto(site.url);
  await page.evaluate(() => scrollTo(0, 50));
  await callOn(page.locator('#panel'), expandAreas);
  await callOn(page.locator('.title'), holdLength);
  const received = site.received.length;
  const session = await page.context().newCDPSession(page);
  const readAll = async (reading: Awaited<ReturnType<typeof readInPage>>) => {
    const { structure, ids } = flattenNodes(reading.nodes, {
      size: { width: 1280, height: 3000 },
      place: ({ x, y, width, height }) => ({
        ...{ x: Math.floor(x), y: Math.floor(y), width: Math.ceil(x + width) - Math.floor(x) },
        height: Math.ceil(y + height) - Math.floor(y),
      }),
      ...{ excluded: [], redact: (text) => text, hashOf: (url) => (reading.hashes.has(url) ? 'hashed' : undefined) },
    });
    const questions = DECLARED.map(([name, property]) => ({
      element: structure.elements.findIndex(({ id, tag, classes }) => [id, tag, ...(classes ?? [])].includes(name)),
      property,
    }));
    const answers = await reading.answer(ids, questions, (url) => new URL(url).pathname);
    const card = structure.elements.findIndex(({ classes }) => classes?.includes('card'));
    const shorthand = await reading.answer(ids, [{ element: card, property: 'margin-left' }], (url) => url);
    return {
      shorthand: shorthand[0]?.value,
      lineBreaks: structure.elements.flatMap(({ tag, box }) => (tag === 'br' ? [box[2]] : [])),
      elements: structure.elements.map((element) => describeElement(structure, element)),
      answers: answers.map((answer) => describeAnswer(answer, structure)),
    };
  };
  // After the script, the protocol knows no lines: it changes the style sheets for a moment.
  const protocol = await readAll(await readByProtocol(page, session, new Map(), true));
  const inPage = await readAll(await readInPage(page, true));
  expect(inPage.elements).toEqual(protocol.elements);
  expect(inPage.answers).toEqual(protocol.answers);
  const valuesOf = (name: string) =>
    protocol.answers.flatMap(({ element, value }) => (element === name ? [value] : []));
  // What proofsheet set is no declaration of the page, and the height of a panel is now that of its content.
  expect(valuesOf('panel')).toEqual(['2px']);
  expect(valuesOf('title')).toEqual(['teal', '1px']);
  // Rounded, one of them would be a pixel wide, and the other one without an area.
  expect(protocol.lineBreaks).toEqual([0, 0]);
  // The protocol does not say which properties a shorthand with a variable declares.
  expect(inPage.shorthand).toBe('var(--gap)');
  expect(site.received.length, 'no request').toBe(received);
});
