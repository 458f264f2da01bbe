import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDocs, snippetsOf } from '../docs-snippets.js';
import { makeTempFolder } from '../unit/temp-folder.js';

const github = fileURLToPath(new URL('../../.github', import.meta.url));
const manifest = JSON.parse(readFileSync(`${github}/../package.json`, 'utf8'));

const permissions = z.record(z.string(), z.enum(['read', 'write'])).default({});
const step = z.object({
  name: z.string().optional(),
  uses: z.string().default(''),
  run: z.string().default(''),
  'working-directory': z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});
const job = z.object({
  permissions,
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  steps: z.array(step),
});
const workflow = z.object({ on: z.record(z.string(), z.unknown()), permissions, jobs: z.record(z.string(), job) });

const workflows = readdirSync(`${github}/workflows`).map((name) => ({
  name,
  ...workflow.parse(parse(readFileSync(`${github}/workflows/${name}`, 'utf8'))),
}));
const jobs = workflows.flatMap(({ name, jobs }) => Object.entries(jobs).map(([id, job]) => ({ name, id, ...job })));
const composite = z
  .object({ runs: z.object({ steps: z.array(step) }) })
  .parse(parse(readFileSync(`${github}/actions/proofsheet/action.yml`, 'utf8')));
const steps = [...composite.runs.steps, ...jobs.flatMap(({ steps }) => steps)];

function jobsOf(name: string): Record<string, z.infer<typeof job> | undefined> {
  return workflows.find((one) => one.name === name)?.jobs ?? {};
}

describe('the workflows', () => {
  test('only the job that needs a write permission has it', () => {
    expect(workflows.flatMap(({ permissions }) => Object.values(permissions))).not.toContain('write');
    const writing = jobs.flatMap(({ name, id, permissions }) =>
      Object.entries(permissions).flatMap(([what, level]) => (level === 'write' ? `${name} ${id}: ${what}` : [])),
    );
    expect(writing).toEqual([
      'release.yml publish: id-token',
      'update-baselines.yml commit: actions',
      'update-baselines.yml commit: contents',
      'update-baselines.yml commit: pull-requests',
      'visual-decide.yml decide: actions',
      'visual-decide.yml decide: contents',
      'visual-decide.yml decide: pull-requests',
      'visual-publish.yml comment: pull-requests',
    ]);
  });

  test('never run the code of a pull request with the rights of the repository', () => {
    expect(workflows.flatMap(({ on }) => Object.keys(on))).not.toContain('pull_request_target');
    const writing = jobs.filter(({ permissions }) => Object.values(permissions).includes('write'));
    // `npm publish` of a tarball with --ignore-scripts runs nothing of it.
    const harmless = /#.*|npm --version|npm \$found|npm publish \.\/\*\.tgz --ignore-scripts /g;
    const runsCode = ({ uses, run }: z.infer<typeof step>) =>
      uses.startsWith('./') || /\bnpm\b|playwright/.test(run.replace(harmless, ''));
    expect(writing.filter(({ steps }) => steps.some(runsCode)).map(({ id }) => id)).toEqual([]);
    // What they run is a version of the registry, and not in the checkout.
    const tools = writing.flatMap(({ steps }) => steps.filter(({ run }) => /\bnpx\b/.test(run)));
    expect(tools.map(({ name }) => name)).toEqual(['Decide', 'Comment']);
    for (const { run, 'working-directory': folder } of tools) {
      expect(run.match(/\bnpx .{27}/g)).toEqual(['npx --yes "proofsheet@$VERSION"']);
      expect(folder?.includes('runner.temp') || run.includes('cd "$RUNNER_TEMP/decide"\n')).toBe(true);
    }
  });

  test('that answer to the end of another one check nothing out', () => {
    const answering = workflows.filter(({ on }) => 'workflow_run' in on);
    expect(answering.map(({ name }) => name)).toEqual(['visual-publish.yml']);
    const used = answering.flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps));
    expect(used.filter(({ uses }) => uses && !uses.startsWith('actions/download-artifact@'))).toEqual([]);
  });
});

describe('to the parser of GitHub', () => {
  async function errorsOf(content: string): Promise<string[]> {
    const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
    if (value) await convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(({ message }) => message);
  }

  const files = readdirSync(`${github}/workflows`).map((name) => ({
    name,
    text: readFileSync(`${github}/workflows/${name}`, 'utf8'),
  }));
  const snippets = readDocs()
    .flatMap(snippetsOf)
    .filter(({ file }) => file?.startsWith('.github/workflows/'))
    .map(({ page, line, text }) => ({ name: `${page}:${line}`, text }));

  test('the documentation has snippets', () => expect(snippets.length).toBeGreaterThan(2));

  test.each([...files, ...snippets])('$name is a workflow', async ({ text }) => {
    expect(await errorsOf(text)).toEqual([]);
  });

  test('action.yml is an action', () => {
    const content = readFileSync(`${github}/actions/proofsheet/action.yml`, 'utf8');
    const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
    expect(context.errors.getErrors()).toEqual([]);
  });
});

