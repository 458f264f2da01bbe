import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { renderCountOf } from '../model/words.js';
import { readOnlyChanged } from './reporter/circumstances.js';

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
export function renderPassedOver({ file, spec, list, shots }: DeclaredList, argv: readonly string[]): string | null {
  const commit = readOnlyChanged(argv);
  if (commit === null || !hasChanged(file, commit) || hasChanged(spec, commit)) return null;
  return [
    `${list} has changed since ${commit}, and --only-changed does not look at page lists.`,
    `Unless its spec imports something that has changed, ${renderCountOf(shots, 'shot')} of ${list} did NOT run.`,
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
