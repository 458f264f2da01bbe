import { relative } from 'node:path';
import type { FullConfig, Suite, TestCase } from '@playwright/test/reporter';
import { MESSAGE_ATTACHMENT, renderCountOf, renderPlain } from '../../model/index.js';
import { MAX_LINES } from '../../report/index.js';
import { type Declarations, firstLine } from './tests.js';

/** Lines for {@link renderOthers} in a summary that fills all lines. */
export const RESERVED_LINES = 5;

/** Lists what Playwright's reporters for the terminal print besides the shots, one line each: errors outside of tests, and the other tests. */
export function renderOthers(
  config: FullConfig,
  suite: Suite | null,
  declarations: Declarations,
  errors: readonly string[],
): string[] {
  const hasShot = (test: TestCase) =>
    declarations.has(test) ||
    test.results.some(({ attachments }) => attachments.some(({ name }) => name === MESSAGE_ATTACHMENT));
  const others = suite?.allTests().filter((test) => !hasShot(test)) ?? [];
  const failed = others.filter((test) => test.outcome() === 'unexpected');
  const count = `${renderCountOf(others.length, 'test')} without a shot, ${failed.length} failed`;
  return [
    ...errors.map((error) => renderLine('error', error)),
    ...(others.length > 0 ? [renderLine('tests', count)] : []),
    ...failed.map((test) => {
      const { file, line } = test.location;
      const error = firstLine(test.results.at(-1)?.error) ?? '';
      return renderLine('failed', `${relative(config.rootDir, file)}:${line} ${titleOf(test)}: ${error}`);
    }),
  ];
}

/** Cuts lines so that a summary and these are not longer than the summary alone may be. */
export function cutOthers(lines: readonly string[], summary: string): string[] {
  const room = MAX_LINES - summary.split('\n').length;
  if (lines.length <= room) return [...lines];
  const more = `${lines.length - room + 1} more: run with --reporter=list`;
  return [...lines.slice(0, room - 1), renderLine('', more)];
}

export function titleOf(test: TestCase): string {
  return test.titlePath().slice(3).join(' › ');
}

function renderLine(word: string, text: string): string {
  return `  ${word.padEnd(8)}  ${renderPlain(text)}`;
}
