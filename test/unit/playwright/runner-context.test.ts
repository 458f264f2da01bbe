import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locksFolder, updateModeOf } from '../../../src/playwright/runner-context.js';

const projects = [{ outputDir: '/out' }];
const shared = join('/out/.proofsheet/locks', String(process.ppid));
const own = join(shared, String(process.pid));
const cli = ['node', 'playwright/cli.js'];

test.each([
  ['a run', [...cli, 'test', '--workers=2'], shared],
  ['a run of a Playwright that does not tell its arguments', undefined, shared],
  // There, one process starts many runs.
  ['UI mode', [...cli, 'test', '--ui'], own],
  ['UI mode on a port', [...cli, 'test', '--ui-port=8080'], own],
  ['the test server of an editor', [], own],
])('the workers of one runner process share a folder for locks, or each has its own: %s', (_, argv, folder) => {
  expect(locksFolder({ projects, ...(argv && { argv }) })).toBe(folder);
});

test.each([
  ['1.65.1', 'default', 'default'],
  ['1.65.1', 'missing', 'missing'],
  ['1.64.0', 'missing', 'missing'],
  // Without a mode of the user, the versions before have `missing`. It must not pass a new page.
  ['1.63.0', 'missing', 'default'],
  ['1.53.0', 'missing', 'default'],
  ['1.53.0', 'changed', 'changed'],
] as const)('Playwright %s with the update mode %s: %s', (version, updateSnapshots, mode) => {
  expect(updateModeOf({ version, updateSnapshots })).toBe(mode);
});
