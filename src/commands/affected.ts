import { createRequire } from 'node:module';
import type { Command } from 'commander';
import {
  AFFECTED_VARIABLE,
  type Affected,
  type AffectedShot,
  affectedSchema,
  nameShot,
  print,
  printJson,
  renderCount,
  renderCountOf,
  renderPlain,
} from '../model/index.js';
import { askReporter, checkPlaywright, findProject, resolveFrom } from '../run/index.js';
import { collect } from './flags.js';
import { incompleteRun, locationsOfLists, NO_TEST } from './lists-alone.js';

const EXAMPLES = `
Examples:
  proofsheet affected
  proofsheet affected --config e2e/playwright.config.ts --project chromium --json

The files of each page are compared with those of earlier captures that passed. No browser is launched.
Exit code: 0 done, 2 an error occurred.`;

/** Adds `proofsheet affected`. */
export function addAffected(program: Command): void {
  program
    .command('affected')
    .description('list the shots that a run with `reuse` would capture, and why')
    .option('-c, --config <path>', 'Playwright config or its folder (default: the current folder)')
    .option('--project <name>', 'only this project; repeatable', collect)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(affected);
}

async function affected({ json, ...question }: AffectedQuestion & { readonly json?: true }): Promise<void> {
  const answer = await findAffected(question);
  const document = { status: 'success', error: false, ...answer };
  if (json) printJson(document);
  else print(formatAffected(answer));
}

/** The run to ask about. */
export interface AffectedQuestion {
  /** The Playwright config or its folder, as typed. @default the current folder */
  readonly config?: string;
  /** Only these projects. @default all */
  readonly project?: readonly string[];
}

/** What a run would do. */
export interface AffectedAnswer {
  /** The shots that would be captured first, then by name. */
  readonly shots: readonly AffectedShot[];
  readonly captured: number;
  readonly reused: number;
}

/**
 * Decides for each shot whether a run with `reuse` would capture it. Playwright runs the tests of the lists, so that its config, its web
 * server and its projects apply; each test only decides. No browser is launched, and no file of the project is changed.
 *
 * @throws ProofsheetError `run-incomplete` if Playwright cannot run the tests
 */
export async function findAffected({ config, project = [] }: AffectedQuestion): Promise<AffectedAnswer> {
  const { root } = findProject({ ...(config !== undefined && { config }) });
  const playwright = createRequire(import.meta.url)(resolveFrom(root, '@playwright/test/package.json'));
  checkPlaywright(playwright);
  const args = [
    ...['test', ...(config === undefined ? [] : ['--config', config])],
    // The tests of a project that others depend on may open a browser.
    ...['--no-deps', '--retries=0', '--pass-with-no-tests', ...project.flatMap((name) => ['--project', name])],
  ];
  const locations = await locationsOfLists(root, args, playwright.version, incomplete);
  const all = [...args, ...locations];
  const { answer, failure } = await askReporter(root, all, AFFECTED_VARIABLE, { PROOFSHEET_REUSE: '1' });
  return answerOf(answer === null ? null : affectedSchema.parse(answer), failure);
}

/** Renders the answer: a line per shot that would be captured, with the reason. */
export function formatAffected({ shots, captured, reused }: AffectedAnswer): string {
  const lines = shots.flatMap((shot) =>
    shot.captured ? [`  capture  ${nameShot(shot)}  ${renderPlain(shot.why ?? '')}`] : [],
  );
  return [
    `proofsheet: ${renderCount(captured)} of ${renderCountOf(captured + reused, 'shot')} would be captured`,
    ...lines,
    ...(reused > 0 ? [`  reuse    ${renderCountOf(reused, 'shot')}`] : []),
    '',
  ].join('\n');
}

/**
 * Sorts the answer of the tests.
 *
 * @param failure - why Playwright failed, as it printed it; null: it did not
 * @throws ProofsheetError `run-incomplete` if a test could not decide, or there is none
 */
export function answerOf(answer: Affected | null, failure: string | null): AffectedAnswer {
  const { shots, errors } = answer ?? { shots: [], errors: [] };
  const error = errors[0] ?? failure ?? (shots.length === 0 ? NO_TEST : null);
  if (error !== null) throw incomplete(error);
  const sorted = shots.toSorted((a, b) => Number(b.captured) - Number(a.captured) || compareNames(a, b));
  const captured = shots.filter((shot) => shot.captured).length;
  return { shots: sorted, captured, reused: shots.length - captured };
}

function compareNames(a: AffectedShot, b: AffectedShot): number {
  return Buffer.compare(Buffer.from(nameShot(a)), Buffer.from(nameShot(b)));
}

function incomplete(found: string): Error {
  return incompleteRun('the tests could not decide', found);
}
