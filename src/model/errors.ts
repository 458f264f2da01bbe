import { endSentence, withoutCredentials } from './words.js';

/** What went wrong, for programs; the message says it for people. */
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
  | 'page-moving'
  | 'page-timeout'
  | 'page-crashed'
  | 'page-script'
  | 'page-selector'
  | 'page-warning'
  | 'page-too-tall'
  | 'page-size'
  | 'page-plain'
  | 'page-masked'
  | 'page-action'
  | 'page-unstable'
  | 'page-wait'
  | 'storage-state'
  | 'pdf-differs'
  | 'shot-interrupted'
  | 'baseline-empty'
  | 'baseline-truncated'
  | 'baseline-lfs-pointer'
  | 'baseline-format'
  | 'baseline-unreadable'
  | 'baseline-shared'
  | 'baseline-foreign'
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

/** A place in a file; line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The three parts of a message: where it is, what was found (against what was expected), and what to do. */
export interface Problem {
  readonly code: ErrorCode;
  readonly where: string;
  readonly found: string;
  readonly advice: string;
}

/**
 * Something that cannot be judged, told in three parts. A difference between images is a value, never this.
 *
 * Carries `loc` when it has a place in a file: Playwright prints the error at that line.
 */
export class ProofsheetError extends Error {
  override readonly name = 'ProofsheetError';
  readonly code: ErrorCode;
  readonly problem: Problem;
  readonly loc?: Position;

  constructor(problem: Problem, position?: Position) {
    super(renderProblem(problem));
    this.code = problem.code;
    this.problem = problem;
    if (position) this.loc = position;
    // A user's mistake has no use for our stack.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * Renders a problem in one line: `where: found. advice`.
 *
 * A page may choose a part of it. On a line of its own, that could look like a line of a stack, and Playwright would print
 * the file that it names.
 */
export function renderProblem({ where, found, advice }: Omit<Problem, 'code'>): string {
  return withoutCredentials(`${where}: ${endSentence(found)} ${advice}`).replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
}

/** Returns the message of anything thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
