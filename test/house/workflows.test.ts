import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const github = fileURLToPath(new URL('../../.github', import.meta.url));
const manifest = JSON.parse(readFileSync(`${github}/../package.json`, 'utf8'));

const permissions = z.record(z.string(), z.enum(['read', 'write']));
const step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: z.object({ group: z.string(), 'cancel-in-progress': z.union([z.boolean(), z.string()]) }),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: permissions.optional(),
      'runs-on': z.string(),
      'timeout-minutes': z.number(),
      environment: z.string().optional(),
      strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
      steps: z.array(step),
    }),
  ),
});
const action = z.object({ runs: z.object({ using: z.literal('composite'), steps: z.array(step) }) });

const workflows = readdirSync(`${github}/workflows`).map((name) => ({
  name,
  ...workflow.parse(parse(readFileSync(`${github}/workflows/${name}`, 'utf8'))),
}));
const composite = action.parse(parse(readFileSync(`${github}/actions/proofsheet/action.yml`, 'utf8')));
const steps = [
  ...composite.runs.steps,
  ...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps)),
];

/** Returns a workflow by its file name. */
function workflowOf(name: string) {
  const found = workflows.find((one) => one.name === name);
  if (!found) throw new Error(`there is no workflow ${name}`);
  return found;
}

/** Gives the write permissions of a workflow, each with its job. */
function writesOf(name: string): string[] {
  const jobs = workflows.find((one) => one.name === name)?.jobs;
  return Object.entries(jobs ?? {}).flatMap(([job, { permissions = {} }]) =>
    Object.entries(permissions).flatMap(([what, level]) => (level === 'write' ? [`${job}: ${what}`] : [])),
  );
}

describe('the workflows', () => {
  test('are these', () => {
    expect(workflows.map(({ name }) => name).sort()).toEqual([
      'ci.yml',
      'release.yml',
      'soak.yml',
      'update-baselines.yml',
      'visual-compare.yml',
      'visual-publish.yml',
    ]);
  });

  test('are started by known events', () => {
    const events = workflows.flatMap(({ on }) => Object.keys(on));
    expect([...new Set(events)].sort()).toEqual([
      'pull_request',
      'push',
      'schedule',
      'workflow_dispatch',
      'workflow_run',
    ]);
  });

  test('run on systems that GitHub has, and end', () => {
    const jobs = workflows.flatMap(({ jobs }) => Object.values(jobs));
    const systems = jobs.flatMap((job) => {
      return job['runs-on'].includes('matrix.system') ? (job.strategy?.matrix.system ?? []) : [job['runs-on']];
    });
    expect([...new Set(systems)].sort()).toEqual(['macos-15', 'ubuntu-24.04', 'windows-2025']);
    expect(jobs.filter((job) => job['timeout-minutes'] > 180)).toEqual([]);
  });

  test('run scripts that package.json has', () => {
    const commands = steps.flatMap(({ run = '' }) => [...run.matchAll(/\bnpm (?:run ([\w:-]+)|(test)\b)/g)]);
    const scripts = commands.map(([, script, test]) => script ?? test ?? '');
    expect([...new Set(scripts)].sort()).toEqual(['test', 'test:quick', 'test:soak']);
    expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });

  test('only the job that needs a write permission has it', () => {
    expect(
      workflows.flatMap(({ permissions }) => Object.values(permissions)).filter((level) => level !== 'read'),
    ).toEqual([]);
    expect(writesOf('visual-compare.yml')).toEqual([]);
    expect(writesOf('visual-publish.yml')).toEqual(['comment: pull-requests']);
    expect(writesOf('update-baselines.yml')).toEqual(['commit: actions', 'commit: contents', 'commit: pull-requests']);
    expect(writesOf('ci.yml')).toEqual([]);
    expect(writesOf('soak.yml')).toEqual([]);
    expect(writesOf('release.yml')).toEqual(['publish: id-token']);
  });

  test('never run the code of a pull request with the rights of the repository', () => {
    expect(workflows.flatMap(({ on }) => Object.keys(on))).not.toContain('pull_request_target');
    const writing = workflows.flatMap(({ name, jobs }) => {
      return Object.entries(jobs)
        .filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'))
        .flatMap(([job, { steps }]) => steps.map((step) => ({ where: `${name} ${job}`, ...step })));
    });
    expect(writing.length).toBeGreaterThan(5);
    // `npm publish` of a tarball with --ignore-scripts runs nothing of it.
    const harmless = /#.*|npm --version|npm \$found|npm publish \.\/\*\.tgz --ignore-scripts /g;
    const local = writing.filter(({ uses = '', run = '' }) => {
      return uses.startsWith('./') || /\bnpm\b|playwright/.test(run.replace(harmless, ''));
    });
    expect(local.map(({ where }) => where)).toEqual([]);
  });

  test('that answer to the end of another one check nothing out', () => {
    const answering = workflows.filter(({ on }) => 'workflow_run' in on);
    expect(answering.map(({ name }) => name)).toEqual(['visual-publish.yml']);
    const uses = answering.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps }) => steps.map(({ uses }) => uses)),
    );
    expect(uses.filter((used) => used && !used.startsWith('actions/download-artifact@'))).toEqual([]);
  });

  test('commit without a word that keeps required checks from running', () => {
    const scripts = steps.map(({ run = '' }) => run).join('\n');
    expect(scripts).toMatch(/gh workflow run "\$check" --ref "\$BRANCH"/);
    expect(scripts).not.toMatch(/skip[ -]ci|ci[ -]skip|--force/);
    const compare = workflows.find(({ name }) => name === 'visual-compare.yml');
    expect(Object.keys(compare?.on ?? {}), 'so that it can be started for the commit').toContain('workflow_dispatch');
  });

  test('take the version that is being published', () => {
    const versions = steps.flatMap(({ env }) => env?.VERSION ?? []);
    expect(versions).toEqual([manifest.version]);
  });
});

