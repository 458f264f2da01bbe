import { endSentence, renderLog, renderPlain, withoutCredentials } from './text.js';

export type ErrorCode =
  | 'list-unreadable'
  | 'list-invalid'
  | 'import-unreadable'
  | 'sitemap-unreadable'
  | 'options-invalid'
  | 'env-unset'
  | 'shot-duplicate'
  | 'base-url-missing'
  | 'browser-missing'
  | 'page-unreachable'
  | 'page-status'
  | 'page-redirected'
  | 'page-reloading'
  | 'page-timeout'
  | 'page-crashed'
  | 'page-script'
  | 'page-selector'
  | 'page-warning'
  | 'network-file'
  | 'page-too-tall'
  | 'page-size'
  | 'page-blank'
  | 'page-masked'
  | 'page-action'
  | 'page-unstable'
  | 'page-wait'
  | 'page-story'
  | 'storage-state'
  | 'pdf-differs'
  | 'shot-interrupted'
  | 'baseline-empty'
  | 'baseline-truncated'
  | 'baseline-lfs-pointer'
  | 'baseline-format'
  | 'baseline-unreadable'
  | 'baseline-shared'
  | 'baseline-environment'
  | 'baseline-unwritable'
  | 'image-missing'
  | 'image-unwritable'
  | 'image-damaged'
  | 'image-too-large'
  | 'image-unsupported'
  | 'engine-missing'
  | 'engine-failed'
  | 'record-invalid'
  | 'run-missing'
  | 'obsolete-unknown'
  | 'report-unwritable'
  | 'lock-held'
  | 'run-incomplete'
  | 'command-invalid'
  | 'request-invalid'
  | 'target-refused'
  | 'image-unreachable'
  | 'storage-failed'
  | 'queue-full'
  | 'service-ending'
  | 'service-timeout'
  | 'package-missing'
  | 'browser-gone'
  | 'key-refused'
  | 'host-refused'
  | 'not-found'
  | 'method-refused'
  | 'body-too-large'
  | 'body-type'
  | 'rate-limited';

/** A position in a file. Line and column are 1-based. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The parts of an error message: where it is, what was found against what was expected, and what to do. */
export interface Problem {
  readonly code: ErrorCode;
  readonly where: string;
  readonly found: string;
  readonly advice: string;
}

/** An error with a code and a message in three parts. Playwright prints a code frame of the line of `loc`. */
export class ProofsheetError extends Error {
  override readonly name = 'ProofsheetError';
  readonly code: ErrorCode;
  readonly problem: Problem;
  readonly loc?: Position;

  constructor(problem: Problem, position?: Position) {
    // The test runner prints the message of an error as it is.
    super(renderLog(renderProblem(problem)));
    this.code = problem.code;
    this.problem = problem;
    if (position) this.loc = position;
    // A stack of our code does not help with a user error.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Returns an error with these parts. */
export function failure(code: ErrorCode, where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

/** Returns the error of a command or of a request that cannot be carried out as it was given. */
export function invalidCommand(where: string, found: string, advice: string): ProofsheetError {
  return failure('command-invalid', where, found, advice);
}

/** Formats a problem in one line, `where: found. advice`: Playwright would print the file that a further line of a page names. */
export function renderProblem({ where, found, advice }: Omit<Problem, 'code'>): string {
  return renderPlain(withoutCredentials(`${where}: ${endSentence(found)} ${advice}`));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? '';
}

/** Returns the code of an error of the file system, such as `ENOENT`; empty if it has none. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Returns what to do about an error of the file system, as the start of a sentence without its end. */
export function adviseFileError(cause: unknown): string {
  return FILE_ADVICE[codeOf(cause)] ?? 'Check the path of the folder';
}

const FILE_ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions of the folder',
  EPERM: 'Check the permissions of the folder',
  ENOSPC: 'Free disk space',
  EDQUOT: 'Free disk space',
  EROFS: 'Make the file system writable',
  EBUSY: 'End the program that uses the file or the folder, or unmount it',
};
