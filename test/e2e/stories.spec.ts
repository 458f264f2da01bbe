import { config, expect, html, test } from './project.js';

/** The preview of a Storybook that renders every story at once, with its address: `location` differs from run to run. */
const preview = (color: string) =>
  html(
    '<h1>Story</h1>',
    `<style>h1 { color: ${color} }</style>
    <script>
      const id = new URLSearchParams(location.search).get('id');
      const last = { storyRenderPhaseChanged: [{ newPhase: 'finished' }], storyRendered: [id] };
      if (id.endsWith('broken')) last.storyThrewException = [{ name: 'Error', message: 'failed at ' + location.origin }];
      window.__STORYBOOK_ADDONS_CHANNEL__ = { last: (event) => last[event] };
    </script>`,
  );

function storybook(folder: string, title: string, names: readonly string[], color: string): Record<string, string> {
  const entries = names.map((name) => [`${title}--${name}`, { id: `${title}--${name}`, title, name, type: 'story' }]);
  return {
    [`${folder}/index.json`]: JSON.stringify({ v: 5, entries: Object.fromEntries(entries) }),
    [`${folder}/iframe.html`]: preview(color),
  };
}

test('init lists a Storybook, and each worker serves those of all lists without a trace of its port', async ({
  project,
}) => {
  project.write({
    ...storybook('storybook-static', 'card', ['plain', 'wide', 'broken'], 'navy'),
    ...storybook('other/built', 'form', ['empty', 'filled'], 'teal'),
    // The baseURL of the project is not that of the stories.
    'playwright.config.ts': config(
      "workers: 2, fullyParallel: true, projects: [{ use: { baseURL: 'http://127.0.0.1:9/' } }],",
    ),
    'other/pages.yaml': 'stories: built\n',
    'other.spec.ts': "import { definePages } from 'proofsheet';\ndefinePages('other/pages.yaml');\n",
  });
  const { code, stdout } = await project.proofsheet(['init', '--storybook', 'storybook-static']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('wrote pages.yaml (3 pages from the Storybook')]);

  expect(await project.test(['--update-snapshots'])).toExit(1);
  const statuses = [
    'card/broken: error',
    'card/plain: passed',
    'card/wide: passed',
    'form/empty: passed',
    'form/filled: passed',
  ];
  expect(await project.test()).toExit(1);
  expect(project.statuses()).toEqual(statuses);
  const { shots } = project.results();
  expect(JSON.stringify(shots)).not.toMatch(/127\.0\.0\.1:/);
  expect(project.shot('card/broken').reason).toContain(
    'storybook-static/iframe.html?id=card--broken&viewMode=story: Storybook reports an error: Error: failed at storybook-static. ',
  );

  project.write({ 'other/built/iframe.html': preview('crimson') });
  expect(await project.test(['other.spec.ts'])).toExit(1);
  expect(project.statuses()).toEqual(['form/empty: changed', 'form/filled: changed']);
});
