import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { FullConfig, FullResult } from '@playwright/test/reporter';
import { renderCountOf } from '../../model/index.js';
import { type Ending, packageVersion, type RunFacts } from '../../run/index.js';
import { configFolder, relativePath } from '../runner-context.js';

/** Returns the words of the command line after `playwright test`. Those after `--` are not Playwright's, and may be secret. */
export function readWords(argv: readonly string[]): string[] {
  if (argv[2] === 'merge-reports') return [];
  const end = argv.indexOf('--') + 1;
  // An editor sends the selected tests to a `test-server`, not on the command line.
  return argv.slice(argv[2] === 'test' ? 3 : 2, end || undefined).map(quote);
}

/** Returns the commit that `--only-changed` compares with, or null without the option. */
export function readOnlyChanged(argv: readonly string[]): string | null {
  const index = argv.findIndex((word) => /^--only-changed(=|$)/.test(word));
  if (index === -1) return null;
  const [, value = argv[index + 1] ?? '-'] = argv[index]?.split('=') ?? [];
  return value.startsWith('-') ? 'HEAD' : value;
}

function quote(word: string): string {
  return /^[\w@%+=:,./*|-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Reads the metadata of a run: version, times, outcome, command line and shard. For a merged run, there are no words:
 * `merge-reports` has a different command line.
 */
export function readCircumstances(
  config: FullConfig,
  result: FullResult,
  errors: readonly string[],
): Omit<RunFacts, 'tests' | 'problems' | 'mergedShards' | 'commit'> {
  const { shard } = config;
  return {
    version: packageVersion(),
    startedAt: result.startTime,
    durationMs: Math.max(0, result.duration),
    ending: { kind: endingOf(result, config), error: errors[0] ?? null },
    selected: readWords(process.argv),
    shard: shard && { current: shard.current, total: shard.total },
    ...outputDirsOf(config),
  };
}

interface OutputConfig extends Pick<FullConfig, 'configFile' | 'rootDir'> {
  readonly projects: readonly { readonly outputDir: string }[];
}

/** Returns the output folders of the projects, unless they are Playwright's default. */
export function outputDirsOf(config: OutputConfig): Pick<RunFacts, 'outputDirs'> {
  const root = configFolder(config);
  const paths = config.projects.map(({ outputDir }) => relativePath(root, outputDir));
  const outputDirs = [...new Set(paths)];
  return outputDirs.join() === 'test-results' ? {} : { outputDirs };
}

function endingOf({ status }: FullResult, { maxFailures }: FullConfig): Ending['kind'] {
  const failed = maxFailures > 0 ? 'stopped' : 'finished';
  return ({ passed: 'finished', failed, timedout: 'timed-out', interrupted: 'interrupted' } as const)[status];
}

/**
 * Returns a notice if `--only-changed` ignores a changed page list. Playwright selects specs by their imports, and a spec
 * cannot import a YAML file.
 *
 * @param declared - absolute paths of a list and of the spec that declares it, the list as written in the spec, and its number of shots
 * @param argv - `process.argv` of the process that selects the tests
 * @returns null if no changed list is ignored
 */
export function renderOnlyChangedNotice(
  { file, spec, list, shots }: Readonly<Record<'file' | 'spec' | 'list', string>> & { readonly shots: number },
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
  return lists.some((args) => spawnSync('git', args, { cwd: dirname(path) }).stdout?.length > 0);
}
