import { rmSync } from 'node:fs';
import { expect, SPEC, test } from './project.js';

// The commands that do not start Playwright are in test/unit/commands/main.test.ts.

const CONFIG = `export default { reporter: [['proofsheet/reporter']] };`;
const THROWS = `throw new Error('this file is broken');`;
const BROKEN = 'this file is broken';
const LIST = 'baseURL: http://127.0.0.1:9\npages: [/]\n';
const MISSING_LIST = 'the page list pages.yaml does not exist';

/** The files of a project; without a list: it is missing. */
const filesOf = (config: string, spec = SPEC, list: string | null = LIST): Record<string, string> => ({
  'playwright.config.mjs': config,
  'visual.spec.mjs': spec,
  ...(list !== null && { 'pages.yaml': list }),
});

/** Projects whose tests cannot run, and what `affected` says. */
const IMPOSSIBLE: Record<string, { files: Record<string, string>; says: string }> = {
  'a list that is missing': { files: filesOf(CONFIG, SPEC, null), says: MISSING_LIST },
  'a test that fails before it decides': {
    files: filesOf(CONFIG, `${SPEC}import { test } from 'proofsheet';\ntest.beforeEach(() => { ${THROWS} });`),
    says: BROKEN,
  },
};

test('affected exits with 2 if a test cannot decide', async ({ project }) => {
  for (const [title, { files, says }] of Object.entries(IMPOSSIBLE)) {
    for (const name of Object.keys(filesOf(''))) rmSync(project.path(name), { force: true });
    project.write(files);
    const ended = await project.proofsheet(['affected']);
    expect.soft(ended, title).toExit(2);
    expect.soft(ended.output, title).toContain(says);
  }
});

test('a capture that cannot be written exits with 2', async ({ project, site }) => {
  site.write({ 'index.html': '<h1>Home</h1>' });
  project.write({ file: '' });
  const captured = await project.proofsheet(['capture', site.url, '-o', 'file/a.png']);
  expect(captured).toExit(2);
  expect(captured.output).toContain('the image cannot be written');
});

test('a merge of shards that could not run fails, with the errors of the shards', async ({ project }) => {
  project.write({
    ...filesOf(`export default { reporter: [['blob']], globalSetup: './setup.mjs' };`),
    'setup.mjs': `export default () => { ${THROWS} };`,
    'merge.config.mjs': CONFIG,
  });
  expect(await project.test(['--shard=1/1'])).toExit(1);
  const merged = await project.playwright(['merge-reports', '-c', 'merge.config.mjs', 'blob-report']);
  expect(merged).not.toExit(0);
  expect(merged.output).toMatch(new RegExp(`^proofsheet: a shard failed: .*${BROKEN}`, 'm'));
});
