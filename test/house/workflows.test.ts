// @module-tag pain-49
// @module-tag pain-51
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const github = fileURLToPath(new URL('../../.github', import.meta.url));
const manifest = JSON.parse(readFileSync(`${github}/../package.json`, 'utf8'));

const permissions = z.record(z.string(), z.enum(['read', 'write']));
const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  jobs: z.record(
    z.string(),
    z.object({ permissions: permissions.optional(), 'timeout-minutes': z.number(), steps: z.array(step) }),
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
      'update-baselines.yml',
      'visual-compare.yml',
      'visual-publish.yml',
    ]);
  });

  test('are given no permission to write but by the job that needs it', () => {
    expect(
      workflows.flatMap(({ permissions }) => Object.values(permissions)).filter((level) => level !== 'read'),
    ).toEqual([]);
    expect(writesOf('visual-compare.yml')).toEqual([]);
    expect(writesOf('visual-publish.yml')).toEqual(['comment: pull-requests']);
    expect(writesOf('update-baselines.yml')).toEqual(['commit: actions', 'commit: contents', 'commit: pull-requests']);
  });

  test('never run the code of a pull request with the rights of the repository', () => {
    expect(workflows.flatMap(({ on }) => Object.keys(on))).not.toContain('pull_request_target');
    const writing = workflows.flatMap(({ name, jobs }) => {
      return Object.entries(jobs)
        .filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'))
        .flatMap(([job, { steps }]) => steps.map((step) => ({ where: `${name} ${job}`, ...step })));
    });
    expect(writing.length).toBeGreaterThan(5);
    const local = writing.filter(({ uses = '', run = '' }) => uses.startsWith('./') || /\bnpm\b|playwright/.test(run));
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
  test('puts no expression into a script: what comes from outside comes by the environment', () => {
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
    expect(checkouts.length).toBe(3);
    expect(checkouts.filter((checkout) => checkout.with?.['persist-credentials'] !== false)).toEqual([]);
  });
});
