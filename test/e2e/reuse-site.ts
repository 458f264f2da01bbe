import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { html, root } from './project.js';

/** `before` and `after` a change of every file that a specimen loads, or of what else its page depends on. */
export type SiteState = 'before' | 'after';

/** A site whose pages depend on one thing each. */
export interface ReuseSite {
  readonly url: string;
  state: SiteState;
  close(): Promise<void>;
}

/** A response. `null` body: it never ends. */
interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string | Buffer | null;
}

/** What a page or a file replies to one request. */
type Respond = (request: IncomingMessage, site: Site) => Reply | string;

interface Site {
  readonly state: SiteState;
  /** Another origin of the same server. */
  readonly other: string;
  /** Counts the requests, so that each response can be another one. */
  readonly count: number;
  readonly color: string;
}

const BOX = '<div id="box" style="width: 90px; height: 60px; background: currentcolor"></div>';
const page = (head: string, body = BOX) => html(body, head);
const css = (color: string) => `#box { color: ${color} }`;
const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="${color}"/></svg>`;
const font = (name: string) => readFileSync(join(root, 'fixtures/site/fonts', `${name}-normal.woff2`));
const typed = (type: string, body: string | Buffer, headers: Record<string, string> = {}): Reply => {
  return { body, headers: { 'content-type': type, ...headers } };
};
const paint = (color: string) => `document.getElementById('box').style.color = ${color}`;

/** Pages whose inputs are known: their files are below. The others load nothing that changes. */
const PAGES: Readonly<Record<string, Respond>> = {
  style: () => page('<link rel="stylesheet" href="style.css">'),
  script: () => page('', `${BOX}<script src="script.js"></script>`),
  image: () => page('', '<img src="image.svg">'),
  redirect: () => page('', '<img src="moved">'),
  etag: () => page('<link rel="stylesheet" href="etag.css">'),
  range: () =>
    page(
      '',
      `${BOX}<script>fetch('bytes', { headers: { range: 'bytes=0-9' } }).then((r) => r.text()).then((c) => { ${paint('c.trim()')} })</script>`,
    ),
  gzip: () => page('<link rel="stylesheet" href="gzip.css">'),
  cors: (_, { other }) =>
    page('', `${BOX}<script>fetch('${other}/color').then((r) => r.text()).then((c) => { ${paint('c')} })</script>`),
  iframe: () => page('', '<iframe src="frame.html" style="border: 0"></iframe>'),
  'import-map': () =>
    page(
      '<script type="importmap">{ "imports": { "color": "./color.mjs" } }</script>',
      `${BOX}<script type="module">import { color } from 'color'; ${paint('color')}</script>`,
    ),
  import: () => page('<style>@import "imported.css";</style>'),
  srcset: () => page('', '<img srcset="small.svg 1x, large.svg 2x" width="90" height="60">'),
  lazy: () => page('', '<div style="height: 3000px"></div><img src="lazy.svg" loading="lazy">'),
  font: () =>
    page('<style>@font-face { font-family: own; src: url(font.woff2) } p { font: 40px own }</style>', '<p>Rag</p>'),
  json: () =>
    page(
      '',
      `${BOX}<script>fetch('data.json').then((r) => r.json()).then(({ color }) => { ${paint('color')} })</script>`,
    ),

  nonce: (_, { count }) => ({
    body: page(`<style nonce="n${count}">p { color: teal }</style>`, '<p>Nonce</p>'),
    headers: { 'content-security-policy': `style-src 'nonce-n${count}' 'unsafe-inline'` },
  }),
  cookie: () => ({ body: page(`<style>${css('teal')}</style>`), headers: { 'set-cookie': 'visited=1' } }),
  'own-cookie': () => page('', `${BOX}<script>document.cookie = 'seen=1'</script>`),
  post: () => page('', `${BOX}<script>fetch('api', { method: 'POST', body: '1' })</script>`),
  websocket: () => page('', `${BOX}<script>new WebSocket('ws://' + location.host + '/socket')</script>`),
  eventsource: () => page('', `${BOX}<script>new EventSource('events')</script>`),
  worker: () => page('', `${BOX}<script>new Worker('worker.js')</script>`),
  'service-worker': () => page('', `${BOX}<script>navigator.serviceWorker.register('sw.js')</script>`),
  'shared-worker': () => page('', `${BOX}<script>new SharedWorker('worker.js')</script>`),
  'no-store': () => page('', `${BOX}<script>fetch('count').then((r) => r.text())</script>`),
  varies: () => ({ body: page(`<style>${css('teal')}</style>`), headers: { vary: '*' } }),

  clock: () => page('', `${BOX}<script>${paint("new Date().getFullYear() > 2000 ? 'teal' : 'red'")}</script>`),
  random: () =>
    page(
      '',
      `${BOX}<script>crypto.getRandomValues(new Uint8Array(1)); ${paint("Math.random() > 2 ? 'red' : 'teal'")}</script>`,
    ),
  // Only a browser sends this header. The server may know more than any request says.
  hidden: (request, { color }) =>
    page(
      `<style>${css('sec-fetch-dest' in request.headers ? color : 'teal')}</style>`,
      `${BOX}<script>localStorage.getItem('theme'); new Date()</script>`,
    ),
};

const FILES: Readonly<Record<string, Respond>> = {
  'style.css': (_, { color }) => typed('text/css', css(color)),
  'script.js': (_, { color }) => typed('text/javascript', paint(`'${color}'`)),
  'image.svg': (_, { color }) => typed('image/svg+xml', svg(color)),
  moved: (_, { state }) => ({ status: 302, headers: { location: `moved-${state}.svg` }, body: '' }),
  'moved-before.svg': () => typed('image/svg+xml', svg('teal')),
  'moved-after.svg': () => typed('image/svg+xml', svg('tomato')),
  'etag.css': ({ headers }, { color }) => {
    const etag = `"${color}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
    return typed('text/css', css(color), { etag });
  },
  bytes: ({ headers }, { color }) => {
    const body = `${color.padEnd(10)}never read`;
    if (headers.range !== 'bytes=0-9') return typed('text/plain', body);
    return {
      status: 206,
      headers: { 'content-type': 'text/plain', 'content-range': `bytes 0-9/${body.length}` },
      body: body.slice(0, 10),
    };
  },
  // Each response is compressed in another way.
  'gzip.css': (_, { color, count }) =>
    typed('text/css', gzipSync(css(color), { level: 1 + (count % 9) }), { 'content-encoding': 'gzip' }),
  color: ({ headers }, { color }) =>
    typed('text/plain', color, { 'access-control-allow-origin': headers.origin ?? 'null' }),
  'frame.html': (_, { color }) => html(BOX, `<style>${css(color)}</style>`),
  'color.mjs': (_, { color }) => typed('text/javascript', `export const color = '${color}'`),
  'imported.css': (_, { color }) => typed('text/css', css(color)),
  'small.svg': (_, { color }) => typed('image/svg+xml', svg(color)),
  'large.svg': () => typed('image/svg+xml', svg('black')),
  'lazy.svg': (_, { color }) => typed('image/svg+xml', svg(color)),
  'font.woff2': (_, { state }) =>
    typed('font/woff2', font(state === 'before' ? 'inter-latin-400' : 'source-serif-4-latin-600')),
  'data.json': (_, { color }) => typed('application/json', JSON.stringify({ color }), { 'cache-control': 'no-store' }),
  api: () => typed('text/plain', ''),
  events: () => ({ headers: { 'content-type': 'text/event-stream' }, body: null }),
  'worker.js': () => typed('text/javascript', "fetch('color')"),
  // No event reports this registration. A later one would bring data.
  'sw.js': () => ({ status: 404, body: '' }),
  count: (_, { count }) => typed('text/plain', String(count), { 'cache-control': 'no-store' }),
};

