import { join } from 'node:path';
import { z } from 'zod';
import { ProofsheetError, renderPlain } from '../model/index.js';
import type { Project } from './folders.js';
import { askReporter } from './run-playwright.js';

const testListSchema = z.strictObject({
  hash: z.string().describe('SHA-256 of the names of all tests'),
  isFiltered: z.boolean().describe('the config or test.only hides tests'),
  specs: z.array(
    z.strictObject({
      testDir: z.string().describe('folder of the tests of its project, relative to the folder of the config'),
      path: z.string().describe('relative to that folder'),
    }),
  ),
});

/** The tests that a run has, or that exist. */
export type TestList = z.infer<typeof testListSchema>;

/** The environment variable with the path of the file for a {@link TestList}. */
export const LIST_VARIABLE = 'PROOFSHEET_LIST_FILE';

/**
 * Lists all tests of a project. Playwright reads its specs and runs none.
 *
 * @throws ProofsheetError `obsolete-unknown` if Playwright cannot list them
 */
export async function listTests({ root, config }: Pick<Project, 'root' | 'config'>): Promise<TestList> {
  const args = ['test', '--list', '--config', join(root, config ?? '')];
  const { answer, failure } = await askReporter(root, args, LIST_VARIABLE);
  const { data } = testListSchema.safeParse(answer);
  if (data !== undefined && failure === null) return data;
  throw new ProofsheetError({
    code: 'obsolete-unknown',
    where: 'npx playwright test --list',
    found: `Playwright cannot list the tests: ${renderPlain(failure ?? 'its reporter wrote no list')}`,
    advice: 'Run: npx playwright test --list',
  });
}
