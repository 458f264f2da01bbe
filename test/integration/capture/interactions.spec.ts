import { expect } from '@playwright/test';
import { type Answer, look, test } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';

test('`waitFor` waits for an element, a text and a response, and names the one that is missing', async ({
  serve,
  shoot,
}) => {
  const late = (script: string, afterMs = 3500) =>
    `<p>Early</p><script>setTimeout(() => { ${script} }, ${afterMs})</script>`;
  const add = (text: string) => `document.body.innerHTML += '<b id="late" style="background: #f00">${text}</b>'`;
  const request = `fetch('/api/items?page=1').then(() => { document.body.style.background = '#f00' })`;
  const pages: Record<string, string> = {
    '/element': late(add('Late')),
    '/minutes-later': late(add('Late'), 600_000),
    '/text': late(add('It is LATE now')),
    '/response': late(request),
    '/early': `<p>Early</p><script>${request}</script>`,
    '/api/items': '[]',
  };
  const site = await serve(({ url }) => html(pages[url.pathname] ?? '<p>Early</p><p id="unseen" hidden>Late</p>'));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: element, url: /element, waitFor: "#late" }
  - { name: text, url: /text, waitFor: { text: is late } }
  - { name: response, url: /response, waitFor: [p, { response: "**/api/items*" }] }
  - { name: early, url: /early, waitFor: { response: "**/api/items*" } }
  - { name: not-waited, url: /minutes-later }
  - { name: no-element, url: /, waitFor: "#unseen", timeout: 3 }
  - { name: no-text, url: /, waitFor: { text: Sold out }, timeout: 3 }
  - { name: no-response, url: /, waitFor: { response: "**/api/*" }, timeout: 3 }
  - { name: no-selector, url: /, waitFor: "p:::x" }
`);
  for (const id of ['element', 'text', 'response', 'early'])
    expect((await look(shots.capture(id).image)).count('#ff0000'), id).toBeGreaterThan(100);
  expect((await look(shots.capture('not-waited').image)).count('#ff0000')).toBe(0);
  expect(shots.error('no-element')).toContain('`waitFor`: no visible element matches "#unseen" after ');
  expect(shots.error('no-text')).toContain('`waitFor`: no visible element contains the text "Sold out" after ');
  expect(shots.error('no-response')).toContain('`waitFor`: no response matches "**/api/*" after ');
  expect(shots.error('no-selector')).toContain('`waitFor`: cannot wait for the element "p:::x": ');
});

/** Everything that is done to this page gives it a square of a color of its own. */
const ACTED = `<style>i { display: block; width: 20px; height: 20px } #far { margin-top: 3000px } :focus { outline: none }
  #hover:hover { background: #0000f1 }</style>
  <button id="click">Click</button><p id="hover">Hover</p><input id="fill"><input id="press"><p id="far">Far</p><div id="marks" style="position: fixed; left: 0; bottom: 0"></div>
  <script>
    const mark = (color) => { marks.innerHTML += '<i style="background: ' + color + '"></i>' };
    click.onclick = () => mark('#0000f2');
    fill.oninput = () => { if (fill.value === 'filled in') mark('#0000f3') };
    press.onkeydown = (event) => { if (event.key === 'Enter' && event.target === press) mark('#0000f4') };
    onkeydown = (event) => { if (event.key === 'b') mark('#0000f5') };
    onscroll = () => { if (scrollY > 2000 && !marks.dataset.far) { marks.dataset.far = 1; mark('#0000f6') } };
    setTimeout(() => { document.body.dataset.ready = 1 }, 600);
  </script>`;

test('`actions` run in order, as a user performs them', async ({ serve, shoot }) => {
  const site = await serve(() => html(ACTED));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 400 }
pages:
  - { name: none, url: / }
  - name: all
    url: /
    actions:
      - wait: body[data-ready]
      - click: "#click"
      - fill: { selector: "#fill", value: filled in }
      - press: { key: Enter, selector: "#press" }
      - press: b
      - scrollTo: "#far"
      - wait: 0.1
      - scrollTo: 0
      - hover: "#hover"
`);
  const [none, all] = [await look(shots.capture('none').image), await look(shots.capture('all').image)];
  for (const color of ['#0000f1', '#0000f2', '#0000f3', '#0000f4', '#0000f5', '#0000f6']) {
    expect(all.count(color), color).toBeGreaterThanOrEqual(400);
    expect(none.count(color), color).toBe(0);
  }
});

/** Fields, what is filled into each, and what it has then. */
const FIELDS: Record<string, { tag: string; value: string; taken?: string }> = {
  text: { tag: '<input value="old">', value: 'new "text"' },
  masked: { tag: '<input maxlength="3">', value: 'abcdef', taken: 'abc' },
  number: { tag: '<input type="number" value="1">', value: '42.5' },
  color: { tag: '<input type="color">', value: '#12ab34' },
  area: { tag: '<textarea>old</textarea>', value: 'two\\nlines', taken: 'two\nlines' },
  editable: { tag: '<div contenteditable>old <b>text</b></div>', value: 'new' },
};