const pipelines = readDocs()
  .flatMap(snippetsOf)
  .filter(({ file }) => file === '.gitlab-ci.yml');

test.each(pipelines)('the pipeline of $page:$line names its own stages and jobs', ({ text }) => {
  const job = z.looseObject({ needs: z.array(z.string()).default([]), stage: z.string().optional() });
  const { stages = [], default: _, ...jobs }: Record<string, unknown> = parse(text);
  const all = z.record(z.string(), job).parse(jobs);
  expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.values(all).flatMap(({ needs }) => needs)));
  expect(stages).toEqual(expect.arrayContaining(Object.values(all).flatMap(({ stage = [] }) => stage)));
});

describe('a step', () => {
  test('has no expression in its script: untrusted values are passed in environment variables', () => {
    expect(steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });

  test('uses no action but by its commit, or our own', () => {
    const used = steps.flatMap(({ uses }) => uses || []);
    expect(used.length).toBeGreaterThan(5);
    const own = './.github/actions/proofsheet';
    expect(used.filter((name) => name !== own && !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  test('leaves no token in a checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.filter((checkout) => checkout.with['persist-credentials'] !== false)).toEqual([]);
  });
});

test('ci tests the lowest Node.js and the lowest Playwright of package.json, and the versions of the documentation', () => {
  const { node, platform, playwright, versions } = jobsOf('ci.yml');
  const [lowest] = /\d+/.exec(manifest.engines.node) ?? [];
  for (const job of [node, platform]) expect(job?.strategy?.matrix.node).toContain(lowest);
  const [peer] = /\d+\.\d+/.exec(manifest.peerDependencies['@playwright/test']) ?? [];
  expect(playwright?.strategy?.matrix.playwright).toEqual([`${peer}.0`, 'latest']);
  const documented = [...readFileSync('docs/compatibility.md', 'utf8').matchAll(/^\| (1\.\d+)\.\d+ \|/gm)];
  expect(versions?.strategy?.matrix.playwright).toEqual(documented.map(([, version]) => version));
});

test('text files have the same bytes in a checkout on Windows', () => {
  const { stdout } = spawnSync('git', ['check-attr', 'text', 'eol', '--', 'src/index.ts'], { encoding: 'utf8' });
  expect(stdout).toBe('src/index.ts: text: auto\nsrc/index.ts: eol: lf\n');
});

describe('a release', () => {
  test('has its version in what users copy', () => {
    const texts = jobs.flatMap(({ steps }) => steps.flatMap(({ env }) => env.VERSION ?? []));
    const [gitlab] = /(?<=proofsheet@)\S+/.exec(readFileSync(`${github}/../docs/gitlab.md`, 'utf8')) ?? [];
    expect([...texts, gitlab]).toEqual([manifest.version, manifest.version, manifest.version]);
  });

  const { pack, publish } = jobsOf('release.yml');

  test('has the tag of its version, and a section in the changelog', () => {
    const files = {
      'package.json': '{ "version": "1.2.3" }',
      'CHANGELOG.md': '# Changelog\n\n## [1.2.3] - 2027-01-01\n',
    };
    const check = scriptOf(pack, 'Does the tag name the version of package.json?');
    expect(runScript(check, files, { GITHUB_REF_NAME: 'v1.2.3' })).toEqual({ code: 0, output: '' });
    const wrong = runScript(check, files, { GITHUB_REF_NAME: 'v1.2.4' });
    expect(wrong).toMatchObject({ code: 1, output: expect.stringMatching(/v1\.2\.4.*1\.2\.3/) });
    const silent = runScript(check, { ...files, 'CHANGELOG.md': '# Changelog\n' }, { GITHUB_REF_NAME: 'v1.2.3' });
    expect(silent).toMatchObject({ code: 1, output: expect.stringContaining('CHANGELOG.md') });
  });

  test('gets the tag `next` on npm if it is a pre-release', () => {
    const script = `npm() { echo "$*"; }\n${scriptOf(publish, 'Publish')}`;
    const files = { 'proofsheet-1.0.0.tgz': '' };
    expect(runScript(script, files, { GITHUB_REF_NAME: 'v1.0.0' }).output).toBe(
      'publish ./proofsheet-1.0.0.tgz --ignore-scripts --provenance --access public --tag latest\n',
    );
    expect(runScript(script, files, { GITHUB_REF_NAME: 'v1.0.0-beta.1' }).output).toMatch(/--tag next$/m);
  });

  function scriptOf(job: typeof pack, name: string): string {
    return job?.steps.find((step) => step.name === name)?.run ?? 'exit 99';
  }
});

function runScript(script: string, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: makeTempFolder(files),
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { code: ended.status, output: `${ended.stdout}${ended.stderr}` };
}
