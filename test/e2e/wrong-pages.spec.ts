import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Received, type Server, startServer } from './direct.js';
import { config, expect, html, type Project, SPEC, test } from './project.js';

/** Pages that are wrong while the server is, with what is said of them. */
const WRONG: Record<string, { answer: Answer; found: RegExp; fields?: string }> = {
  gone: { answer: { status: 404, body: html('<h1>Not found</h1>') }, found: /it answered 404, expected 200\.\.299/ },
  boom: { answer: { status: 500, body: html('<h1>Error</h1>') }, found: /it answered 500, expected 200\.\.299/ },
  teapot: {
    answer: { status: 418, body: html('<h1>Tea</h1>') },
    found: /it answered 418, expected 200/,
    fields: 'httpStatus: 200',
  },
  private: {
    answer: { status: 302, headers: { location: '/login' } },
    found: /the page ended at \S+\/login, expected \S+\/private/,
  },
  moved: {
    answer: { status: 301, headers: { location: '/login' } },
    found: /the page ended at \S+\/login, expected \S+\/elsewhere/,
    fields: 'finalUrl: /elsewhere',
  },
  refresh: {
    answer: html('<h1>Wait</h1>', '<meta http-equiv="refresh" content="0; url=/login">'),
    found: /the page ended at \S+\/login/,
  },
  file: { answer: { headers: { 'content-disposition': 'attachment' }, body: 'x' }, found: /it is no page \(/ },
  nothing: { answer: { status: 204 }, found: /it is no page \(/ },
  silent: { answer: null, found: /not captured within 6 s: it ended while loading the page/, fields: 'timeout: 6' },
  white: { answer: html(''), found: /the whole image is of one color, #ffffff/ },
  colored: {
    answer: html('', '<style>body { background: #123456 }</style>'),
    found: /the whole image is of one color, #123456/,
    fields: 'fullSize: true',
  },
  'white-jpeg': { answer: html(''), found: /the whole image is of one color, #ffffff/, fields: 'format: jpeg' },
  'white-webp': { answer: html(''), found: /the whole image is of one color, #ffffff/, fields: 'format: webp' },
  'white-print': { answer: html(''), found: /the whole image is of one color, #ffffff/, fields: 'format: pdf' },
  'white-dense': { answer: html(''), found: /the whole image is of one color/, fields: 'viewports: [dense]' },
  image: {
    answer: html('<h1>Image</h1><img src="/no.png" width="20" height="20">'),
    found: /\/no\.png.*`strict` makes it an error/,
    fields: 'strict: true',
  },
  background: {
    answer: html('<h1>Background</h1>', '<style>body { background: url(/no-background.png) }</style>'),
    found: /\/no-background\.png.*`strict`/,
    fields: 'strict: true',
  },
  font: {
    answer: html(
      '<h1>Font</h1>',
      `<style>@font-face { font-family: F; src: url(/no.woff2) } h1 { font-family: F }</style>`,
    ),
    found: /\/no\.woff2.*`strict`/,
    fields: 'strict: true',
  },
  'error-text': {
    answer: html('<h1>Page not found</h1>'),
    found: /the heading of the page names an error: "Page not found".*`strict` makes it an error/,
    fields: 'strict: true',
  },
  style: {
    answer: html('<h1>Style</h1>', '<link rel="stylesheet" href="/no.css">'),
    found: /\/no\.css.*`strict`/,
    fields: 'strict: true',
  },
};

/** Pages that are right whatever the server does. */
const RIGHT: Record<string, { answer: Answer; fields?: string }> = {
  good: { answer: html('<h1>Good</h1>') },
  'gone-expected': { answer: { status: 404, body: html('<h1>Not found</h1>') }, fields: 'httpStatus: 404' },
  'moved-expected': { answer: { status: 302, headers: { location: '/login' } }, fields: 'finalUrl: /login' },
  folder: { answer: { status: 301, headers: { location: '/folder/' } } },
  swatch: { answer: html('<h1>Swatch</h1><p style="background: #123456">&nbsp;</p>'), fields: 'element: p' },
  login: { answer: html('<h1>Log in</h1>') },
  'lax-error-text': { answer: html('<h1>Page not found</h1>') },
  'allowed-error-text': { answer: html('<h1>Page not found</h1>'), fields: 'strict: false' },
  'lax-image': { answer: html('<h1>Image</h1><img src="/no.png" width="20" height="20">') },
  'lax-background': {
    answer: html('<h1>Background</h1>', '<style>h1 { background: url(/no-background.png) }</style>'),
  },
  'lax-font': {
    answer: html(
      '<h1>Font</h1>',
      '<style>@font-face { font-family: F; src: url(/no.woff2) } h1 { font-family: F }</style>',
    ),
  },
  'lax-style': { answer: html('<h1>Style</h1>', '<link rel="stylesheet" href="/no.css">') },
};

function listOf(server: Server): string {
  const entry = ([name, { fields = '' }]: [string, { fields?: string }]) =>
    `  - { name: ${name}, url: /${name}, ${fields} }`;
  const entries = [...Object.entries(WRONG), ...Object.entries(RIGHT)].map(entry);
  return `baseURL: ${server.url}
viewports: { plain: { width: 400, height: 300 }, dense: { device: Desktop Chrome HiDPI } }
defaults: { viewports: [plain] }
pages:
${entries.join('\n')}
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: no-host, url: "http://nowhere.invalid/" }
`;
}

test('a wrong page is an error with what was found, never a baseline, and never a match; the others go on', async ({
  project,
}) => {
  let wrong = false;
  const { server, close } = await startServer(({ url }: Received): Answer => {
    const name = url.pathname.split('/')[1] ?? '';
    if (url.pathname === '/folder/') return html('<h1>Folder</h1>');
    if (name.includes('.')) return { status: 404, body: 'no' };
    if (wrong && WRONG[name]) return WRONG[name].answer;
    return RIGHT[name]?.answer ?? html(`<h1>${name}</h1>`);
  });
  project.write({ 'pages.yaml': listOf(server), 'visual.spec.ts': SPEC, 'playwright.config.ts': config() });
  await project.test(['--update-snapshots']);
  // All but the one whose redirect is missing while all is well.
  expect(baselines(project).size).toBe(Object.keys(RIGHT).length + Object.keys(WRONG).length - 1);
  // Half of the wrong pages have a baseline, the others have none.
  for (const name of Object.keys(WRONG).filter((_, index) => index % 2 === 0)) removeBaseline(project, name);
  const left = baselines(project);
  wrong = true;
  const run = await project.test(['--update-snapshots=all']);
  close();
  expect(run).toExit(1);
  expectErrors(project);
  expect(baselines(project)).toEqual(left);
  expect(Object.keys(RIGHT).map((name) => `${name}: ${project.shot(`${name}/plain`).status}`)).toEqual(
    Object.keys(RIGHT).map((name) => `${name}: passed`),
  );
});

function expectErrors(project: Project): void {
  for (const [name, { found, fields = '' }] of Object.entries(WRONG)) {
    const { status, reason, written, summary } = project.shot(
      `${name}/${fields.includes('dense') ? 'dense' : 'plain'}`,
    );
    expect({ name, status, written, summary }).toEqual({ name, status: 'error', written: false, summary: null });
    expect(reason, name).toMatch(found);
  }
  expect(project.shot('nowhere/plain').reason).toContain('it cannot be reached (net::ERR_');
  expect(project.shot('no-host/plain').reason).toContain('it cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
  const warned = {
    'error-text': 'Page not found',
    image: '/no.png',
    background: '/no-background.png',
    font: '/no.woff2',
    style: '/no.css',
  };
  for (const [name, file] of Object.entries(warned)) {
    const { warnings } = project.shot(`lax-${name}/plain`);
    expect(warnings, name).toHaveLength(1);
    expect(warnings[0]?.message, name).toContain(`${file}`);
  }
  for (const name of ['allowed-error-text', 'gone-expected'])
    expect(project.shot(`${name}/plain`).warnings, name).toEqual([]);
}

/** Gives the hash of every baseline, by its file. */
function baselines(project: Project): Map<string, string> {
  const folder = 'visual.spec.ts-snapshots';
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(project.path(join(folder, file))))
      .digest('hex');
  return new Map(project.files(folder).map((file) => [file, hash(file)]));
}

function removeBaseline(project: Project, name: string): void {
  for (const file of baselines(project).keys()) {
    if (file.startsWith(`${name}-plain-`)) rmSync(project.path(join('visual.spec.ts-snapshots', file)));
  }
}
