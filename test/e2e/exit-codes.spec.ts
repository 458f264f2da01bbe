import { rmSync } from 'node:fs';
import { expect, SPEC, test } from './project.js';

/** A command that cannot do what it is asked, in a folder with these files. `says` is a part of its message. */
interface Impossible {
  readonly args: readonly string[];
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
  readonly says: RegExp;
}

const COMMANDS = [
  ...['init', 'approve', 'report', 'prune', 'compare', 'capture', 'affected', 'doctor', 'serve', 'mcp'],
  'github-comment',
];
/** The arguments that a command requires. */
const REQUIRED: Record<string, string[]> = { capture: ['http://127.0.0.1:9', '-o', 'a.png'], compare: ['a', 'b'] };
const GITHUB = ['github-comment', '--repo', 'octo/site', '--pr', '1'];
const CONFIG = `export default { reporter: [['proofsheet/reporter']] };`;
const THROWS = `throw new Error('this file is broken');`;
/** The runner reads this config, and its workers cannot. */
const THROWS_IN_WORKER = `if (process.env.TEST_WORKER_INDEX !== undefined) ${THROWS}\n${CONFIG}`;
const LIST = 'baseURL: http://127.0.0.1:9\nreuse: true\npages: [/]\n';
const BROKEN = 'this file is broken';
/** The path of a folder that cannot be made, below a file. */
const UNWRITABLE = 'pages.yaml/folder';

const project = (config: string, spec = SPEC, list: string | null = LIST) => ({
  'playwright.config.ts': config,
  'visual.spec.ts': spec,
  ...(list !== null && { 'pages.yaml': list }),
});

