import { storybook } from '../storybook.js';
import { config, expect, html, test } from './project.js';

/** The preview of a Storybook that renders every story at once, with its address: `location` differs from run to run. */
const preview = (color: string) =>
  html(
    '<h1>Story</h1>',
    `<style>h1 { color: ${color} }</style>
    <script>
      const id = new URLSearchParams(location.search).get('id');
      const last = { storyRenderPhaseChanged: [{ newPhase: 'finished' }], storyRendered: [id] };
      const proofsheet = id.endsWith('later') ? { skip: 'not yet finished' } : { threshold: 0.01 };
      last.storyPrepared = [{ id, parameters: { proofsheet } }];
      if (id.endsWith('broken')) last.storyThrewException = [{ name: 'Error', message: 'failed at ' + location.origin }];
      window.__STORYBOOK_ADDONS_CHANNEL__ = { last: (event) => last[event] };
    </script>`,
  );

test('stories of all lists are served without a trace of a port', async ({ project }) => {
  project.write({
    ...storybook('storybook-static', 'card', ['plain', 'wide', 'broken', 'later'], preview('navy')),
    ...storybook('other/built', 'form', ['empty', 'filled'], preview('teal')),
    // The baseURL of the project is not that of the stories.
    'playwright.config.ts': config(
      "workers: 2, fullyParallel: true, projects: [{ use: { baseURL: 'http://127.0.0.1:9/' } }],",
    ),
    'other/pages.yaml': 'stories: built\n',
    'other.spec.ts': "import { definePages } from 'proofsheet';\ndefinePages('other/pages.yaml');\n",
  });
  const { code, stdout } = await project.proofsheet(['init', '--storybook', 'storybook-static']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('wrote pages.yaml (4 pages from the Storybook')]);

  const run = await project.test(['--update-snapshots']);
  expect(run).toExit(1);
  expect(run.stdout).toMatch(/^ +1 skipped$/m);
  expect(project.statuses()).toEqual([
    ...['card/broken: error', 'card/later: skipped', 'card/plain: new', 'card/wide: new'],
    ...['form/empty: new', 'form/filled: new'],
  ]);
  expect(project.shot('card/later').reason).toBe('not yet finished');
  expect(project.shot('card/plain').limits?.threshold).toBe(0.01);
  const { shots } = project.results();
  expect(JSON.stringify(shots)).not.toMatch(/127\.0\.0\.1:/);
  expect(project.shot('card/broken').reason).toContain(
    'storybook-static/iframe.html?id=card--broken&viewMode=story: Storybook reports an error: Error: failed at storybook-static. ',
  );
});