describe('a step', () => {
  test('scripts contain no expression: untrusted values are passed in environment variables', () => {
    expect(steps.filter(({ run }) => run?.includes('${{')).map(({ run }) => run)).toEqual([]);
  });

  test('uses no action but by its commit, or our own', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(5);
    expect(
      used.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$|^\.\/\.github\/actions\/proofsheet$/.test(name)),
    ).toEqual([]);
  });

  test('leaves no token in a checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBe(8);
    expect(checkouts.filter((checkout) => checkout.with?.['persist-credentials'] !== false)).toEqual([]);
  });
});

describe('ci', () => {
  const { jobs } = workflowOf('ci.yml');

  test('tests each line of Node.js, from the lowest of package.json', () => {
    const [lowest] = /\d+/.exec(manifest.engines.node) ?? [];
    expect(jobs.node?.strategy?.matrix.node).toEqual([lowest, '22', '24']);
    expect(jobs.platform?.strategy?.matrix.node).toEqual([lowest, '22', '24']);
  });

  test('tests the lowest and the newest Playwright', () => {
    const [lowest] = /\d+\.\d+/.exec(manifest.peerDependencies['@playwright/test']) ?? [];
    expect(jobs.playwright?.strategy?.matrix.playwright).toEqual([`${lowest}.0`, 'latest']);
  });
});

