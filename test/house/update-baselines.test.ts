import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { useSandbox } from './sandbox.js';

const file = fileURLToPath(new URL('../../.github/workflows/update-baselines.yml', import.meta.url));
const step = z.object({ name: z.string(), uses: z.string(), run: z.string(), if: z.string() }).partial();
const { jobs } = z
  .object({
    jobs: z.record(z.string(), z.object({ if: z.string().optional(), steps: z.array(step) })),
  })
  .parse(parse(readFileSync(file, 'utf8')));

const { env, at, put, git, bash } = useSandbox();

/** A bare repository, a checkout of its branch for each of the two jobs, and a `gh` that writes down what it is asked. */
beforeEach(() => {
  put('bin/gh', '#!/bin/sh\necho "$@" >> "$CALLS"\necho "$PERMISSION"\n');
  chmodSync(at('bin/gh'), 0o755);
  Object.assign(env, {
    ...{ CALLS: at('calls'), BRANCH: 'topic' },
    ...{ RUNNER_TEMP: at('temp'), GITHUB_OUTPUT: at('output'), GITHUB_REPOSITORY: 'octo/site', ACTOR: 'octocat' },
    CHECKS: 'visual-compare.yml ci.yml',
  });
  mkdirSync(at('temp'));
  git('.', 'init', '-q', '--bare', 'origin.git');
  git('.', 'clone', '-q', 'origin.git', 'capture');
  git('capture', 'checkout', '-q', '-b', 'topic');
  put('capture/shots/home.png', 'old');
  put('capture/shots/same.png', 'same');
  put('capture/.gitignore', 'ignored/\n');
  git('capture', 'add', '.');
  git('capture', 'commit', '-q', '-m', 'first');
  git('capture', 'push', '-q', 'origin', 'topic');
  git('.', 'clone', '-q', '--branch', 'topic', 'origin.git', 'commit');
});

test('commits new and changed images, and no other file', async () => {
  put('capture/shots/home.png', 'new');
  put('capture/shots/ä b/-new "one".webp', 'more');
  put('capture/src/index.js', 'code');
  put('capture/ignored/x.png', 'x');
  put('capture/web/proofsheet-report/screenshots/x.png', 'x');
  expect(await run('capture', 'Gather the baselines')).toBe(true);
  expect(await run('commit', 'Commit')).toBe(true);
  expect(pushed()).toEqual(['shots/home.png', 'shots/ä b/-new "one".webp']);
  expect(readFileSync(at('output'), 'utf8')).toBe('gathered=true\npushed=true\n');
});

test('ignores other content of the artifact: code, links, and files of git', async () => {
  put('temp/baselines/shots/home.png', 'new');
  put('temp/baselines/.github/workflows/evil.yml', 'on: push');
  put('temp/baselines/.git/hooks/pre-commit', '#!/bin/sh\ntouch "$HOME/owned"');
  put('temp/baselines/.git/evil.png', 'x');
  symlinkSync('/etc/passwd', at('temp/baselines/shots/link.png'));
  expect(await run('commit', 'Commit')).toBe(true);
  expect(pushed()).toEqual(['shots/home.png']);
  expect(existsSync(at('commit/.git/evil.png')) || existsSync(at('owned'))).toBe(false);
});

const hasLfs = spawnSync('git', ['lfs', 'version']).status === 0;

// Needs git-lfs, which is no dependency of the project.
test.skipIf(!hasLfs)('uploads the objects of Git LFS, so that another clone has the new image', async () => {
  git('.', 'lfs', 'install', '--skip-repo');
  put('capture/.gitattributes', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  git('capture', 'lfs', 'install', '--local');
  put('capture/shots/home.png', 'old, in LFS');
  git('capture', 'add', '.');
  git('capture', 'commit', '-q', '-m', 'lfs');
  git('capture', 'push', '-q', 'origin', 'topic');
  git('commit', 'pull', '-q');
  put('temp/baselines/shots/home.png', 'new, in LFS');
  expect(await run('commit', 'Commit')).toBe(true);
  expect(pushed()).toEqual(['shots/home.png']);
  expect(git('origin.git', 'show', 'topic:shots/home.png')).toMatch(/^version https:\/\/git-lfs/);
  git('.', 'clone', '-q', '--branch', 'topic', 'origin.git', 'later');
  expect(readFileSync(at('later/shots/home.png'), 'utf8')).toBe('new, in LFS');
});

test('gathers the baselines in a container, where the checkout belongs to another user', async () => {
  put('capture/shots/home.png', 'new');
  env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';
  expect(() => git('capture', 'status')).toThrow('dubious ownership');
  expect(await run('capture', 'Gather the baselines')).toBe(true);
  expect(readFileSync(at('temp/baselines/shots/home.png'), 'utf8')).toBe('new');
});

test('a run in which a page had an error still gathers and commits the other baselines', async () => {
  const { capture, commit } = jobs;
  const gather = capture?.steps.find(({ name }) => name === 'Gather the baselines');
  const upload = capture?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  for (const step of [gather, upload, commit]) expect(step?.if).toMatch(/^\$\{\{ !cancelled\(\) && /);
  expect(commit?.if, 'never without the permission').toContain("needs.allow.result == 'success'");
  expect(await run('capture', 'Gather the baselines')).toBe(true);
  expect(readFileSync(at('output'), 'utf8')).toBe('gathered=true\n');
});

test('a branch that has moved on meanwhile is not written to', async () => {
  put('temp/baselines/shots/home.png', 'new');
  put('capture/readme', 'later');
  git('capture', 'add', 'readme');
  git('capture', 'commit', '-q', '-m', 'second');
  git('capture', 'push', '-q', 'origin', 'topic');
  expect(await run('commit', 'Commit')).toBe(false);
  expect(git('origin.git', 'log', '-1', '--format=%s', 'topic').trim()).toBe('second');
});

test('the checks of the new commit are started, each of them', async () => {
  expect(await run('commit', 'Start the checks of the new commit')).toBe(true);
  expect(readFileSync(at('calls'), 'utf8')).toBe(
    'workflow run visual-compare.yml --ref topic\nworkflow run ci.yml --ref topic\n',
  );
});

test.each([
  ['admin', true],
  ['write', true],
  ['read', false],
  ['none', false],
  ['', false],
])('a person with the permission "%s" may write: %s', async (PERMISSION, mayWrite) => {
  env.PERMISSION = PERMISSION;
  expect(await run('allow', 'May this person write?', '.')).toBe(mayWrite);
  expect(readFileSync(at('calls'), 'utf8')).toContain('api repos/octo/site/collaborators/octocat/permission');
});

/** Runs a step as a runner does, in the checkout of its job. @returns whether it ended well */
function run(job: string, name: string, cwd = job): Promise<boolean> {
  const script = jobs[job]?.steps.find((step) => step.name === name)?.run ?? 'exit 99';
  return bash(cwd, script, { GITHUB_WORKSPACE: at(cwd) });
}

/** The files that the last commit of the branch changed, where that is one of ours. */
function pushed(): string[] {
  const told = git('origin.git', 'show', '-z', '--no-renames', '--name-only', '--format=%s', 'topic');
  const [subject, ...files] = told.split(/[\0\n]/).filter((line) => line !== '');
  expect(subject).toBe('Update baselines');
  return files;
}
