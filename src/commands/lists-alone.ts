import { createRequire } from 'node:module';
import { z } from 'zod';
import { AFFECTED_VARIABLE, ProofsheetError, renderPlain } from '../model/index.js';
import { askReporter, checkPlaywright, isAtLeast, resolveFrom } from '../run/index.js';

/** The first version of Playwright whose reporters can exclude tests: only the tests of lists may run. */
const EXCLUDES_TESTS = '1.62';

/**
 * Returns arguments of Playwright with which only the tests of lists run: those that are given if the reporter can exclude the others, or
 * else with the locations of these tests. Throws the error that `failed` makes of the reason if there is no such test.
 */
export async function argsOfLists(
  root: string,
  args: readonly string[],
  failed: (found: string) => Error,
): Promise<readonly string[]> {
  const playwright = createRequire(import.meta.url)(resolveFrom(root, '@playwright/test/package.json'));
  checkPlaywright(playwright);
  if (isAtLeast(playwright.version, EXCLUDES_TESTS)) return args;
  const { answer, failure } = await askReporter(root, [...args, '--list'], AFFECTED_VARIABLE);
  const locations = failure === null ? z.array(z.string()).parse(answer) : [];
  if (locations.length === 0) throw failed(failure ?? NO_TEST);
  return [...args, ...locations];
}

/** Returns the error of a run of the lists that gave no result. @param found - what Playwright printed */
export function incompleteRun(what: string, found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'run-incomplete',
    where: 'npx playwright test',
    found: `${what}: ${renderPlain(found)}`,
    advice: 'Run: npx playwright test --list',
  });
}

export const NO_TEST = 'no test of a page list was found';