test('`fill` fills every kind of field, as a framework sees it too', async ({ serve, shoot }) => {
  const seen = new Map<string, unknown>();
  const site = await serve(({ url }) => {
    const name = url.pathname.slice(1);
    if (url.search) {
      seen.set(name, JSON.parse(url.searchParams.get('seen') ?? ''));
      return { status: 204 };
    }
    // As React does it: it keeps the last value that was set by script, and takes an event with that one for none.
    return html(`<form>${FIELDS[name]?.tag}</form><script>
      const field = document.querySelector('form').firstChild;
      const own = Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value');
      let tracked = own?.get.call(field);
      if (own) Object.defineProperty(field, 'value', { get: () => own.get.call(field), set: (value) => { tracked = value; own.set.call(field, value) } });
      let changes = 0;
      field.addEventListener('input', () => {
        const value = own ? own.get.call(field) : field.textContent;
        if (value !== tracked) changes++;
        tracked = value;
        setTimeout(() => fetch('?seen=' + encodeURIComponent(JSON.stringify({ value, heard: changes > 0 }))), 50);
      });
    </script>`);
  });
  const pages = Object.entries(FIELDS).map(
    ([name, { value }]) =>
      `  - { name: ${name}, url: /${name}, actions: [{ fill: { selector: "form > *", value: "${value.replaceAll('"', '\\"')}" } }] }\n`,
  );
  const shots = await shoot(`baseURL: ${site.url}\npages:\n${pages.join('')}`);
  for (const [name, { value, taken }] of Object.entries(FIELDS)) {
    expect(shots.capture(name).warnings, name).toEqual([]);
    expect(seen.get(name), name).toEqual({ value: taken ?? value, heard: true });
  }
});

test('an action may lead to another page; where it has to lead, `finalUrl` says', async ({ serve, shoot }) => {
  const first = `<h1>First</h1><a href="/next">next</a> <b onclick="location = '/slow'">slow</b>
    <u onclick="setTimeout(() => { location = '/next' }, 300)">later</u> <i onclick="location = '/gone'">gone</i>`;
  const next = html('<h1 id="next" style="background: #f00">Next</h1>');
  const pages: Record<string, Answer> = {
    '/next': next,
    '/slow': { afterMs: 700, body: next },
    '/gone': { status: 404, body: html('<h1>Gone</h1>') },
  };
  const site = await serve(({ url }) => pages[url.pathname] ?? html(first));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: next, url: /, actions: [click: a] }
  - { name: slow, url: /, actions: [click: b] }
  - { name: later, url: /, actions: [click: u, wait: "#next"] }
  - { name: expected, url: /, finalUrl: /next, actions: [click: a] }
  - { name: slow-expected, url: /, finalUrl: /slow, actions: [click: b] }
  - { name: unexpected, url: /, finalUrl: /other, actions: [click: a] }
  - { name: gone, url: /, actions: [click: i] }
  - { name: gone-expected, url: /, httpStatus: 404, actions: [click: i] }
`);
  for (const id of ['next', 'slow', 'later', 'expected', 'slow-expected'])
    expect((await look(shots.capture(id).image)).count('#ff0000'), id).toBeGreaterThan(1000);
  expect(shots.error('unexpected')).toContain(`the final URL is ${site.url}/next, expected ${site.url}/other`);
  expect(shots.error('gone')).toContain('HTTP status 404');
  expect(shots.error('gone-expected')).toContain('HTTP status 200, expected 404');
});

test('a failed action is named in the error, without the filled value', async ({ serve, shoot }) => {
  const site = await serve(() =>
    html(
      '<input id="off" disabled><input id="number" type="number"><p>Text</p><b>1</b><b>2</b><select><option>1</select>',
    ),
  );
  const shots = await shoot(`baseURL: ${site.url}
pages:
  - { name: absent, url: /, timeout: 3, actions: [{ wait: p }, { click: "#absent" }] }
  - { name: many, url: /, actions: [hover: b] }
  - { name: key, url: /, actions: [press: Entr] }
  - { name: wait, url: /, timeout: 3, actions: [wait: { text: Never }] }
  - { name: far, url: /, timeout: 3, actions: [scrollTo: "#absent"] }
  - { name: "off", url: /, timeout: 3, actions: [fill: { selector: "#off", value: s3cret }] }
  - { name: number, url: /, actions: [fill: { selector: "#number", value: s3cret }] }
  - { name: text, url: /, actions: [fill: { selector: p, value: s3cret }] }
  - { name: select, url: /, actions: [fill: { selector: select, value: s3cret }] }
  - { name: no-field, url: /, timeout: 3, actions: [fill: { selector: "#absent", value: s3cret }] }
`);
  expect(shots.error('absent')).toContain('action 2 (click #absent) failed: ');
  expect(shots.error('many')).toContain('action 1 (hover b) failed: ');
  expect(shots.error('key')).toContain('action 1 (press Entr) failed: ');
  expect(shots.error('wait')).toContain('action 1: no visible element contains the text "Never" after ');
  expect(shots.error('far')).toContain('action 1 (scrollTo #absent) failed: ');
  for (const id of ['off', 'number', 'text', 'select', 'no-field']) {
    expect(shots.error(id)).toMatch(/action 1 \(fill \S+\) failed: /);
    expect(shots.error(id), id).not.toContain('s3cret');
  }
});

test('a page that navigates while an action or `javascriptCode` runs after others is an error that names the remedy', async ({
  serve,
  shoot,
}) => {
  const site = await serve(() => html('<button id="go">Go</button>'));
  const shots = await shoot(`baseURL: ${site.url}
defaults: { width: 300, height: 200 }
pages:
  - { name: script, url: /, actions: [{ click: "#go" }], javascriptCode: "location.href = '/next'; await new Promise(() => {})" }
`);
  expect(shots.error('script')).toContain('the page navigated while an action or `javascriptCode` ran');
  expect(shots.error('script')).toContain('add a `wait` action for an element of the next page');
});
