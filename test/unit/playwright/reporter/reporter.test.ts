import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shareCompiledCode } from '../../../../src/playwright/reporter/reporter.js';

test.each([
  ['the folder of Node', {}, join(tmpdir(), 'node-compile-cache')],
  ['the folder of the user', { NODE_COMPILE_CACHE: '/kept' }, '/kept'],
  ['no folder while coverage is measured', { NODE_V8_COVERAGE: 'coverage' }, undefined],
])('compiled code is kept in %s', (_, env: NodeJS.ProcessEnv, folder) => {
  shareCompiledCode(env);
  expect(env.NODE_COMPILE_CACHE).toBe(folder);
});
