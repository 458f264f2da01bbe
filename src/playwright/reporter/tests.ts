import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullProject, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { sha256 } from '../../baselines/index.js';
import {
  AFFECTED_ATTACHMENT,
  type Affected,
  type AffectedShot,
  affectedShotSchema,
  DECLARED_ANNOTATION,
  decodeDeclared,
  decodeMessage,
  MESSAGE_ATTACHMENT,
  type Problem,
  ProofsheetError,
  renderCountOf,
  renderPlain,
} from '../../model/index.js';
import { MAX_LINES } from '../../report/index.js';
import type { ObservedTest, TestList } from '../../run/index.js';
import { isOnly } from '../internals.js';
import { configFolder, relativePath, specName } from '../runner-context.js';

/** The texts with which page lists declared their tests. */
export type Declarations = ReadonlyMap<TestCase, string>;

/** What a reporter sees of a run. */
export interface TestRun {
  readonly config: FullConfig;
  readonly suite: Suite;
  readonly declarations: Declarations;
  /** Errors outside of tests. */
  readonly errors: readonly string[];
}

/**
 * Reads the declarations of all tests, and removes them: JUnit and other reporters show each annotation of a test.
 * @param isKept - the tests are stored for a merge, which reads the declarations
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

/** Checks for the annotation with which a page list declares a test. */
export function isDeclaration({ type }: TestCase['annotations'][number]): boolean {
  return type === DECLARED_ANNOTATION;
}

/** Reads the tests that declare or compare shots, and the problems found while reading them. The types do not depend on Playwright. */
export function readTests({ suite, config, declarations }: TestRun) {
  // Equal problems of several shots become one.
  const problems = new Map<string, Problem>();
  const tryRead = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ProofsheetError)) throw error;
      problems.set(error.message, error.problem);
      return null;
    }
  };
  const tests = suite.allTests().flatMap((test): ObservedTest[] => {
    const description = declarations.get(test);
    const declared = description === undefined ? null : tryRead(() => decodeDeclared(description));
    const attempts = test.results.map((result) => ({
      outcome: result.status,
      error: firstLine(result.error),
      // The duration is -1 until the test ends. A test may never end, for example if its worker crashes.
      durationMs: Math.max(0, result.duration),
      messages: result.attachments.filter(isMessage).flatMap(({ body }) => {
        return tryRead(() => decodeMessage(body?.toString('utf8') ?? '')) ?? [];
      }),
      attachments: new Map(result.attachments.flatMap(({ name, path, body }) => sourceOf(name, path ?? body))),
    }));
    if (declared === null && attempts.every(({ messages }) => messages.length === 0)) return [];
    const { file, line } = test.location;
    return [
      {
        project: test.parent.project()?.name ?? '',
        title: test.titlePath().slice(3).join(' > '),
        location: `${relativePath(config.rootDir, file)}:${line}`,
        repeat: test.repeatEachIndex,
        declared,
        skipped: readSkipped(test),
        failed: test.outcome() === 'unexpected',
        attempts,
      },
    ];
  });
  return { tests, problems: [...problems.values()] };
}

function isMessage({ name }: TestResult['attachments'][number]): boolean {
  return name === MESSAGE_ATTACHMENT;
}

function sourceOf(name: string, source: string | Buffer | undefined): [string, string | Buffer][] {
  return source === undefined ? [] : [[name, source]];
}

/** Returns the first line of an error, without colors. */
export function firstLine(error: TestError | undefined): string | null {
  const text = stripVTControlCharacters(error?.message ?? error?.value ?? '');
  const line = text.split('\n').find((candidate) => candidate.trim() !== '');
  return line?.trim().replace(/^Error: /, '') ?? null;
}

/** Returns null for a test that Playwright skipped because of an earlier failure. Only a deliberate skip counts. */
function readSkipped(test: TestCase): ObservedTest['skipped'] {
  const mark = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  if (!mark && test.expectedStatus !== 'skipped') return null;
  return { reason: mark?.description ?? null };
}

/** Reads what `proofsheet affected` asked the tests of lists. A test without an answer is an error. */
export function readAffected({ declarations, errors }: TestRun): Affected {
  const answers = [...declarations.keys()].flatMap((test): (AffectedShot | string)[] => {
    const [result] = test.results;
    if (readSkipped(test) !== null) return [];
    const attachment = result?.attachments.find(({ name }) => name === AFFECTED_ATTACHMENT);
    if (attachment?.body) return [affectedShotSchema.parse(JSON.parse(attachment.body.toString('utf8')))];
    return [`${test.title}: ${firstLine(result?.error) ?? 'its test gave no answer'}`];
  });
  return {
    shots: answers.filter((answer) => typeof answer !== 'string'),
    errors: [...errors, ...answers.filter((answer) => typeof answer === 'string')],
  };
}

/** Returns where the tests of lists are, as the command line of Playwright takes it: a pattern. */
export function locationsOf(declarations: Declarations): string[] {
  const locations = [...declarations.keys()].map(
    ({ location: { file, line } }) => `${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:${line}`,
  );
  return [...new Set(locations)];
}

/** Reads which tests a run has or, with `--list`, which tests exist. */
export function readList({ suite, config }: TestRun): TestList {
  const { projects, shard } = config;
  const tests = suite.allTests();
  const names = new Set(tests.map((test) => JSON.stringify(test.titlePath())));
  const root = configFolder(config);
  return {
    hash: sha256([...names].sort().join()),
    isFiltered: shard !== null || projects.some(isFiltered) || tests.some(isFocused),
    // The child suites of a project are its files.
    specs: suite.suites.flatMap((project) => {
      const testDir = project.project()?.testDir ?? root;
      return project.suites.flatMap(({ location }) =>
        location ? [{ testDir: relativePath(root, testDir), path: relativePath(testDir, location.file) }] : [],
      );
    }),
  };
}

function isFiltered({ grep, grepInvert }: FullProject): boolean {
  return [grep].flat().some((pattern) => String(pattern) !== '/.*/') || grepInvert !== null;
}

function isFocused(entry: TestCase | Suite): boolean {
  return isOnly(entry) || (entry.parent !== undefined && isFocused(entry.parent));
}

/**
 * Returns the specs with a test that was skipped or ended early, and the pages with `each` whose elements are not known: the run may not
 * have recorded all their shots.
 */
export function unfinishedShots(run: TestRun, tests: readonly ObservedTest[]): string[] {
  const { suite, config, declarations } = run;
  const isUnfinished = (test: TestCase) =>
    test.outcome() !== 'expected' || test.results.some(({ status }) => status !== 'passed');
  const own = suite.allTests().filter((test) => !declarations.has(test) && isUnfinished(test));
  const specs = own.map(({ location }) => specName(location.file, config));
  const pages = tests.flatMap(({ declared, attempts }) => {
    const hasElements = attempts.at(-1)?.messages.some(({ shot }) => shot.id !== declared?.id) ?? false;
    return declared?.each && !hasElements ? [declared.page] : [];
  });
  return [...new Set([...specs, ...pages])];
}

/** Lines for {@link renderOthers} in a summary that fills all lines. */
export const RESERVED_LINES = 5;

/** Lists what Playwright's reporters for the terminal print besides the shots, one line each: errors outside of tests, and the other tests. */
export function renderOthers({ config, suite, declarations, errors }: TestRun): string[] {
  const hasShot = (test: TestCase) =>
    declarations.has(test) || test.results.some(({ attachments }) => attachments.some(isMessage));
  const others = suite.allTests().filter((test) => !hasShot(test));
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
