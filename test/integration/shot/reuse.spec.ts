import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { openReuseCache } from '../../../src/reuse/reuse-cache.js';
import { html, root } from '../../e2e/project.js';
import { test as base, type RunOptions } from '../runs.js';

type SiteFiles = Readonly<Record<string, string | Buffer>>;

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
const NEVER_REUSED: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
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

const SITE: SiteFiles = {
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
  'dist/color.mjs': "const color = 'teal'",
  'dist/data.txt': 'teal',
  'dist/parts.txt': 'teal      never read',
  'dist/frame.html': html(BOX, `<style>${css('teal')}</style>`),
  'app/index.html': page(`<style>${css('teal')}</style>`),
};

const REUSABLE: readonly string[] = [...Object.keys(PAGES), 'guide', 'lost', 'deep'];

function listOf(folder: string, names: readonly string[], more = ''): string {
  const pages = names.map((name) => `  - { name: ${name}, url: /${name} }\n`).join('');
  return `serve: ${folder}/dist\ndefaults: { width: 300, height: 200, fullSize: true }\npages:\n${pages}${more}`;
}

/** A change of one file: what is written in place of the files, and the shots that use them. `null` removes a file. */
interface Mutation {
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  readonly captured: readonly string[];
}

const byte = (name: string): Mutation['files'] => ({
  [name]: Buffer.concat([Buffer.from(SITE[name] ?? ''), Buffer.from(' ')]),
});

const MUTATIONS: Readonly<Record<string, Mutation>> = {
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
        'dist/color.mjs': "const color = 'tomato'",
        'dist/data.txt': 'tomato',
        'dist/parts.txt': 'tomato    x',
      },
      ...{ 'dist/frame.html': html(BOX, `<style>${css('tomato')}</style>`), 'dist/guide/guide.css': css('tomato') },
    },
    captured: ['data', 'frame', 'guide', 'import', 'lazy', 'module', 'part', 'srcset'],
  },
};

interface ServedSite {
  readonly folder: string;
  /** Writes files; null: removes one. */
  write(files: Mutation['files']): void;
  options(): RunOptions;
}

const test = base.extend<{ served: ServedSite }>({
  served: async ({ folder }, use) => {
    const write: ServedSite['write'] = (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        if (content === null) rmSync(join(folder, name));
        else writeFileSync(join(folder, name), content);
      }
    };
    const cache = openReuseCache(join(folder, 'cache'));
    const options = () => ({
      reuse: { cache, verify: 0, run: 'commit', prunes: () => false },
    });
    write(SITE);
    await use({ folder, write, options });
  },
});

test('a page is captured again exactly if one of its files changes, appears or gets another name', async ({
  runs,
  served,
}) => {
  test.slow();
  const lost = '  - { name: lost, url: /nowhere, httpStatus: 404 }\n';
  const reusable = listOf(served.folder, [...Object.keys(PAGES), 'guide'], lost);
  const app = `serve: { folder: ${served.folder}/app, base: /app/, fallback: index.html }\npages: [{ name: deep, url: /app/a/b }]\n`;
  const capturedIn = async (options: RunOptions) => {
    const tested = [await runs.run(reusable, options), await runs.run(app, options)];
    return REUSABLE.filter((id) =>
      tested.some(({ statuses, shot }) => {
        return statuses.some((status) => status.startsWith(`${id}: `)) && !shot(id).reused;
      }),
    ).sort();
  };
  expect(await capturedIn({ ...served.options(), mode: 'all' })).toEqual([...REUSABLE].sort());
  expect(await capturedIn(served.options())).toEqual([]);
  for (const [what, { files, captured }] of Object.entries(MUTATIONS)) {
    served.write(files);
    expect.soft(await capturedIn(served.options()), what).toEqual(captured);
    for (const name of Object.keys(files)) rmSync(join(served.folder, name), { force: true });
    served.write(SITE);
  }
  expect(await capturedIn(served.options())).toEqual([]);
});

// That it is captured again: test/e2e/reuse.spec.ts. What is said of each way: test/unit/reuse/shot-reuse.test.ts.
test('the record of a page that depends on more than served files says why it is not reusable', {
  tag: '@soak',
}, async ({ runs, served }) => {
  const names = Object.keys(NEVER_REUSED);
  const { shot } = await runs.run(listOf(served.folder, names), { ...served.options(), mode: 'all' });
  for (const id of names) expect.soft(shot(id).notReusable, id).toMatch(NEVER_REUSED[id]?.[1] ?? '');
});
