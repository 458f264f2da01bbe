import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FullConfig, TestInfo } from '@playwright/test';
import type { Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { DECLARED_ANNOTATION } from '../../record/wire.js';
import { modeOf } from './page-rules.js';

/**
 * A worker whose test failed is ended by Playwright, and another begins: most of a second, where a page that differs has left
 * nothing behind that the next one could be harmed by. It is kept where its test failed as it was expected to. So at the very
 * end of such a test its worker says that it was, and the reporter says, before any other is told of it, that it was not.
 *
 * That is for a reporter that comes before all others, and for tests that are not tried again: a test that failed as expected
 * never is.
 */
const VARIABLE = 'PROOFSHEET_KEPT_WORKERS_OF';

/** Reporters of Playwright's own that print how tests end. Without one Playwright puts one in, before ours. */
const PRINTING = ['list', 'line', 'dot'];

/** In the runner, before its workers begin: tells them whether they are kept. */
export function keepWorkers(suite: Suite, config: FullConfig): void {
  releaseWorkers();
  const isRetried = suite.allTests().some(({ retries }) => retries > 0);
  if (isFirst(config) && !isRetried) process.env[VARIABLE] = String(process.pid);
}

/** In the runner, at its end: what it runs next may have other reporters. */
export function releaseWorkers(): void {
  delete process.env[VARIABLE];
}

/** In the runner, for each test that ended: one that failed in a worker that was kept was not expected to. */
export function markFailed(test: TestCase, { status }: TestResult): void {
  if (process.env[VARIABLE] === undefined || status !== 'failed' || test.expectedStatus !== 'failed') return;
  const types = test.annotations.map(({ type }) => type);
  if (types.includes(DECLARED_ANNOTATION) && !types.includes('fail')) test.expectedStatus = 'passed';
}

/** What decides whether a worker may be kept: the project's options that keep something of tests that fail. */
export type Kept = Record<'screenshot' | 'trace' | 'video', string | { readonly mode: string }>;

/**
 * In a worker: whether it is kept when a page differs.
 *
 * @param runnerPid of the process that started this one
 */
export function isKept({ screenshot, trace, video }: Kept, { config, retry }: TestInfo, runnerPid: number): boolean {
  if (process.env[VARIABLE] !== String(runnerPid) || retry > 0 || config.preserveOutput === 'failures-only')
    return false;
  return [screenshot, trace, video].every((option) => !/fail/.test(modeOf(option)));
}

/** In a worker, at the very end of a test that failed: it is kept. */
export function expectFailure(testInfo: TestInfo): void {
  if (testInfo.status === 'failed' && testInfo.expectedStatus === 'passed') testInfo.expectedStatus = 'failed';
}

function isFirst({ reporter }: FullConfig): boolean {
  const [first, ...others] = reporter.map(([name]) => name);
  const own = createRequire(import.meta.url).resolve('proofsheet/reporter');
  return first !== undefined && others.some((name) => PRINTING.includes(name)) && pathOf(first) === pathOf(own);
}

function pathOf(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}