/** Pages that are reused as long as their files do not change. */
export const REUSABLE = [
  ...['style', 'script', 'image', 'redirect', 'etag', 'range', 'gzip', 'cors', 'iframe', 'import-map', 'import'],
  ...['srcset', 'lazy', 'font', 'json'],
] as const;

/** Pages that are captured in each run, and why. */
export const NEVER_REUSED = {
  nonce: /received another response of .*\/nonce \(content-security-policy\)/,
  cookie: /has a cookie/,
  'own-cookie': /has a cookie/,
  post: /sends a POST request to .*\/api/,
  websocket: /uses a WebSocket/,
  eventsource: /opens an event stream, .*\/events/,
  worker: /uses a worker/,
  'service-worker': /uses a service worker/,
  'shared-worker': /uses a shared worker/,
  'no-store': /two responses of .*\/count differ/,
  varies: /the response of .*\/varies varies by anything/,
} as const;

/** Pages that depend on something that no request shows. */
export const HIDDEN = ['clock', 'random', 'hidden'] as const;

/** Starts the site. */
export async function serveReuseSite(): Promise<ReuseSite> {
  const site = { state: 'before' as SiteState };
  let count = 0;
  let other = '';
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const name = (request.url ?? '').slice(1);
    const make = PAGES[name] ?? FILES[name];
    const color = site.state === 'before' ? 'teal' : 'tomato';
    const made = make?.(request, { state: site.state, other, count: count++, color }) ?? { status: 404, body: '' };
    const { status = 200, headers = {}, body } = typeof made === 'string' ? { body: made } : made;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    if (body === null) response.write(': open\n\n');
    else response.end(body);
  };
  const servers = [createServer(respond), createServer(respond)];
  const urls = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  other = urls[1] ?? '';
  return Object.assign(site, {
    url: urls[0] ?? '',
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  });
}
