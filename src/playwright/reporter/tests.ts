import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullProject, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { sha256 } from '../../baselines/index.js';
import {
  AFFECTED_ATTACHMENT,
  type Affected,
  type AffectedShot,
  affectedShotSchema,
  DECLARED_ANNOTATION,
  type DeclaredShot,
  decodeDeclared,
  decodeMessage,
  MESSAGE_ATTACHMENT,
  type Problem,
  ProofsheetError,
  type ShotMessage,
} from '../../model/index.js';
import type { ObservedAttempt, ObservedTest, TestList } from '../../run/index.js';
import { isOnly } from '../internals.js';
import { configFolder, relativePath, specName } from '../runner-context.js';

/** The texts with which page lists declared their tests. */
export type Declarations = ReadonlyMap<TestCase, string>;

/**
 * Reads the declarations of all tests before they run, and removes them: JUnit and other reporters show each annotation of a test.
 *
 * @param isKept the tests are stored for a merge, which reads the declarations.
 */
export function takeDeclarations(suite: Suite, isKept: boolean): Declarations {
  const declarations = new Map<TestCase, string>();
  for (const test of suite.allTests()) {
    const index = test.annotations.findIndex(isDeclaration);
    const description = test.annotations[index]?.description;
    if (description === undefined) continue;
    declarations.set(test, description);
    if (!isKept) test.annotations.splice(index, 1);
  }
  return declarations;
}

/**
 * Reads the tests that declare or compare shots, and the problems found while reading them. The types do not depend on Playwright.
 */
export function readTests(
  suite: Suite,
  config: FullConfig,
  declarations: Declarations,
): { tests: ObservedTest[]; problems: Problem[] } {
  const problems = new Map<string, Problem>();
  const tests = suite.allTests().flatMap((test) => {
    const declared = readDeclared(declarations.get(test), problems);
    const attempts = test.results.map((result) => readAttempt(result, problems));
    const hasShots = declared !== null || attempts.some(({ messages }) => messages.length > 0);
    return hasShots ? [observe(test, declared, attempts, config)] : [];
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
  const file = relativePath(config.rootDir, test.location.file);
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

/** Returns null for a test that Playwright skipped because of an earlier failure. Only a deliberate skip counts. */
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
    // The duration is -1 until the test ends. A test may never end, for example if its worker crashes.
    durationMs: Math.max(0, result.duration),
    messages: result.attachments.flatMap((attachment) => readMessage(attachment, problems) ?? []),
    attachments,
  };
}

/** Reads what `proofsheet affected` asked the tests of lists. A test without an answer is an error. */
export function readAffected(suite: Suite | null, declarations: Declarations, errors: readonly string[]): Affected {
  const answers = (suite?.allTests() ?? []).flatMap((test): (AffectedShot | string)[] => {
    const [result] = test.results;
    if (!readDeclared(declarations.get(test), new Map()) || readSkipped(test) !== null) return [];
    const attachment = result?.attachments.find(({ name }) => name === AFFECTED_ATTACHMENT);
    if (attachment?.body) return [affectedShotSchema.parse(JSON.parse(attachment.body.toString('utf8')))];
    return [`${test.title}: ${firstLine(result?.error) ?? 'its test gave no answer'}`];
  });
  return {
    shots: answers.filter((answer) => typeof answer !== 'string'),
    errors: [...errors, ...answers.filter((answer) => typeof answer === 'string')],
  };
}

/** Returns where the tests of lists are, as the command line of Playwright takes it. */
export function locationsOf(declarations: Declarations): string[] {
  const locations = [...declarations.keys()].map(({ location }) => `${escapePattern(location.file)}:${location.line}`);
  return [...new Set(locations)];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Checks for the annotation with which a page list declares a test. */
export function isDeclaration({ type }: TestCase['annotations'][number]): boolean {
  return type === DECLARED_ANNOTATION;
}

function readDeclared(description: string | undefined, problems: Map<string, Problem>): DeclaredShot | null {
  return description === undefined ? null : tryRead(() => decodeDeclared(description), problems);
}

function readMessage(
  attachment: TestResult['attachments'][number],
  problems: Map<string, Problem>,
): ShotMessage | null {
  if (attachment.name !== MESSAGE_ATTACHMENT) return null;
  return tryRead(() => decodeMessage(attachment.body?.toString('utf8') ?? ''), problems);
}

/** Adds a problem to the map. Equal problems of several shots become one. */
function tryRead<T>(read: () => T, problems: Map<string, Problem>): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    problems.set(error.message, error.problem);
    return null;
  }
}

/** Reads which tests a run has or, with `--list`, which tests exist. */
export function readList(suite: Suite, config: FullConfig): TestList {
  const { projects, shard } = config;
  const tests = suite.allTests();
  const names = new Set(tests.map((test) => JSON.stringify(test.titlePath())));
  const root = configFolder(config);
  return {
    hash: sha256([...names].sort().join()),
    isFiltered: shard !== null || projects.some(isFiltered) || tests.some(isFocused),
    specs: suite.suites.flatMap((project) => specsOf(project, root)),
  };
}

/**
 * Returns the specs with a test that was skipped or ended early, and the pages with `each` whose elements are not known: the run may not
 * have recorded all their shots.
 */
export function unfinishedShots(
  suite: Suite,
  config: FullConfig,
  declarations: Declarations,
  tests: readonly ObservedTest[],
): string[] {
  const own = suite.allTests().filter((test) => !declarations.has(test) && mayHaveCompared(test));
  const specs = own.map(({ location }) => specName(location.file, config));
  const pages = tests.flatMap(({ declared, attempts }) => {
    const hasElements = attempts.at(-1)?.messages.some(({ shot }) => shot.id !== declared?.id) ?? false;
    return declared?.each && !hasElements ? [declared.page] : [];
  });
  return [...new Set([...specs, ...pages])];
}

/** The child suites of a project are its files. */
function specsOf(project: Suite, root: string): TestList['specs'] {
  const testDir = project.project()?.testDir ?? root;
  return project.suites.flatMap(({ location }) =>
    location ? [{ testDir: relativePath(root, testDir), path: relativePath(testDir, location.file) }] : [],
  );
}

/** The config can also filter tests. */
function isFiltered({ grep, grepInvert }: FullProject): boolean {
  return [grep].flat().some((pattern) => String(pattern) !== '/.*/') || grepInvert !== null;
}

/** Checks a test and its parent suites for `.only`. */
function isFocused(entry: TestCase | Suite): boolean {
  return isOnly(entry) || (entry.parent !== undefined && isFocused(entry.parent));
}

function mayHaveCompared(test: TestCase): boolean {
  return test.outcome() !== 'expected' || test.results.some(({ status }) => status !== 'passed');
}
