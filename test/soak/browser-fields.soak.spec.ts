import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, expect, firefox, webkit } from '@playwright/test';
import type { Capture } from '../../src/model/capture.js';
import { findFirefox } from '../../src/page/browser/find-browser.js';
import { tolerateMissingMedia } from '../../src/playwright/internals.js';
import { type Answer, look, type Received, type Server, shootList, test } from '../e2e/direct.js';
import { html } from '../e2e/project.js';
import { installWebKit, launchWebKit } from '../webkit-window.mjs';

/** How a field is tested: the fields of a page, and the page itself, which becomes green where the field has its effect. */
interface FieldCase {
  /** JSON of further fields of the page. */
  readonly fields: Record<string, unknown>;
  /** @default a page that is green if {@link FieldCase.script} returns true */
  readonly body?: string;
  readonly script?: string;
  /** Checks a request for the page; it is green if it returns true. */
  readonly request?: (request: Received) => boolean;
  readonly device?: string;
  /** @default a place in the image is green */
  readonly check?: (capture: Capture) => boolean | Promise<boolean>;
}

const BOX = 'position: absolute; left: 0; top: 0; width: 250px; height: 180px;';
const green = (id: string, more = '') => `<div id="${id}" style="${BOX} background: #0f0; ${more}"></div>`;
const red = (attributes: string) => `<div ${attributes} style="${BOX} background: #f00"></div>`;
const TALL =
  '<body style="margin: 0"><div style="height: 900px; background: #f00"></div><p style="height: 100px; margin: 0; background: #0f0">';
const isSize = (width: number, height: number) => (capture: Capture) =>
  capture.image.size.width === width && capture.image.size.height === height;
const endsGreen = async ({ image }: Capture) => {
  const picture = await look(image);
  return picture.at(5, picture.height - 5) === '#00ff00';
};
const hasGreen = async ({ image }: Capture) => (await look(image)).count('#00ff00') > 1_000;
const startsWith =
  (bytes: string) =>
  ({ image }: Capture) =>
    image.bytes.subarray(0, 12).toString('latin1').includes(bytes);
/** A page that becomes green by its data. */
const PAINTED_BY_DATA = `${red('id="a"')}<script>fetch('/data').then((answer) => answer.text()).then((color) => { a.style.background = color })</script>`;
const basic = `Basic ${Buffer.from('user:pass').toString('base64')}`;

