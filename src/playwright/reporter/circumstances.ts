import { execFileSync } from 'node:child_process';
import { dirname, relative } from 'node:path';
import type { FullConfig, FullResult } from '@playwright/test/reporter';
import type { CollectInput, Ending } from '../../core/run/observed.js';
import { packageVersion } from '../../core/run/run-identity.js';
import { renderCountOf } from '../../model/words.js';

/**
 * Returns the options and file filters of `playwright test` that select tests. Each is normalized to its long form.
 *
 * @param argv - `process.argv`; the result is empty for `merge-reports`
 */
export function readFilters(argv: readonly string[]): string[] {
  // An editor sends the selected tests to this server, not on the command line.
  if (argv[2] === 'test-server') return ['test-server'];
  return readSelections(argv).map((words) => words.map(quote).join(' '));
}

/** Returns the commit that `--only-changed` compares with, or null without the option. */
function readOnlyChanged(argv: readonly string[]): string | null {
  const selection = readSelections(argv).find(([name]) => name === '--only-changed');
  return selection ? (selection[1] ?? 'HEAD') : null;
}

/** Returns each option that selects tests with its values, and each file filter. */
function readSelections(argv: readonly string[]): string[][] {
  if (argv[2] !== 'test') return [];
  const end = argv.indexOf('--', 3);
  const words = argv.slice(3, end === -1 ? undefined : end);
  const selections: string[][] = [];
  while (words.length > 0) {
    const selection = readWord(words);
    if (selection) selections.push(selection);
  }
  return selections;
}

/** Number of values of an option. `maybe`: one, unless another option follows; `many`: all up to the next option. */
type Arity = 'none' | 'one' | 'maybe' | 'many';

const SELECTING = new Map<string, Arity>([
  ['--grep', 'one'],
  ['--grep-invert', 'one'],
  ['--project', 'many'],
  ['--shard', 'one'],
  ['--last-failed', 'none'],
  ['--only-changed', 'maybe'],
  ['--test-list', 'one'],
  ['--test-list-invert', 'one'],
  // In UI mode, the user selects the tests of each run.
  ['--ui', 'none'],
  ['--ui-host', 'one'],
  ['--ui-port', 'one'],
]);

const SHORT = new Map([
  ['-g', '--grep'],
  ['-G', '--grep-invert'],
  ['-c', '--config'],
  ['-j', '--workers'],
  ['-u', '--update-snapshots'],
]);

/**
 * Options that do not select tests. An option that is in neither list counts as a filter: after an unknown filter, baselines
 * of tests that did not run must not look obsolete.
 */
const OTHER = new Map<string, Arity>([
  ...[
    ...['--fail-on-flaky-tests', '--forbid-only', '--fully-parallel', '--headed', '--help', '--ignore-snapshots'],
    // Since Playwright 1.59, it may have a value, which then counts as a filter. Before, a filter may follow.
    ...['--debug', '--list', '--no-deps', '--pass-with-no-tests', '--quiet', '-h', '-x'],
  ].map((name) => [name, 'none'] as const),
  ...[
    ...['--add-reporter', '--browser', '--config', '--global-timeout', '--last-failed-file', '--max-failures'],
    ...['--output', '--repeat-each', '--reporter', '--retries', '--run-agents', '--timeout', '--trace', '--tsconfig'],
    ...['--update-source-method', '--workers'],
  ].map((name) => [name, 'one'] as const),
  ...['--shuffle', '--update-snapshots'].map((name) => [name, 'maybe'] as const),
]);

/** Removes the next option and its values from the words. Returns it unless it is known not to select tests. */
function readWord(words: string[]): string[] | null {
  // `-x` takes no value and can be combined with the next short option.
  const word = (words.shift() ?? '').replace(/^-x+(?=\w)/, '-');
  if (!word.startsWith('-')) return [word];
  const { name, attached } = splitOption(word);
  const values = attached === null ? takeValues(words, SELECTING.get(name) ?? OTHER.get(name) ?? 'none') : [attached];
  return OTHER.has(name) ? null : [name, ...values];
}

/** Splits `--name=value` and `-gvalue`. The value is null for a name alone. */
function splitOption(word: string): { name: string; attached: string | null } {
  if (word.startsWith('--')) {
    const [name = '', ...rest] = word.split('=');
    return { name, attached: rest.length > 0 ? rest.join('=') : null };
  }
  const name = SHORT.get(word.slice(0, 2)) ?? word;
  return { name, attached: word.length > 2 ? word.slice(2) : null };
}