describe('a release', () => {
  const { on, jobs } = workflowOf('release.yml');

  test('is started by a version tag alone', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
  });

  test('is published by a job that checks nothing out and waits for the tests', () => {
    expect(jobs.pack?.steps.map(({ run }) => run)).toContain('npm test');
    const { steps = [], environment } = jobs.publish ?? {};
    expect(environment).toBe('npm');
    expect(steps.flatMap(({ uses = '' }) => uses.split('@')[0] || [])).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
    ]);
    // An .npmrc with an empty token keeps npm from trusted publishing.
    expect(steps.flatMap((step) => Object.keys(step.with ?? {}))).not.toContain('registry-url');
    expect(JSON.stringify(jobs)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });

  test('has the tag of its version, and a section in the changelog', () => {
    const files = {
      'package.json': '{ "version": "1.2.3" }',
      'CHANGELOG.md': '# Changelog\n\n## [1.2.3] - 2027-01-01\n',
    };
    const check = scriptOf('pack', 'Does the tag name the version of package.json?');
    expect(runScript(check, files, { GITHUB_REF_NAME: 'v1.2.3' })).toEqual({ code: 0, output: '' });
    const wrong = runScript(check, files, { GITHUB_REF_NAME: 'v1.2.4' });
    expect(wrong).toMatchObject({ code: 1, output: expect.stringMatching(/v1\.2\.4.*1\.2\.3/) });
    const silent = runScript(check, { ...files, 'CHANGELOG.md': '# Changelog\n' }, { GITHUB_REF_NAME: 'v1.2.3' });
    expect(silent).toMatchObject({ code: 1, output: expect.stringContaining('CHANGELOG.md') });
  });

  test('needs an npm that can do trusted publishing', () => {
    const check = scriptOf('publish', 'Is npm new enough?');
    const npm = (version: string) => `npm() { echo ${version}; }\n${check}`;
    expect(runScript(npm('11.5.1')).code).toBe(0);
    expect(runScript(npm('12.0.0')).code).toBe(0);
    expect(runScript(npm('11.10.0')).code).toBe(0);
    expect(runScript(npm('10.9.4'))).toMatchObject({ code: 1, output: expect.stringContaining('11.5.1') });
  });

  test('gets the tag `next` on npm if it is a pre-release', () => {
    const publish = `npm() { echo "$*"; }\n${scriptOf('publish', 'Publish')}`;
    const files = { 'proofsheet-1.0.0.tgz': '' };
    expect(runScript(publish, files, { GITHUB_REF_NAME: 'v1.0.0' }).output).toBe(
      'publish ./proofsheet-1.0.0.tgz --ignore-scripts --provenance --access public --tag latest\n',
    );
    expect(runScript(publish, files, { GITHUB_REF_NAME: 'v1.0.0-beta.1' }).output).toMatch(/--tag next$/m);
  });

  function scriptOf(job: string, name: string): string {
    const script = jobs[job]?.steps.find((step) => step.name === name)?.run;
    if (!script) throw new Error(`there is no step ${name}`);
    return script;
  }
});

describe('an issue form', () => {
  const form = z.strictObject({
    name: z.string(),
    description: z.string(),
    labels: z.array(z.string()),
    body: z.array(
      z.strictObject({
        type: z.enum(['markdown', 'textarea']),
        id: z.string().optional(),
        attributes: z.strictObject({
          label: z.string().optional(),
          description: z.string().optional(),
          value: z.string().optional(),
          render: z.string().optional(),
        }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
    ),
  });

  test.each(['bug.yml', 'feature.yml'])('is valid for GitHub: %s', (name) => {
    const { body } = form.parse(parse(readFileSync(`${github}/ISSUE_TEMPLATE/${name}`, 'utf8')));
    const fields = body.filter(({ type }) => type === 'textarea');
    expect(fields.length).toBeGreaterThan(2);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
  });

  test('leads to files of this repository', () => {
    const config = parse(readFileSync(`${github}/ISSUE_TEMPLATE/config.yml`, 'utf8'));
    const links = z.array(z.object({ url: z.string() })).parse(config.contact_links);
    const files = links.flatMap(({ url }) => url.split(`${manifest.bugs.replace('/issues', '')}/blob/main/`)[1] ?? []);
    expect(files).toEqual(['docs/troubleshooting.md']);
    expect(files.filter((file) => !existsSync(`${github}/../${file}`))).toEqual([]);
  });
});

/** Runs a step's script as GitHub does, in a folder with these files. */
function runScript(script: string, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'proofsheet-workflow-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    return { code: ended.status, output: `${ended.stdout}${ended.stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
