import { z } from 'zod';
import { AFFECTED_VARIABLE, ProofsheetError, renderPlain } from '../model/index.js';
import { askReporter, isAtLeast } from '../run/index.js';

/** The first version of Playwright whose reporters can exclude tests: only the tests of lists may run. */
const EXCLUDES_TESTS = '1.62';

/**
 * Returns what the command line needs so that only the tests of lists run: nothing if the reporter can exclude the others, or else the
 * locations of these tests. Throws the error that `failed` makes of the reason if there is no such test.
 */
export async function locationsOfLists(
  root: string,
  args: readonly string[],
  version: string,
  failed: (found: string) => Error,
): Promise<string[]> {
  if (isAtLeast(version, EXCLUDES_TESTS)) return [];
  const { answer, failure } = await askReporter(root, [...args, '--list'], AFFECTED_VARIABLE);
  const locations = failure === null ? z.array(z.string()).parse(answer) : [];
  if (locations.length === 0) throw failed(failure ?? NO_TEST);
  return locations;
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