const CASES: Readonly<Record<string, FieldCase>> = {
  '`width`, `height`': { fields: { width: 600, height: 400 }, body: green('a'), check: isSize(600, 400) },
  '`height: null`': { fields: { height: null }, body: TALL, check: endsGreen },
  '`fullSize`': { fields: { fullSize: true }, body: TALL, check: endsGreen },
  '`expand`': {
    fields: { fullSize: true, expand: '#area' },
    body: `<div id="area" style="height: 100px; overflow: auto">${TALL}</div>`,
    check: hasGreen,
  },
  '`element`': {
    fields: { element: '#a' },
    body: `<p>Text</p>${green('a', 'width: 50px; height: 40px')}`,
    check: isSize(50, 40),
  },
  '`format: jpeg`': { fields: { format: 'jpeg' }, body: '<h1>Text</h1>', check: startsWith('\xff\xd8\xff') },
  '`format: webp`': { fields: { format: 'webp' }, body: '<h1>Text</h1>', check: startsWith('WEBP') },
  '`format: pdf`': { fields: { format: 'pdf' }, body: '<h1>Text</h1>' },
  '`scale: css`': { fields: { scale: 'css' }, body: green('a') },
  '`scale: device`': { fields: { scale: 'device' }, body: green('a') },
  '`waitFor`': {
    fields: { waitFor: ['#late', { response: '**/*data*' }] },
    body: `${red('')}<script>setTimeout(() => fetch('/data').then(() => { document.body.innerHTML = '${green('late')}' }), 4000)</script>`,
  },
  '`actions`': {
    fields: {
      actions: [
        { fill: { selector: 'input', value: 'a' } },
        { press: { key: 'b', selector: 'input' } },
        { hover: 'p' },
        { click: 'button' },
        { wait: '#done' },
      ],
    },
    body: `<input><p onmouseover="isHovered = true">Hover</p><button>Go</button><script>let isHovered = false;
      document.querySelector('button').onclick = () => {
        if (isHovered && /^(ab|ba)$/.test(document.querySelector('input').value)) document.body.innerHTML = '${green('done')}';
      }</script>`,
  },
  '`javascriptCode`': {
    fields: { javascriptCode: "document.querySelector('div').style.background = '#0f0'" },
    body: red(''),
  },
  '`delay`': {
    fields: { delay: 4 },
    body: `${red('')}<script>setTimeout(() => { document.body.innerHTML = '${green('late')}' }, 4000)</script>`,
  },
  '`hide`, `remove`': {
    fields: { hide: '.h', remove: '.r' },
    body: `${green('a')}${red('class="h"')}${red('class="r"')}`,
  },
  '`hideCookie`': {
    fields: { hideCookie: true },
    body: `${green('a')}<script>document.body.appendChild(document.createElement('aside')).attachShadow({ mode: 'closed' }).innerHTML =
      '<div id="cookie-banner" style="${BOX} background: #f00">We use cookies. <button>Accept all</button> <button>Reject all</button></div>'</script>`,
  },
  '`mask`': {
    fields: { mask: '.m' },
    body: `${green('a')}<div class="m" style="position: absolute; width: 20px; height: 10px; background: #f00"></div>`,
    check: async (capture) => (await look(capture.image)).count('#ff0000') === 0 && capture.masks.length === 1,
  },
  '`ignore`': {
    fields: { ignore: ['.m', { x: 0, y: 0, width: 5, height: 5 }] },
    body: `${green('a')}<div class="m" style="position: absolute; width: 20px; height: 10px"></div>`,
    check: ({ ignored }) => ignored.length === 2,
  },
  '`clock`': { fields: { clock: '2024-05-01' }, script: "return new Date().toISOString().startsWith('2024-05-01')" },
  '`language`': { fields: { language: 'de-DE' }, script: "return navigator.language === 'de-DE'" },
  '`timezone`': {
    fields: { timezone: 'Pacific/Auckland' },
    script: "return Intl.DateTimeFormat().resolvedOptions().timeZone === 'Pacific/Auckland'",
  },
  '`colorScheme`': {
    fields: { colorScheme: 'dark' },
    script: "return matchMedia('(prefers-color-scheme: dark)').matches",
  },
  '`reducedMotion`': {
    fields: { reducedMotion: 'reduce', settle: { motion: false } },
    script: "return matchMedia('(prefers-reduced-motion: reduce)').matches",
  },
  '`forcedColors`': {
    fields: { forcedColors: 'active' },
    script: "return matchMedia('(forced-colors: active)').matches",
  },
  '`contrast`': { fields: { contrast: 'more' }, script: "return matchMedia('(prefers-contrast: more)').matches" },
  '`media`': { fields: { media: 'print' }, script: "return matchMedia('print').matches" },
  '`geolocation`': {
    fields: { geolocation: { latitude: 52.5, longitude: 13.4 } },
    body: `${red('id="a"')}<script>setTimeout(() => navigator.geolocation.getCurrentPosition(({ coords }) => {
      if (coords.latitude === 52.5 && coords.longitude === 13.4) a.style.background = '#0f0';
    }), 100)</script>`,
  },
  '`permissions`': {
    fields: { permissions: ['notifications'] },
    body: `${red('id="a"')}<script>setTimeout(async () => {
      const { state } = await navigator.permissions.query({ name: 'notifications' });
      if (state === 'granted') a.style.background = '#0f0';
    }, 100)</script>`,
  },
  '`offline`': {
    fields: { offline: true },
    body: `${red('id="a"')}<script>setTimeout(() => fetch('/data').catch(() => { a.style.background = '#0f0' }), 2000)</script>`,
  },
  '`pseudo`': {
    fields: { pseudo: { hover: '#a', focus: 'input' } },
    body: `<style>input:focus ~ #a:hover { background: #0f0 !important }</style><input>${red('id="a"')}`,
  },
  '`texts`': {
    fields: { texts: { '#price': 'money' } },
    body: `<b id="price">€ 12.50</b>${green('a')}`,
    check: async (capture) => (await isGreen(capture)) && capture.texts?.length === 1,
  },
  '`block`': {
    fields: { block: '**/data' },
    body: `${red('id="a"')}<script>fetch('/data').catch(() => { a.style.background = '#0f0' })</script>`,
  },
  '`mock`': { fields: { mock: { '**/data': { body: '#0f0' } } }, body: PAINTED_BY_DATA },
  '`har`': { fields: { har: 'data.har' }, body: PAINTED_BY_DATA },
  '`settle: motion`': { fields: {}, script: "return matchMedia('(prefers-reduced-motion: reduce)').matches" },
  '`userAgent`': {
    fields: { userAgent: 'Probe/1.0' },
    request: ({ headers }) => headers['user-agent'] === 'Probe/1.0',
  },
  '`headers`': {
    fields: { headers: { 'X-Token': 'value-1' } },
    request: ({ headers }) => headers['x-token'] === 'value-1',
  },
  '`cookies`': { fields: { cookies: { a: 'value-2' } }, request: ({ headers }) => headers.cookie === 'a=value-2' },
  '`storageState`': { fields: { storageState: 'state.json' }, request: ({ headers }) => headers.cookie === 'b=2' },
  '`httpCredentials`': {
    fields: { httpCredentials: { username: 'user', password: 'pass' } },
    request: ({ headers }) => headers.authorization === basic,
  },
  '`httpStatus`': { fields: { httpStatus: 404 }, body: green('a') },
  '`finalUrl`': { fields: { finalUrl: '/final' }, body: green('a') },
  'a device': {
    fields: {},
    device: 'Desktop Chrome HiDPI',
    script: 'return devicePixelRatio === 2',
  },
  'a phone': { fields: {}, device: 'iPhone 15', script: 'return innerWidth === 980' },
};

