import { type Answer, startServer } from './direct.js';
import { config, expect, html, SPEC, test } from './project.js';

// More wrong pages: test/integration/shot/wrong-pages.spec.ts. Formats and engines: formats.spec.ts and engines.spec.ts.
test('a page that cannot be captured is an error with its reason, never a baseline, and the others go on', async ({
  project,
}) => {
  const { server, close } = await startServer(({ url: { pathname } }): Answer => {
    if (pathname === '/gone') return { status: 404, body: html('<h1>Gone</h1>') };
    return html(`<h1>${pathname}</h1>`);
  });
  project.write({
    'pages.yaml': `baseURL: ${server.url}
pages:
  - { name: gone, url: /gone }
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: good, url: /good }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots']);
  close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['gone: error', 'good: new', 'nowhere: error']);
  const reason = (id: string) => project.shot(id).reason;
  expect(reason('gone')).toContain('HTTP status 404, expected 200..299');
  expect(reason('nowhere')).toContain('the page cannot be reached (net::ERR_');
  expect(project.files('visual.spec.ts-snapshots')).toEqual(['good-linux.png']);
  expect(project.shot('gone').capture).toMatchObject({ status: 'error', link: null });
  expect(project.shot('gone').summary).toBeNull();
});
