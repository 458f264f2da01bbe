import { dirname, relative, sep } from 'node:path';
import type { FullConfig, FullProject, Suite, TestCase } from '@playwright/test/reporter';
import type { RunScope } from '../../core/find-obsolete.js';
import type { Spec } from '../../record/find-abandoned.js';
import { DECLARED_ANNOTATION } from '../../record/wire.js';
import { specName } from './spec-name.js';

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