/** In the WebKit of these tests, most options of a context, `:hover` and `setViewportSize` have no effect, and screenshots have device pixels. */
const NEEDS_CONTEXT =
  /height: null|scale|pseudo|language|timezone|forcedColors|geolocation|permissions|offline|userAgent|storageState|httpCredentials|a device|a phone/;

type Serve = (respond: (received: Received) => Answer) => Promise<Server>;

const isGreen = async ({ image }: Capture) => (await look(image)).at(150, 150) === '#00ff00';

function respond({ fields, body, script, request }: FieldCase, received: Received): Answer {
  if (received.url.pathname === '/final') return html(green('a'));
  if (fields.finalUrl) return { status: 302, headers: { location: '/final' } };
  if (fields.httpCredentials && !received.headers.authorization)
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } };
  const asked = request && (request(received) ? green('a') : red(''));
  const scripted = `<script>document.write((() => { ${script} })() ? '${green('a')}' : '${red('')}')</script>`;
  return { status: Number(fields.httpStatus ?? 200), body: html(asked ?? body ?? scripted) };
}

/** Captures a page for each field. Returns `yes`, `no`, or the error. */
async function tryFields(
  browser: Browser,
  { serve, folder }: { serve: Serve; folder: string },
  names: readonly string[],
  defaults: Record<string, unknown>,
): Promise<Record<string, string>> {
  const cases = names.map((name) => CASES[name] ?? { fields: {} });
  const site = await serve((received) => {
    const [, number] = /^\/case-(\d+)$/.exec(received.url.pathname) ?? [];
    const last = cases.findIndex(({ fields }) => fields.finalUrl !== undefined);
    const tested = cases[Number(number ?? last)];
    return tested ? respond(tested, received) : { status: 204 };
  });
  const cookie = { name: 'b', value: '2', domain: '127.0.0.1', path: '/', expires: -1 };
  const state = { cookies: [{ ...cookie, httpOnly: false, secure: false, sameSite: 'Lax' }], origins: [] };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
  const answer = { status: 200, statusText: 'OK', headers: [], content: { text: '#0f0', mimeType: 'text/plain' } };
  const entry = { request: { method: 'GET', url: `${site.url}/data`, headers: [] }, response: answer };
  writeFileSync(join(folder, 'data.har'), JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
  const pageOf = ({ fields, device }: FieldCase, index: number) => ({
    ...{ name: `${index}`, url: `/case-${index}`, ...(device ? { viewports: [device] } : { width: 500, height: 300 }) },
    ...fields,
  });
  const pages = cases.map(pageOf);
  const devices = cases.flatMap(({ device }) => device ?? []);
  const viewports = Object.fromEntries(devices.map((device) => [device, { device }]));
  const shoot = (list: object) =>
    shootList({ browser, control: 'nothing' }, folder, JSON.stringify({ baseURL: site.url, defaults, ...list }));
  const plain = await shoot({ pages: pages.filter((_, index) => !cases[index]?.device) });
  const emulated =
    devices.length === 0 ? plain : await shoot({ viewports, pages: pages.filter((_, index) => cases[index]?.device) });
  const results = cases.map(async ({ device, check = isGreen }, index): Promise<string> => {
    try {
      const capture = device ? emulated.capture(`${index}/${device}`) : plain.capture(`${index}`);
      return (await check(capture)) ? 'yes' : 'no';
    } catch (cause) {
      const [message = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
      // The captures of this test read images only.
      if (message === 'the image is pdf') return 'yes';
      return message.includes('only supported for') ? 'no' : `error: ${message}`;
    }
  });
  const texts = await Promise.all(results);
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

/** Reads a column of the table of docs/browsers.md: the cells by field. */
function readColumn(title: string): Record<string, string> {
  const lines = readFileSync(new URL('../../docs/browsers.md', import.meta.url), 'utf8').split('\n');
  const rows = lines
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const header = rows.find(([first]) => first === 'field') ?? [];
  const column = header.indexOf(title);
  return Object.fromEntries(
    rows.flatMap(([field = '', ...cells]) => (field in CASES ? [[field, cells[column - 1] ?? '']] : [])),
  );
}

const launchers: Readonly<Record<string, () => Promise<Browser>>> = {
  async Firefox() {
    const executablePath = findFirefox(process);
    if (!executablePath) throw new Error('This test needs Firefox: `apt-get install firefox-esr`');
    const browser = await firefox.launch({ channel: 'moz-firefox', executablePath });
    tolerateMissingMedia(browser, () => {});
    return browser;
  },
  async WebKit() {
    installWebKit();
    return launchWebKit(webkit);
  },
};

for (const [title, launch] of Object.entries(launchers)) {
  test(`${title} does with each field what docs/browsers.md says`, async ({ serve, folder }) => {
    const names = Object.keys(CASES).filter((name) => title !== 'WebKit' || !NEEDS_CONTEXT.test(name));
    const browser = await launch();
    const found = await tryFields(
      browser,
      { serve, folder },
      names,
      title === 'WebKit' ? { scale: 'device' } : {},
    ).finally(() => browser.close());
    const documented = readColumn(title);
    const expected = Object.fromEntries(names.map((name) => [name, documented[name] ?? 'not in the table']));
    expect(found).toEqual(expected);
  });
}
