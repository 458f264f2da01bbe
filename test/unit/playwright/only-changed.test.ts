import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderPassedOver } from '../../../src/playwright/only-changed.js';

const [SPEC, LIST] = ['visual.spec.ts', 'pages.yaml'];
let folder: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: folder, stdio: 'ignore' });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const told = (...flags: string[]) =>
  renderPassedOver({ file: join(folder, LIST), spec: join(folder, SPEC), list: LIST, shots: 12 }, [
    ...['node', 'playwright', 'test', ...flags],
  ]);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'proofsheet-only-changed-')));
  git('init');
  write(SPEC, 'one');
  write(LIST, 'one');
  git('add', '.');
  git('commit', '-m', 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a list that has changed, with a spec that has not, is told with its shots', () => {
  expect(told('--only-changed')).toBeNull();
  write(LIST, 'two');
  expect(told('--only-changed')).toBe(
    'pages.yaml has changed since HEAD, and --only-changed does not look at page lists. Unless its spec imports something ' +
      'that has changed, 12 shots of pages.yaml did NOT run. Run again without --only-changed.',
  );
  expect(told(), 'without the option all is run').toBeNull();
  git('commit', '-am', 'two');
  expect(told('--only-changed')).toBeNull();
  expect(told('--only-changed=HEAD~1')).toContain('since HEAD~1');
  write(SPEC, 'two');
  expect(told('--only-changed=HEAD~1'), 'the spec runs').toBeNull();
});

test('a list that git does not know yet is told as well', () => {
  git('rm', '--cached', LIST);
  git('commit', '-m', 'without');
  expect(told('--only-changed')).toContain('pages.yaml has changed');
});
