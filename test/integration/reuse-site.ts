import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, root } from '../e2e/project.js';

/** The files of a site, by path. */
export type SiteFiles = Readonly<Record<string, string | Buffer>>;

const BOX = '<div id="box" style="width: 90px; height: 60px; background: currentcolor"></div>';
const page = (head: string, body = BOX) => html(body, head);
const scripted = (code: string) => page('', `${BOX}<script>${code}</script>`);
const css = (color: string) => `#box { color: ${color} }`;
const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="${color}"/></svg>`;
const font = (name: string) => readFileSync(join(root, 'fixtures/site/fonts', `${name}-normal.woff2`));
const paint = (color: string) => `document.getElementById('box').style.color = ${color}`;
const fetched = (file: string, options = '{}') =>
  scripted(`fetch('${file}', ${options}).then((r) => r.text()).then((c) => { ${paint('c.trim()')} })`);

/** Pages of `dist` that are reused as long as their files are the same. */
const PAGES: SiteFiles = {
  content: page('', '<p>Content</p>'),
  style: page('<link rel="stylesheet" href="style.css?version=1">'),
  import: page('<style>@import "imported.css";</style>'),
  image: page('', '<img src="image.svg">'),
  srcset: page('', '<img srcset="small.svg 1x, large.svg 2x" width="90" height="60">'),
  lazy: page('', '<div style="height: 3000px"></div><img src="lazy.svg" loading="lazy">'),
  font: page('<style>@font-face { font-family: own; src: url(font.woff2) } p { font: 40px own }</style>', '<p>Rag</p>'),
  script: page('', `${BOX}<script src="script.js"></script>`),
  module: page(
    '<script type="importmap">{ "imports": { "color": "./color.mjs" } }</script>',
    `${BOX}<script type="module">import { color } from 'color'; ${paint('color')}</script>`,
  ),
  data: fetched('data.txt'),
  part: fetched('parts.txt', "{ headers: { range: 'bytes=0-9' } }"),
  frame: page('', '<iframe src="frame.html" style="border: 0"></iframe>'),
  missing: page('', '<img src="late.svg" width="90" height="60" alt="">'),
  cookie: scripted("document.cookie = 'seen=1'"),
};

/** Pages of `dist` that are captured in each run: the file, and why. */
export const NEVER_REUSED: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
  outside: [
    page('', `${BOX}<img src="http://127.0.0.1:1/a.png" alt="">`),
    /requests http:\/\/127\.0\.0\.1:1\/a\.png, which/,
  ],
  post: [scripted("fetch('api', { method: 'POST', body: '1' })"), /sends a POST request to .*\/api/],
  websocket: [scripted("new WebSocket('ws://' + location.host + '/socket')"), /uses a WebSocket/],
  worker: [scripted("new Worker('script.js')"), /uses a worker/],
  'service-worker': [scripted("navigator.serviceWorker.register('none.js')"), /uses a service worker/],
  'shared-worker': [scripted("new SharedWorker('script.js')"), /uses a shared worker/],
  sandbox: [
    page('', `${BOX}<iframe sandbox="allow-scripts" srcdoc="<script>new RTCPeerConnection()</script>"></iframe>`),
    /uses WebRTC/,
  ],
};

const withExtension = (pages: SiteFiles, folder: string) =>
  Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${folder}/${name}.html`, text]));

/** The folders `dist` and `app`. */
export const SITE: SiteFiles = {
  ...withExtension(PAGES, 'dist'),
  ...withExtension(Object.fromEntries(Object.entries(NEVER_REUSED).map(([name, [text]]) => [name, text])), 'dist'),
  'dist/404.html': page('', '<p>Not here</p>'),
  'dist/guide/index.html': page('<link rel="stylesheet" href="guide.css">'),
  'dist/guide/guide.css': css('teal'),
  'dist/style.css': css('teal'),
  'dist/imported.css': css('teal'),
  'dist/image.svg': svg('teal'),
  'dist/small.svg': svg('teal'),
  'dist/large.svg': svg('black'),
  'dist/lazy.svg': svg('teal'),
  'dist/font.woff2': font('inter-latin-400'),
  'dist/script.js': paint("'teal'"),
  'dist/color.mjs': "export const color = 'teal'",
  'dist/data.txt': 'teal',
  'dist/parts.txt': 'teal      never read',
  'dist/frame.html': html(BOX, `<style>${css('teal')}</style>`),
  'app/index.html': page(`<style>${css('teal')}</style>`),
};

/** The names of all shots that can be reused. */
export const REUSABLE: readonly string[] = [...Object.keys(PAGES), 'guide', 'lost', 'deep'];

/** The page lists. @param folder - the absolute folder of the site */
export function listsOf(folder: string): { reusable: string; app: string; never(names: readonly string[]): string } {
  const listOf = (names: readonly string[], more = '') => {
    const pages = names.map((name) => `  - { name: ${name}, url: /${name} }\n`).join('');
    return `serve: ${folder}/dist\ndefaults: { width: 300, height: 200, fullSize: true }\npages:\n${pages}${more}`;
  };
  return {
    reusable: listOf([...Object.keys(PAGES), 'guide'], '  - { name: lost, url: /nowhere, httpStatus: 404 }\n'),
    app: `serve: { folder: ${folder}/app, base: /app/, fallback: index.html }\npages: [{ name: deep, url: /app/a/b }]\n`,
    never: (names) => listOf(names),
  };
}

/** A change of one file: what is written in place of the files, and the shots that use them. `null` removes a file. */
export interface Mutation {
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  readonly captured: readonly string[];
}

const byte = (name: string): Mutation['files'] => ({
  [name]: Buffer.concat([Buffer.from(SITE[name] ?? ''), Buffer.from(' ')]),
});

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a byte of a page and of a font': {
    files: { ...byte('dist/content.html'), ...byte('dist/font.woff2') },
    captured: ['content', 'font'],
  },
  'a byte of a style sheet, of an image, of a script and of the fallback': {
    files: {
      ...{ ...byte('dist/style.css'), ...byte('dist/image.svg') },
      ...{ ...byte('dist/script.js'), ...byte('app/index.html') },
    },
    captured: ['deep', 'image', 'script', 'style'],
  },
  'a byte of 404.html': { files: byte('dist/404.html'), captured: ['lost', 'missing'] },
  'a missing file that appears, and a page in place of a redirect': {
    files: { 'dist/late.svg': svg('teal'), 'dist/guide.html': page('') },
    captured: ['guide', 'missing'],
  },
  'a missing page that appears, and a font with another name': {
    files: { 'dist/nowhere.html': page(''), 'dist/font.woff2': null, 'dist/font2.woff2': font('inter-latin-400') },
    captured: ['font', 'lost'],
  },
  'every file that only data, frames and styles load': {
    files: {
      ...{ 'dist/imported.css': css('tomato'), 'dist/small.svg': svg('tomato'), 'dist/lazy.svg': svg('tomato') },
      ...{
        'dist/color.mjs': "export const color = 'tomato'",
        'dist/data.txt': 'tomato',
        'dist/parts.txt': 'tomato    x',
      },
      ...{ 'dist/frame.html': html(BOX, `<style>${css('tomato')}</style>`), 'dist/guide/guide.css': css('tomato') },
    },
    captured: ['data', 'frame', 'guide', 'import', 'lazy', 'module', 'part', 'srcset'],
  },
};
