import { dirname, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullProject, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import type { Spec } from '../../baselines/find-baselines.js';
import type { RunScope } from '../../core/run/find-obsolete.js';
import type { ObservedAttempt, ObservedTest } from '../../core/run/observed.js';
import {
  DECLARED_ANNOTATION,
  type DeclaredShot,
  decodeDeclared,
  decodeMessage,
  MESSAGE_ATTACHMENT,
  type ShotMessage,
} from '../../model/attachments.js';
import { type Problem, ProofsheetError } from '../../model/errors.js';
import { specName } from '../runner-context.js';

/** The tests of a run that are ours, and what of them could not be read. */
export interface ReadTests {
  readonly tests: readonly ObservedTest[];
  readonly problems: readonly Problem[];
}

/** Reads the tests that declare a shot or compared something, in words that are not Playwright's. */
export function readTests(suite: Suite, config: FullConfig): ReadTests {
  const problems = new Map<string, Problem>();
  const tests = suite.allTests().flatMap((test) => {
    const declared = readDeclared(test, problems);
    const attempts = test.results.map((result) => readAttempt(result, problems));
    const isOurs = declared !== null || attempts.some(({ messages }) => messages.length > 0);
    return isOurs ? [observe(test, declared, attempts, config)] : [];
  });
  return { tests, problems: [...problems.values()] };
}

/** Returns the first line of an error, without colors. */
export function firstLine(error: TestError | undefined): string | null {
  const text = stripVTControlCharacters(error?.message ?? error?.value ?? '');
  const line = text.split('\n').find((candidate) => candidate.trim() !== '');
  return line?.trim().replace(/^Error: /, '') ?? null;
}

function observe(
  test: TestCase,
  declared: DeclaredShot | null,
  attempts: readonly ObservedAttempt[],
  config: FullConfig,
): ObservedTest {
  const file = relative(config.rootDir, test.location.file).split(sep).join('/');
  return {
    project: test.parent.project()?.name ?? '',
    title: test.titlePath().slice(3).join(' > '),
    location: `${file}:${test.location.line}`,
    repeat: test.repeatEachIndex,
    declared,
    skipped: readSkipped(test),
    failed: test.outcome() === 'unexpected',
    attempts,
  };
}

/** A test that was to be skipped says so; one that Playwright skips because something before it failed does not. */
function readSkipped(test: TestCase): ObservedTest['skipped'] {
  const mark = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  if (!mark && test.expectedStatus !== 'skipped') return null;
  return { reason: mark?.description ?? null };
}

function readAttempt(result: TestResult, problems: Map<string, Problem>): ObservedAttempt {
  const attachments = new Map<string, string | Buffer>();
  for (const { name, path, body } of result.attachments) {
    const source = path ?? body;
    if (source !== undefined) attachments.set(name, source);
  }
  return {
    outcome: result.status,
    error: firstLine(result.error),
    // -1 until it ends, which it may never do.
    durationMs: Math.max(0, result.duration),
    messages: result.attachments.flatMap((attachment) => readMessage(attachment, problems) ?? []),
    attachments,
  };
}

function readDeclared(test: TestCase, problems: Map<string, Problem>): DeclaredShot | null {
  const description = test.annotations.find(({ type }) => type === DECLARED_ANNOTATION)?.description;
  return description === undefined ? null : tryRead(() => decodeDeclared(description), problems);
}

function readMessage(
  attachment: TestResult['attachments'][number],
  problems: Map<string, Problem>,
): ShotMessage | null {
  if (attachment.name !== MESSAGE_ATTACHMENT) return null;
  return tryRead(() => decodeMessage(attachment.body?.toString('utf8') ?? ''), problems);
}

/** The same trouble with every shot is told once. */
function tryRead<T>(read: () => T, problems: Map<string, Problem>): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    problems.set(error.message, error.problem);
    return null;
  }
}

/**
 * Reads how much of its tests a run was meant to see.
 *
 * @param report the report's folder; absolute
 * @param errors what went wrong beside the tests, such as a list that cannot be read
 */
export function readScope(suite: Suite, config: FullConfig, report: string, errors: readonly string[]): RunScope {
  const { configFile, rootDir, projects } = config;
  const tests = suite.allTests();
  const root = configFile ? dirname(configFile) : rootDir;
  return {
    root,
    outputs: [report, ...projects.map(({ outputDir }) => outputDir)],
    isWhole: errors.length === 0 && !projects.some(isFiltered) && !tests.some(isFocused),
    unseen: [...new Set(tests.filter(mayHaveCompared).map(({ location }) => specName(location.file, config)))],
    specs: suite.suites.flatMap((project) => specsOf(project, root)),
  };
}

/** Of each project, the second level of suites is its files. */
function specsOf(project: Suite, root: string): Spec[] {
  const testDir = project.project()?.testDir ?? root;
  return project.suites.flatMap(({ location }) =>
    location ? [{ testDir: slashed(relative(root, testDir)), path: slashed(relative(testDir, location.file)) }] : [],
  );
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** A config can filter as well as the command line can. */
function isFiltered({ grep, grepInvert }: FullProject): boolean {
  return [grep].flat().some((pattern) => String(pattern) !== '/.*/') || grepInvert !== null;
}

/** `test.only` leaves out the others without a word to reporters. */
function isFocused(test: TestCase): boolean {
  const above: (TestCase | Suite)[] = [test];
  for (let suite: Suite | undefined = test.parent; suite; suite = suite.parent) above.push(suite);
  return above.some((one) => Reflect.get(one, '_only') === true);
}

/** A test of the user's own that was skipped, or ended early, may compare what nobody knows of. */
function mayHaveCompared(test: TestCase): boolean {
  const isListed = test.annotations.some(({ type }) => type === DECLARED_ANNOTATION);
  return !isListed && (test.outcome() !== 'expected' || test.results.some(({ status }) => status !== 'passed'));
}
