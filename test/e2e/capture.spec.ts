import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, startServer } from './direct.js';
import { config, expect, html, SPEC, test } from './project.js';

test('a page that cannot be captured is an error with its reason, never a baseline, and the others go on', async ({
  project,
}) => {
  const { server, close } = await startServer(({ url: { pathname } }): Answer => {
    if (pathname === '/gone') return { status: 404, body: html('<h1>Gone</h1>') };
    if (pathname === '/private') return { status: 302, headers: { location: '/login' } };
    return html(`<h1>${pathname}</h1>`);
  });
  project.write({
    'pages.yaml': `baseURL: ${server.url}
pages:
  - { name: gone, url: /gone }
  - { name: private, url: /private }
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: good, url: /good }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots']);
  close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['gone: error', 'good: new', 'nowhere: error', 'private: error']);
  const reason = (id: string) => project.shot(id).reason;
  expect(reason('gone')).toContain('HTTP status 404, expected 200..299');
  expect(reason('private')).toContain('/login, expected');
  expect(reason('nowhere')).toContain('the page cannot be reached (net::ERR_');
  expect(project.files('visual.spec.ts-snapshots')).toEqual(['good-linux.png']);
  expect(project.shot('gone').capture).toMatchObject({ status: 'error', link: null });
  expect(project.shot('gone').summary).toBeNull();
});

test('a changed page is found in every format, by both engines', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Before</h1>') });
  const pages = ['png', 'jpeg', 'webp'].flatMap((format) =>
    ['odiff', 'pixelmatch'].map(
      (engine) => `  - { name: ${format}-${engine}, url: /, format: ${format}, engine: ${engine} }`,
    ),
  );
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages.join('\n')}\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  await project.test(['--update-snapshots']);
  site.write({ 'index.html': html('<h1>Before</h1><p style="background: #fee2e2">A notice.</p>') });
  expect(await project.test()).toExit(1);
  const { shots } = project.results();
  for (const { id, capture } of shots) {
    const [format = ''] = id.split('-');
    const head = readFileSync(project.path(join('proofsheet-report', capture?.link ?? ''))).toString('latin1', 0, 12);
    expect(head, `the capture of ${id} lies in the report`).toMatch(
      { png: /^.PNG/, webp: /^RIFF....WEBP/s }[format] ?? /^\xff\xd8\xff/,
    );
  }
  expect(shots.map(({ status }) => status)).toEqual(shots.map(() => 'changed'));
  for (const format of ['png', 'webp']) {
    const found = shots.filter(({ id }) => id.startsWith(format)).map(({ summary }) => summary);
    // Which of them are an edge that was smoothed otherwise is where the two may see a few pixels differently.
    const [odiff, pixelmatch] = found.map(
      (summary) => (summary?.mismatchPixels ?? 0) + (summary?.antialiasedPixels ?? 0),
    );
    expect(odiff, `both engines see the same pixels for ${format}`).toBe(pixelmatch);
    expect(odiff).toBeGreaterThan(20_000);
  }
});