function takeValues(words: string[], arity: Arity): string[] {
  const free = words.findIndex((word) => word.startsWith('-'));
  const upToOption = free === -1 ? words.length : free;
  switch (arity) {
    case 'none':
      return [];
    case 'one':
      return words.splice(0, 1);
    case 'maybe':
      return words.splice(0, Math.min(1, upToOption));
    case 'many':
      return words.splice(0, Math.max(1, upToOption));
    default:
      return arity satisfies never;
  }
}

function quote(word: string): string {
  return /^[\w@%+=:,./*|-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Reads the metadata of a run: version, times, outcome, filters and shard. For a merged run, the filters are empty:
 * `merge-reports` has a different command line.
 */
export function readCircumstances(
  config: FullConfig,
  result: FullResult,
  errors: readonly string[],
): Omit<CollectInput, 'tests' | 'problems' | 'merge' | 'commit'> {
  const { shard } = config;
  return {
    version: packageVersion(),
    startedAt: result.startTime,
    durationMs: Math.max(0, result.duration),
    ending: { kind: endingOf(result, config), error: errors[0] ?? null },
    selected: selectedBy(config, process.argv),
    shard: shard && { current: shard.current, total: shard.total },
    ...outputDirsOf(config),
  };
}

interface OutputConfig extends Pick<FullConfig, 'configFile' | 'rootDir'> {
  readonly projects: readonly { readonly outputDir: string }[];
}

/** Returns the output folders of the projects, unless they are Playwright's default. */
export function outputDirsOf({ configFile, rootDir, projects }: OutputConfig): Pick<CollectInput, 'outputDirs'> {
  const root = configFile ? dirname(configFile) : rootDir;
  const paths = projects.map(({ outputDir }) => relative(root, outputDir).replaceAll('\\', '/'));
  const outputDirs = [...new Set(paths)];
  return outputDirs.join() === 'test-results' ? {} : { outputDirs };
}

function endingOf({ status }: FullResult, { maxFailures }: FullConfig): Ending['kind'] {
  switch (status) {
    case 'passed':
      return 'finished';
    case 'failed':
      return maxFailures > 0 ? 'stopped' : 'finished';
    case 'timedout':
      return 'timed-out';
    case 'interrupted':
      return 'interrupted';
    default:
      return status satisfies never;
  }
}

/** The config can also set the shard. */
function selectedBy({ shard }: FullConfig, argv: readonly string[]): string[] {
  const filters = readFilters(argv);
  if (!shard || filters.some((filter) => filter.startsWith('--shard '))) return filters;
  return [...filters, `--shard ${shard.current}/${shard.total}`];
}

/** A page list, and the spec that declares its shots. */
interface DeclaredList {
  /** Absolute paths. */
  readonly file: string;
  readonly spec: string;
  /** Path of the list as written in the spec. */
  readonly list: string;
  readonly shots: number;
}

/**
 * Returns a notice if `--only-changed` ignores a changed page list. Playwright selects specs by their imports, and a spec
 * cannot import a YAML file.
 *
 * @param argv - `process.argv` of the process that selects the tests
 * @returns null if no changed list is ignored
 */
export function renderOnlyChangedNotice(
  { file, spec, list, shots }: DeclaredList,
  argv: readonly string[],
): string | null {
  const commit = readOnlyChanged(argv);
  if (commit === null || !hasChanged(file, commit) || hasChanged(spec, commit)) return null;
  return [
    `${list} changed since ${commit}, but --only-changed does not check page lists.`,
    `${renderCountOf(shots, 'shot')} of ${list} did NOT run, unless their spec imports a changed file.`,
    'Run again without --only-changed.',
  ].join(' ');
}

/** Includes untracked files, as Playwright does. Without git, Playwright aborts the run. */
function hasChanged(path: string, commit: string): boolean {
  const lists = [
    ['diff', '--name-only', commit, '--', path],
    ['ls-files', '--others', '--exclude-standard', '--', path],
  ];
  return lists.some((args) => {
    try {
      return execFileSync('git', args, { cwd: dirname(path), stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
    } catch {
      return false;
    }
  });
}
