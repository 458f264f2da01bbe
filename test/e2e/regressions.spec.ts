import { readEnvironment } from '../../src/page/environment.js';
import { type Answer, look, type Received, type Shots, startServer, test } from './direct.js';
import { config, expect, html, OFFLINE_FLAGS, SPEC, test as withProject } from './project.js';

// Bugs of other tools.

const RED = '#ff0000';
const BLUE = '#0000ff';

/** A picture of one color. */
function svg(color: string): Answer {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${color}"/></svg>`;
  return { headers: { 'content-type': 'image/svg+xml' }, body };
}

async function pictureOf(shots: Shots, id: string) {
  return look(shots.capture(id).image);
}

test('lazy images below the fold are captured, without a wait for one that stays hidden', async ({ serve, shoot }) => {
  const site = await serve(({ url }) => {
    if (url.pathname === '/late.svg') return { afterMs: 500, ...Object(svg(RED)) };
    return html(`<h1>Lazy</h1>
      <img loading="lazy" src="/late.svg" width="100" height="100" style="display: none">
      ${Array.from({ length: 4 }, (_, index) => `<img loading="lazy" src="/late.svg?${index}" width="100" height="100" style="position: absolute; left: 0; top: ${1000 + index * 1000}px">`).join('')}`);
  });
  const start = performance.now();
  const shots = await shoot(`baseURL: ${site.url}\npages: [{ name: lazy, url: /, fullSize: true }]\n`);
  const picture = await pictureOf(shots, 'lazy');
  for (let index = 0; index < 4; index++) expect(picture.at(50, 1050 + index * 1000), `image ${index}`).toBe(RED);
  // With a look at each of its 6 windows, because it has no baseline.
  expect(performance.now() - start).toBeLessThan(28_000);
});

test('a capture starts no animation that depends on the window size', async ({ serve, shoot }) => {
  const seen: string[] = [];
  const site = await serve(({ url }) => {
    if (url.pathname === '/seen') seen.push(url.search);
    return html(`<style>body { margin: 0 } @keyframes turn { to { background: ${BLUE} } }
      #box { width: 100px; height: 100px; background: ${RED}; transition: background 1s }
      @media (min-height: 301px) { #box { background: ${BLUE}; animation: turn 1s forwards } }</style>
      <div id="box"></div><div style="height: 2000px"></div>
      <script>for (const event of ['animationstart', 'transitionrun']) addEventListener(event, () => fetch('/seen?' + event))</script>`);
  });
  const shots = await shoot(
    `baseURL: ${site.url}\npages: [{ name: tall, url: /, fullSize: true, width: 400, height: 300 }]\n`,
  );
  const picture = await pictureOf(shots, 'tall');
  expect(picture.count(RED)).toBe(10_000);
  expect(picture.count(BLUE)).toBe(0);
  expect(seen).toEqual([]);
});

test('a font that a policy blocks causes a warning that names it', async ({ serve, shoot }) => {
  const style = '<style>@font-face { font-family: F; src: url(/font.woff2) } h1 { font-family: F }</style>';
  const headers = { 'content-security-policy': "font-src 'none'" };
  const site = await serve(() => ({ body: html('<h1>Font</h1>', style), headers }));
  const { warnings } = (await shoot(`baseURL: ${site.url}\npages: [/blocked]\n`)).capture('blocked');
  expect(warnings.map(({ message }) => message).join()).toMatch(/F|font\.woff2/);
});

test('a scrollbar takes no space', async ({ serve, shoot }) => {
  const site = await serve(({ url }) =>
    html(`<style>body { margin: 0 } html { overflow-y: scroll } div { height: ${url.pathname === '/long' ? 3000 : 50}px; background: ${RED} }
      nav { width: 200px; height: 40px; overflow: scroll } nav p { width: 1000px; height: 1000px; margin: 0; background: ${BLUE} }</style>
      <nav><p></p></nav><div></div>`),
  );
  const shots = await shoot(`baseURL: ${site.url}\npages: [/long, /short]\n`);
  for (const id of ['long', 'short']) {
    const picture = await pictureOf(shots, id);
    expect(picture.width).toBe(1280);
    expect(picture.boxOf(RED)).toMatchObject({ x: 0, y: 40, width: 1280 });
    expect(picture.count(BLUE), 'all of the inner one is seen, too').toBe(200 * 40);
  }
});