const IMPOSSIBLE: Record<string, Impossible> = {
  'no command': { args: [], says: /Usage: proofsheet/ },
  'an unknown command': { args: ['shoot'], says: /unknown command 'shoot'/ },
  ...rowsFor('an unknown flag', COMMANDS, (command) => ({
    args: [command, ...(REQUIRED[command] ?? []), '--gone'],
    says: /unknown option '--gone'/,
  })),
  ...rowsFor('a config that is missing', ['approve', 'report', 'prune', 'affected', 'doctor', 'mcp'], (command) => ({
    args: [command, '--config', 'gone.ts'],
    says: /gone\.ts: the config does not exist/,
  })),
  ...rowsFor('a folder without a config', ['affected', 'doctor'], (command) => ({
    args: [command],
    says: /no test of a page list was found|no playwright\.config/,
  })),
  ...rowsFor('a config that throws', ['affected', 'doctor'], (command) => ({
    args: [command],
    files: project(THROWS),
    says: new RegExp(BROKEN),
  })),
  'affected: a config that throws in the workers': {
    args: ['affected'],
    files: project(THROWS_IN_WORKER),
    says: new RegExp(BROKEN),
  },
  'affected: a test that fails before it can decide': {
    args: ['affected', '--json'],
    files: project(
      CONFIG,
      `${SPEC}import { test } from 'proofsheet';\ntest.beforeEach(() => { throw new Error('no login'); });`,
    ),
    says: /no login/,
  },
  ...rowsFor('a spec that throws', ['affected', 'doctor'], (command) => ({
    args: [command],
    files: project(CONFIG, THROWS),
    says: new RegExp(BROKEN),
  })),
  ...rowsFor('a list that is missing', ['affected', 'doctor'], (command) => ({
    args: [command],
    files: project(CONFIG, SPEC, null),
    says: /the page list pages\.yaml does not exist/,
  })),
  'affected: a project that does not exist': {
    args: ['affected', '--project', 'gone'],
    files: project(CONFIG),
    says: /"gone" not found/,
  },
  ...rowsFor('no report', ['approve', 'report', 'prune'], (command) => ({
    args: [command],
    says: /no report of a finished run/,
  })),
  ...rowsFor('a damaged report', ['approve', 'report', 'prune'], (command) => ({
    args: [command],
    files: { 'proofsheet-report/results.json': '{' },
    says: /cannot read the run record/,
  })),
  'github-comment: no report': { args: GITHUB, says: /no report of a finished run/ },
  'github-comment: a damaged report': {
    args: GITHUB,
    files: { 'proofsheet-report/results.json': '{' },
    says: /cannot read the run record/,
  },
  'github-comment: no repository': { args: ['github-comment'], says: /the repository is missing/ },
  'capture: no URL': { args: ['capture', '-o', 'a.png'], says: /missing required argument 'url'/ },
  'capture: no output': { args: ['capture', 'http://127.0.0.1:9'], says: /required option '-o, --output <file>'/ },
  'compare: one image': { args: ['compare', 'a.png'], says: /missing required argument 'after'/ },
  'compare: images that are missing': { args: ['compare', 'a.png', 'b.png'], says: /a\.png: the file does not exist/ },
  'init: a list that is missing': {
    args: ['init', '--from', 'gone.json'],
    says: /gone\.json: the file does not exist/,
  },
  'serve: a key file that is missing': { args: ['serve', '--keys', 'gone'], says: /the key file cannot be read/ },
  ...rowsFor('a storage that cannot be written to', ['serve', 'mcp'], (command) => ({
    args: [command, '--storage', UNWRITABLE],
    files: { 'pages.yaml': LIST },
    says: /folder: the folder cannot be written to \(E\w+/,
  })),
  'affected: no temporary folder': {
    args: ['affected'],
    files: project(CONFIG),
    env: { TMPDIR: '/proc/gone', TMP: '/proc/gone', TEMP: '/proc/gone' },
    says: /ENOENT/,
  },
};

function rowsFor(title: string, commands: readonly string[], rowOf: (command: string) => Impossible) {
  return Object.fromEntries(commands.map((command) => [`${command}: ${title}`, rowOf(command)]));
}

test('a command that cannot do what it is asked exits with 2 and says why', async ({ project }) => {
  const own = ['pages.yaml', 'visual.spec.ts', 'playwright.config.ts', 'proofsheet-report'];
  for (const [title, { args, files = {}, env, says }] of Object.entries(IMPOSSIBLE)) {
    for (const name of own) rmSync(project.path(name), { recursive: true, force: true });
    project.write(files);
    const ended = await project.proofsheet(args, env);
    expect.soft(ended, title).toExit(2);
    expect.soft(ended.output, title).toMatch(says);
  }
});

test('an image that cannot be written is a failure', async ({ project, site }) => {
  site.write({ 'index.html': '<h1>Home</h1>' });
  project.write({ 'pages.yaml': LIST });
  const captured = await project.proofsheet(['capture', site.url, '-o', `${UNWRITABLE}/a.png`]);
  expect(captured).toExit(2);
  expect(captured.output).toContain('the image cannot be written');
  const compared = await project.proofsheet(['compare', site.url, site.url, '-o', UNWRITABLE]);
  expect(compared).toExit(2);
  expect(compared.output).toContain(UNWRITABLE);
});

test('a merge of shards that could not run is a failure, with the error of the shards', async ({ project }) => {
  const blob = `export default { reporter: [['blob']], globalSetup: './setup.ts' };`;
  const shards = {
    'a list that is missing': { files: shardOf(null), says: 'the page list pages.yaml does not exist' },
    'a global setup that throws': { files: shardOf(LIST, `export default () => { ${THROWS} };`), says: BROKEN },
    'a spec that throws': { files: shardOf(LIST, 'export default () => {};', THROWS), says: BROKEN },
  };
  for (const [title, { files, says }] of Object.entries(shards)) {
    rmSync(project.path('pages.yaml'), { force: true });
    project.write({ ...files, 'playwright.config.ts': blob, 'merge.config.ts': CONFIG });
    expect(await project.test(['--shard=1/1']), title).toExit(1);
    const merged = await project.playwright(['merge-reports', '-c', 'merge.config.ts', 'blob-report']);
    expect.soft(merged, title).toExit(1);
    expect.soft(merged.output, title).toMatch(new RegExp(`^proofsheet: a shard failed: .*${says}`, 'm'));
  }
  project.write({ 'merge.config.ts': THROWS });
  const broken = await project.playwright(['merge-reports', '-c', 'merge.config.ts', 'blob-report']);
  expect(broken).toExit(1);
  expect(broken.output).toContain(BROKEN);

  function shardOf(list: string | null, setup = 'export default () => {};', spec = SPEC): Record<string, string> {
    return { 'setup.ts': setup, 'visual.spec.ts': spec, ...(list !== null && { 'pages.yaml': list }) };
  }
});
