import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { makeBaselines, SNAPSHOTS } from './baselines.js';
import { expect, filesOf, html, type Project, type Site, test, UNSTABLE } from './project.js';

// The order of reporters: failing-tests.spec.ts.
test('without our reporter a changed page fails, and its images have the names that make a diff in the HTML report', {
  tag: '@versions',
}, async ({ project, site }) => {
  await changed(project, site);
  const run = await project.test(['--reporter=json,junit'], {
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: project.path('junit.xml'),
  });
  expect(run).toExit(1);
  const junit = readFileSync(project.path('junit.xml'), 'utf8');
  const kinds = [...junit.matchAll(/<(failure|error) message="[^"]*" type="([^"]*)"/g)];
  expect(kinds.map(([, kind]) => kind)).toEqual(['failure', 'failure']);
  expect(junit, 'there is no report to approve').not.toContain('proofsheet approve');
  // Earlier versions of Playwright neither name the matcher there nor have its message.
  if (project.hasPlaywright('1.65')) {
    expect(kinds.map(([, , type]) => type)).toEqual(Array(2).fill('expect.toMatchBaseline'));
    const messages = [...junit.matchAll(/<failure message="(.*?)[\d,]+ px /g)].map(([, message]) => message);
    expect(messages).toEqual(
      ['home', 'photo'].map((id) => `${id}: changed: h1: text &quot;Home&quot; -&gt; &quot;Home, sweet home&quot;; `),
    );
  }
  const report = JSON.parse(run.output.slice(run.output.indexOf('{\n')));
  // What passed has its images hidden, under names with an underscore.
  const found = attachmentsOf(report)
    .filter(({ name }) => !name.startsWith('_'))
    .filter(({ contentType }) => contentType.startsWith('image/'));
  expect(found.map(({ name, contentType }) => `${name} ${contentType}`).sort()).toEqual([
    ...['home-actual.png image/png', 'home-diff.png image/png', 'home-expected.png image/png'],
    ...['photo-actual.jpeg image/jpeg', 'photo-diff.jpeg image/png', 'photo-expected.jpeg image/jpeg'],
  ]);
  for (const { name, path } of found) {
    expect(path, `${name} is a copy, not the baseline itself`).toContain('test-results');
    expect(readFileSync(path ?? '').length).toBeGreaterThan(100);
  }
});

test('results.json matches the published schema in a run with every kind of shot, the summary names what did not pass, and a two-state shot has no baseline', async ({
  project,
  site,
}) => {
  await changed(project, site);
  project.write({
    'pages.yaml': `baseURL: ${site.url}
pages:
  - { name: home, url: / }
  - { name: about, url: /about.html }
  - { name: gone, url: /gone.html }
  - { name: fresh, url: /about.html }
  - { name: skipped, url: /, skip: not now }
  - { name: live, url: /, before: /about.html }
  - { name: live-same, url: /about.html, before: /same.html }
  - { name: live-lost, url: /about.html, before: /nowhere.html }
  - { name: moving, url: /moving.html, timeout: 6 }
`,
  });
  site.write({
    'same.html': html('<h1>About</h1>'),
    'moving.html': html(UNSTABLE),
  });
  // A summary file alone does not make the run a job of GitHub.
  const run = await project.test([], { GITHUB_STEP_SUMMARY: project.path('other.md') });
  expect(run).toExit(1);
  expect(run.stdout).not.toContain('::error');
  expect(project.exists('other.md')).toBe(false);

  const results = JSON.parse(readFileSync(project.path('proofsheet-report/results.json'), 'utf8'));
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync(project.path('node_modules/proofsheet/results.schema.json'), 'utf8'));
  const validate = ajv.compile(schema);
  expect(validate(results), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...results, schemaVersion: 2 }), 'and the schema can refuse').toBe(false);
  expect(project.statuses()).toEqual([
    ...['about: passed', 'fresh: new', 'gone: error', 'home: changed', 'live-lost: error', 'live-same: passed'],
    ...['live: changed', 'moving: unstable', 'skipped: skipped'],
  ]);
  expect(project.shot('gone')).toMatchObject({
    reason: expect.stringContaining('HTTP status 404, expected 200..299'),
    capture: { status: 'error', link: null },
    summary: null,
  });
  expect(project.shot('live-lost').reason).toContain('/nowhere.html: HTTP status 404');
  const live = project.shot('live');
  expect(live).toMatchObject({ written: false, baseline: null });
  expect([live.before?.source, live.after?.source]).toEqual([`${site.url}/about.html`, `${site.url}/`]);
  for (const image of [live.before, live.after, live.diff])
    expect(project.exists(join('proofsheet-report', image?.link ?? 'none'))).toBe(true);
  expect(run.output).toContain('two-state shot');
  expect(project.files(SNAPSHOTS).filter((name) => name.startsWith('live'))).toEqual([]);
  expect(results.summary).toMatchObject({
    ...{ expected: 9, captured: 6, compared: 4, passed: 2, changed: 2, new: 1, error: 2, unstable: 1 },
  });

  // The lines of the summary: test/unit/report/render-text.test.ts.
  expect(run.output).toMatch(/changed +home {2}h1: text "Home" -> "Home, sweet home"; /);
  expect(run.output).toContain('If the change is intended, run: npx proofsheet approve home');
  const page = readFileSync(project.path('proofsheet-report/index.html'), 'utf8');
  const [, plain = ''] = /<noscript>(.*?)<\/noscript>/s.exec(page) ?? [];
  expect(plain.match(/<li>changed: \w+/g)?.sort()).toEqual(['<li>changed: home', '<li>changed: live']);
  expect(readFileSync(project.path('proofsheet-report/summary.md'), 'utf8')).toMatch(/\| changed \| .* \| `home` \|/);
});

interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
}

function attachmentsOf(value: unknown): Attachment[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'attachments' in value && Array.isArray(value.attachments) ? value.attachments : [];
  return [...own, ...Object.values(value).flatMap(attachmentsOf)];
}

async function changed(project: Project, site: Site): Promise<void> {
  site.write({ 'index.html': html('<h1>Home</h1>'), 'about.html': html('<h1>About</h1>') });
  const list = `baseURL: ${site.url}
pages:
  - { name: about, url: /about.html }
  - { name: home, url: / }
  - { name: photo, url: /, format: jpeg }
`;
  project.write(filesOf(list));
  await makeBaselines(project);
  site.write({ 'index.html': html('<h1>Home, sweet home</h1>') });
}
