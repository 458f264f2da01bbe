import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { renderCountOf } from '../model/words.js';
import { readOnlyChanged } from './reporter/circumstances.js';

/** A page list, and the spec that declares its shots. */
interface DeclaredList {
  /** Absolute paths. */
  readonly file: string;
  readonly spec: string;
  /** The list's path as the spec has it. */
  readonly list: string;
  readonly shots: number;
}

/**
 * Says that `--only-changed` passes over a page list that has changed: Playwright selects specs by what they import, and a
 * YAML file cannot be imported.
 *
 * @param argv - as `process.argv` of the process that selects the tests
 * @returns null where there is nothing to say.
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

/** Untracked files count, as they do for Playwright. Without git Playwright itself ends the run. */
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
