import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ProofsheetError } from '../../model/errors.js';
import { nameShot, renderPlain } from '../../model/plain-text.js';
import { AFFECTED_VARIABLE, type Affected, type AffectedShot, affectedSchema } from '../../model/reuse.js';
import { renderCount, renderCountOf } from '../../model/words.js';
import { findProject } from '../run/folders.js';
import { INSTALL_PLAYWRIGHT, isAtLeast } from '../run/run-identity.js';

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
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-affected-'));
  try {
    const file = join(folder, 'affected.json');
    const require = createRequire(join(root, 'package.json'));
    const { version } = require(resolveFrom(require, '@playwright/test/package.json'));
    if (!isAtLeast(version, LISTED_ONLY)) throw tooOld(version);
    const args = [
      ...[resolveFrom(require, '@playwright/test/cli'), 'test', ...(config === undefined ? [] : ['--config', config])],
      ...[`--reporter=${resolveFrom(require, 'proofsheet/reporter')}`, `--output=${join(folder, 'results')}`],
      // The tests of a project that others depend on may open a browser.
      ...['--no-deps', '--retries=0', '--pass-with-no-tests', ...project.flatMap((name) => ['--project', name])],
    ];
    const printed = await runPlaywright(args, { PROOFSHEET_REUSE: '1', [AFFECTED_VARIABLE]: file });
    return answerOf(affectedSchema.parse(JSON.parse(await readAnswer(file, printed))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first version of Playwright whose reporters can exclude tests: only the tests of lists may run. */
const LISTED_ONLY = '1.62';

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

function resolveFrom(require: NodeJS.Require, name: string): string {
  try {
    return require.resolve(name);
  } catch {
    return createRequire(import.meta.url).resolve(name);
  }
}

/** Runs Playwright and returns what it printed. */
function runPlaywright(args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const keep = (chunk: Buffer) => {
      printed = (printed + chunk).slice(-100_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', () => resolve(printed));
  });
}

async function readAnswer(file: string, printed: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw incomplete(
      stripVTControlCharacters(printed)
        .split('\n')
        .find((line) => /error/i.test(line)) ?? 'no answer',
    );
  });
}

function answerOf({ shots, errors }: Affected): AffectedAnswer {
  const [error] = errors;
  if (error !== undefined) throw incomplete(error);
  const sorted = shots.toSorted((a, b) => Number(b.captured) - Number(a.captured) || compareNames(a, b));
  const captured = shots.filter((shot) => shot.captured).length;
  return { shots: sorted, captured, reused: shots.length - captured };
}

function compareNames(a: AffectedShot, b: AffectedShot): number {
  return Buffer.compare(Buffer.from(nameShot(a)), Buffer.from(nameShot(b)));
}

function tooOld(version: string): ProofsheetError {
  return new ProofsheetError({
    code: 'run-incomplete',
    where: 'proofsheet affected',
    found: `the command needs @playwright/test ${LISTED_ONLY} or later; this project has ${version}`,
    advice: `Run: ${INSTALL_PLAYWRIGHT}@latest`,
  });
}

function incomplete(found: string): ProofsheetError {
  return new ProofsheetError({
    code: 'run-incomplete',
    where: 'npx playwright test',
    found: `the tests could not decide: ${renderPlain(found)}`,
    advice: 'Run: npx playwright test --list',
  });
}
