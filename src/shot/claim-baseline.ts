import { acquireLock, foldName, ownerOf } from '../baselines/index.js';
import { ProofsheetError } from '../model/index.js';

/** The baseline of a shot in one run. */
export interface BaselinePath {
  /** Absolute. */
  readonly path: string;
  /** The path for display. */
  readonly shownPath: string;
  /** Reads and sets whether an earlier attempt of this run wrote the baseline because it was missing. */
  readonly writtenInRun: { isKnown(): boolean; mark(): void };
}

/**
 * Locks a baseline for its shot.
 * @param owner - project, test and shot; retries and `repeatEach` have the same one. A two-state shot has no baseline on disk
 * @throws ProofsheetError `baseline-shared` if another shot of this run has the same baseline path
 */
export function claimBaseline(
  { path, shownPath }: Pick<BaselinePath, 'path' | 'shownPath'>,
  { name, isTwoState }: { readonly name: string; readonly isTwoState: boolean },
  locks: string,
): BaselinePath {
  // Some file systems have one file for names that differ in case or Unicode form.
  const claim = JSON.stringify([shownPath, name]);
  const [otherPath, other]: string[] = isTwoState
    ? [shownPath, name]
    : JSON.parse(acquireLock(locks, `baseline ${foldName(path)}`, claim));
  if (other !== name || otherPath !== shownPath) {
    const difference = otherPath === shownPath ? '' : ' on macOS and Windows';
    throw new ProofsheetError({
      code: 'baseline-shared',
      where: shownPath,
      found: `two shots have this baseline path${difference}: ${other} and ${name}`,
      advice: 'Give the shots different names, or add {projectName} and {arg} to `snapshotPathTemplate`.',
    });
  }
  // The lock marks a baseline that this run wrote. A retry after a worker crash must not pass because of that baseline.
  const written = `writtenInRun of ${path}`;
  return {
    path,
    shownPath,
    writtenInRun: { isKnown: () => ownerOf(locks, written) !== null, mark: () => void acquireLock(locks, written, '') },
  };
}
