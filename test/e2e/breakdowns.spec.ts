import { chmodSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

// A run in which something breaks is not green, gives the reason, and leaves a report.

test('when a server ends during a run, the pages that it sent are compared, and the others name it', async ({
  project,
}) => {
  let answered = 0;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('connection', 'close');
    response.end(html('<h1>There</h1>'), () => {
      // Each new page is loaded twice.
      if (++answered === 4) server.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  project.write(files(`baseURL: http://127.0.0.1:${port}\npages: [/a, /b, /c, /d]\n`));
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
    'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: a, url: /a.html }\n`,
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

// Other reasons why a report cannot be written: test/unit/baselines/write-run.test.ts.
test('the last report stays after a filter that matches nothing, and on a full disk, which is the reason of each shot', async ({
  project,
  site,
}) => {
  prepare(project, site, '', ['a']);
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const none = await project.test(['--grep', 'no-such-page']);
  expect(none).toExit(1);
  expect(none.output).toContain('No tests found');
  expect(project.statuses(), 'the last report').toEqual(['a: new']);

  const [baseline = ''] = project.files('visual.spec.mjs-snapshots');
  const before = readFileSync(project.path(`visual.spec.mjs-snapshots/${baseline}`));
  site.write({ 'a.html': html('<h1>Other</h1>') });
  // Every file that we write finds no space; reading works.
  project.write({
    'full.cjs': `const { promises } = require('node:fs');
const full = (own) => async (path, flags, ...rest) => {
  const isOurs = /proofsheet-report|[.]proofsheet|-snapshots/.test(String(path)) && flags !== 'r' && flags !== undefined;
  if (isOurs) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return own(path, flags, ...rest);
};
for (const name of ['writeFile', 'copyFile', 'open']) promises[name] = full(promises[name]);
const files = require('node:fs');
const { writeFileSync } = files;
files.writeFileSync = (path, ...rest) => {
  if (/proofsheet-report/.test(String(path))) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return writeFileSync(path, ...rest);
};
require('node:module').syncBuiltinESMExports();
`,
  });
  const run = await project.test(['--update-snapshots'], { NODE_OPTIONS: `--require=${project.path('full.cjs')}` });
  expect(run).toExit(1);
  expect(run.output).toMatch(/error +a .*ENOSPC/);
  expect(run.output).toMatch(/proofsheet-report: the report cannot be written \(ENOSPC.*[Ff]ree disk space/);
  expect(project.statuses(), 'the last report').toEqual(['a: new']);
  expect(readFileSync(project.path(`visual.spec.mjs-snapshots/${baseline}`)).equals(before)).toBe(true);
});

// The engine alone: test/unit/compare/engines/odiff.process.test.ts.
test('a comparison whose process is killed is an error that names it, and the report is written', {
  tag: '@soak',
}, async ({ project, site }) => {
  prepare(project, site);
  await makeBaselines(project, site);
  prepare(project, site, 'defaults: { engine: odiff }\n');
  site.write({ 'a.html': html('<h1>Other</h1>') });
  // Every program called odiff is killed as soon as it is there.
  project.write({
    'kill.cjs': `const { spawn } = require('node:child_process');
const own = Object.getPrototypeOf(spawn('true')).spawn;
Object.getPrototypeOf(spawn('true')).spawn = function (options) {
  const code = own.call(this, options);
  if (/odiff/.test(options.file)) process.kill(this.pid, 'SIGKILL');
  return code;
};
`,
  });
  const run = await project.test([], { NODE_OPTIONS: `--require=${project.path('kill.cjs')}` });
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['a: error', 'b: passed']);
  expect(project.shot('a').reason).toMatch(/odiff/);
});

function prepare(project: Project, site: Site, more = '', pages = ['a', 'b']): void {
  site.write({ 'a.html': html('<h1>A</h1>'), 'b.html': html('<h1>B</h1>') });
  const listed = pages.map((page) => `  - { name: ${page}, url: /${page}.html }\n`);
  project.write(files(`baseURL: ${site.url}\n${more}pages:\n${listed.join('')}`));
}

function files(list: string): Record<string, string> {
  return { 'playwright.config.mjs': config(), 'visual.spec.mjs': SPEC, 'pages.yaml': list };
}
