import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import {
  AFFECTED_VARIABLE,
  type Affected,
  affectedSchema,
  failure,
  nameShot,
  type ProofsheetError,
  renderCount,
  renderCountOf,
  renderPlain,
} from '../model/index.js';
import { askReporter, checkPlaywright, findProject, isAtLeast, type Project, resolveFrom } from '../run/index.js';
import { command, type Values } from './command.js';
import { CONFIG, PROJECTS } from './flags.js';

const FLAGS = { ...CONFIG, ...PROJECTS };

export const affected = command({
  name: 'affected',
  description: 'list the shots that a run with `reuse` would capture, and why',
  flags: FLAGS,
  help: `  proofsheet affected
  proofsheet affected --config e2e/playwright.config.ts --project chromium --json

The files of each page are compared with those of earlier captures that passed. No browser is launched.
Exit code: 0 done, 2 an error occurred.`,
  async run(flags) {
    const answer = await findAffected(flags);
    return { json: answer, text: formatAffected(answer) };
  },
});

/** Playwright runs the tests of the lists, so that its config, its web server and its projects apply; each test only decides. */
async function findAffected({ config, project }: Values<typeof FLAGS>) {
  const places = findProject({ config });
  const args = [...(await argsOfLists(places, project, UNDECIDED)), '--retries=0'];
  const { answer, why } = await askReporter(places.root, args, AFFECTED_VARIABLE, { PROOFSHEET_REUSE: '1' });
  return answerOf(answer === null ? null : affectedSchema.parse(answer), why);
}

export function formatAffected({ shots, captured, reused }: ReturnType<typeof answerOf>): string {
  return [
    `proofsheet: ${renderCount(captured)} of ${renderCountOf(captured + reused, 'shot')} would be captured`,
    ...shots.slice(0, captured).map((shot) => `  capture  ${nameShot(shot)}  ${renderPlain(shot.why ?? '')}`),
    ...(reused > 0 ? [`  reuse    ${renderCountOf(reused, 'shot')}`] : []),
    '',
  ].join('\n');
}

/**
 * Sorts the answer of the tests: the shots that would be captured first, then by name.
 *
 * @param why - why Playwright failed, as it printed it; null: it did not
 * @throws ProofsheetError `run-incomplete` if a test could not decide, or there is none
 */
export function answerOf(answer: Affected | null, why: string | null) {
  const { shots, errors } = answer ?? { shots: [], errors: [] };
  const error = errors[0] ?? why ?? (shots.length === 0 ? NO_TEST : null);
  if (error !== null) throw incompleteRun(UNDECIDED, error);
  const byName = shots.toSorted((a, b) => (nameShot(a) < nameShot(b) ? -1 : 1));
  const captured = byName.filter((shot) => shot.captured);
  const reused = byName.filter((shot) => !shot.captured);
  return { shots: [...captured, ...reused], captured: captured.length, reused: reused.length };
}

const UNDECIDED = 'the tests could not decide';

/** The first version of Playwright whose reporters can exclude tests: only the tests of lists may run. */
const EXCLUDES_TESTS = '1.62';

export const NO_TEST = 'no test of a page list was found';

/**
 * Returns arguments of Playwright with which only the tests of lists run, in some projects or in all: if the reporter cannot exclude the other
 * tests, with the locations of these.
 *
 * @throws ProofsheetError `run-incomplete` if there is no such test. @param what - see {@link incompleteRun}
 */
export async function argsOfLists({ root, config }: Project, projects: readonly string[], what: string) {
  const args = [
    ...['test', '--config', join(root, config ?? ''), '--pass-with-no-tests'],
    // The tests of a project that others depend on may open a browser.
    ...['--no-deps', ...projects.flatMap((name) => ['--project', name])],
  ];
  const playwright = createRequire(import.meta.url)(resolveFrom(root, '@playwright/test/package.json'));
  checkPlaywright(playwright);
  if (isAtLeast(playwright.version, EXCLUDES_TESTS)) return args;
  const { answer, why } = await askReporter(root, [...args, '--list'], AFFECTED_VARIABLE);
  const locations = why === null ? z.array(z.string()).parse(answer) : [];
  if (locations.length === 0) throw incompleteRun(what, why ?? NO_TEST);
  return [...args, ...locations];
}

/** Returns the error of a run of the lists that gave no result. @param found - what Playwright printed */
export function incompleteRun(what: string, found: string): ProofsheetError {
  const text = `${what}: ${renderPlain(found)}`;
  return failure('run-incomplete', 'npx playwright test', text, 'Run: npx playwright test --list');
}