test('each viewport loads its own responsive images', async ({ serve, shoot }) => {
  const site = await serve(({ url }) => {
    if (url.pathname === '/wide.svg') return { afterMs: 600, ...Object(svg(RED)) };
    if (url.pathname === '/narrow.svg') return { afterMs: 600, ...Object(svg(BLUE)) };
    return html(`<h1>Responsive</h1><picture><source media="(min-width: 600px)" srcset="/wide.svg"><img src="/narrow.svg" width="100" height="100" loading="lazy"></picture>
      <div style="height: 900px"></div>
      <img srcset="/narrow.svg 300w, /wide.svg 1200w" sizes="100vw" src="/narrow.svg" loading="lazy" style="width: 100px; height: 100px">`);
  });
  const shots = await shoot(`baseURL: ${site.url}
viewports: { wide: { width: 1200, height: 500 }, narrow: { width: 300, height: 500 } }
pages: [{ name: page, url: /, fullSize: true }]
`);
  const [wide, narrow] = [await pictureOf(shots, 'page/wide'), await pictureOf(shots, 'page/narrow')];
  expect([wide.count(RED), wide.count(BLUE)]).toEqual([20_000, 0]);
  expect([narrow.count(RED), narrow.count(BLUE)]).toEqual([0, 20_000]);
});

/** Pages that do what no page should. */
const ILL: Record<string, string> = {
  hog: '<h1>Hog</h1><script>setTimeout(() => { const kept = []; for (;;) kept.push(new Array(1e6).fill(Math.random())) }, 100)</script>',
  'stuck-at-once': '<h1>Stuck</h1><script>for (;;);</script>',
  canvas:
    '<h1>Canvas</h1><canvas id="globe" width="200" height="100"></canvas><script>globe.getContext("webgl")</script>',
};

/** What was being done to those that hung. One that hangs later: test/integration/shot/wrong-pages.spec.ts. */
const HUNG: Record<string, string> = {
  'stuck-at-once': 'loading the page',
  script: 'running `javascriptCode`',
};

withProject(
  'a page that hangs, crashes or has no WebGL is reported as such, and the others are captured',
  {},
  async ({ project }) => {
    const { server, close } = await startServer(({ url }: Received) =>
      html(ILL[url.pathname.slice(1)] ?? '<h1>Well</h1>'),
    );
    const pages = ['first', 'hog', 'stuck-at-once', 'canvas', 'last'];
    project.write({
      'pages.yaml': `baseURL: ${server.url}
defaults: { timeout: 10 }
pages:
${pages.map((name) => `  - { name: ${name}, url: /${name}${name in HUNG ? ', timeout: 4' : ''} }\n`).join('')}  - { name: script, url: /well, javascriptCode: "for (;;);", timeout: 4 }
`,
      'visual.spec.mjs': SPEC,
      'playwright.config.mjs': config().replace(
        JSON.stringify(OFFLINE_FLAGS),
        JSON.stringify([...OFFLINE_FLAGS, '--js-flags=--max-old-space-size=100', '--disable-3d-apis']),
      ),
    });
    const run = await project.test(['--update-snapshots', '--workers=2']);
    close();
    expect(run).toExit(1);
    expect(project.statuses()).toEqual([
      ...['canvas: new', 'first: new', 'hog: error', 'last: new', 'script: error', 'stuck-at-once: error'],
    ]);
    // In some of the crashes, Chromium itself crashes, too.
    expect(project.shot('hog').reason).toMatch(/the page crashed|the browser closed during the capture/);
    for (const [id, step] of Object.entries(HUNG))
      expect(project.shot(id).reason).toContain(`timeout of 4 s exceeded while ${step}`);
    expect(project.shot('canvas').warnings).toEqual([
      { code: 'blank-canvas', message: 'blank canvas: the browser created no WebGL context for #globe' },
    ]);
  },
);

test('the environment is that of the remote browser, not of the client', async ({ playwright, launchOptions }) => {
  test.skip(process.platform !== 'linux', 'the browser of this machine is the far one');
  const server = await playwright.chromium.launchServer(launchOptions);
  const browser = await playwright.chromium.connect(server.wsEndpoint());
  const page = await browser.newPage();
  try {
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    expect(await readEnvironment(page, 1)).toMatchObject({ os: 'linux', arch: process.arch, browser: 'chromium' });
  } finally {
    Object.defineProperty(process, 'platform', { value: 'linux' });
    await browser.close();
    await server.close();
  }
});
