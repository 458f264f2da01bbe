import { chmodSync, readFileSync } from 'node:fs';
import { startServer } from './direct.js';
import { config, expect, filesOf, html, OFFLINE_FLAGS, type Project, type Site, test } from './project.js';

// A run in which something breaks is not green, gives the reason, and leaves a report.

test('when a server ends during a run, the pages that it sent are compared, and the others name it', async ({
  project,
}) => {
  let answered = 0;
  const { server, close } = await startServer(() => {
    // Each new page is loaded twice. The last answer is sent before the server ends.
    if (++answered === 4) setTimeout(close, 50);
    return { headers: { connection: 'close' }, body: html('<h1>There</h1>') };
  });
  project.write(filesOf(`baseURL: ${server.url}\npages: [/a, /b, /c, /d]\n`));
  const run = await project.test(['--update-snapshots', '--workers=1']);
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['a: new', 'b: new', 'c: error', 'd: error']);
  expect(project.shot('c').reason).toMatch(
    /http:\/\/127\.0\.0\.1:\d+ refused the connection\. Is the server running\? baseURL is set in pages\.yaml:1\./,
  );
  expect(run.output).toMatch(/error +http:\/\/127\.0\.0\.1:\d+ refused the connection\. .* 2 shots on 2 pages: c, d/);
});

test('a browser that cannot be started is named, and gets the flags of the project', async ({ project, site }) => {
  prepare(project, site);
  const script = project.path('browser.sh');
  project.write({ 'browser.sh': `#!/bin/sh\necho "$@" > ${project.path('flags')}\nexit 1\n` });
  chmodSync(script, 0o755);
  const using = (path: string) =>
    `use: { launchOptions: { executablePath: ${JSON.stringify(path)}, args: ['--mine'] } }`;
  project.write({
    'playwright.config.mjs': config(
      `projects: [{ name: 'none', ${using('/none/chrome')} }, { name: 'broken', ${using(script)} }],`,
    ),
  });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.output).toContain('/none/chrome');
  expect(project.statuses()).toEqual(['a: error', 'a: error']);
  const shot = project.results().shots.find((one) => one.project === 'none');
  expect(shot?.reason).toContain('/none/chrome');
  const flags = readFileSync(project.path('flags'), 'utf8');
  for (const flag of ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--mine']) {
    expect(flags).toContain(flag);
  }
});

const ILL: Record<string, string> = {
  hog: '<h1>Hog</h1><script>setTimeout(() => { const kept = []; for (;;) kept.push(new Array(1e6).fill(Math.random())) }, 100)</script>',
  canvas:
    '<h1>Canvas</h1><canvas id="globe" width="200" height="100"></canvas><script>globe.getContext("webgl")</script>',
};

// Pages that hang: test/integration/shot/wrong-pages.spec.ts.
test('a page that crashes or has no WebGL is reported as such, and the others are captured', async ({ project }) => {
  const { server, close } = await startServer(({ url }) => html(ILL[url.pathname.slice(1)] ?? '<h1>Well</h1>'));
  const list = `baseURL: ${server.url}\ndefaults: { timeout: 10 }
pages: [/hog, /canvas, /last]\n`;
  const flags = [...OFFLINE_FLAGS, '--js-flags=--max-old-space-size=100', '--disable-3d-apis'];
  project.write({
    ...filesOf(list),
    'playwright.config.mjs': config().replace(JSON.stringify(OFFLINE_FLAGS), JSON.stringify(flags)),
  });
  const run = await project.test(['--update-snapshots', '--workers=2']);
  close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['canvas: new', 'hog: error', 'last: new']);
  // In some of the crashes, Chromium itself crashes, too.
  expect(project.shot('hog').reason).toMatch(/the page crashed|the browser closed during the capture/);
  expect(project.shot('canvas').warnings).toEqual([
    { code: 'blank-canvas', message: 'blank canvas: the browser created no WebGL context for #globe' },
  ]);
});

test('the last report stays after a filter that matches nothing', async ({ project, site }) => {
  prepare(project, site);
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const none = await project.test(['--grep', 'no-such-page']);
  expect(none).toExit(1);
  expect(none.output).toContain('No tests found');
  expect(project.statuses()).toEqual(['a: new']);
});

function prepare(project: Project, site: Site): void {
  site.write({ 'a.html': html('<h1>A</h1>') });
  project.write(filesOf(`baseURL: ${site.url}\npages:\n  - { name: a, url: /a.html }\n`));
}
