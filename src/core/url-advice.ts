import { type ErrorCode, ProofsheetError } from '../model/errors.js';

/**
 * What to do about an error of a page that no list names. The page's own errors advise fields of the page list; `capture`,
 * `compare` and the service do not have these.
 */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'page-crashed': 'It may need more memory than there is.',
  'page-plain': 'The page is empty, or was not drawn: look at it in a browser, or give it time with `delay`.',
  'page-redirected': 'Give the URL where it ends, or look whether a login is needed.',
  'page-size': 'Give the page time with `delay`, or update the browser.',
  'page-status': 'Look whether the URL is right, else mend the server.',
  'page-timeout': 'Look at what the page waits for.',
};

/** Gives the same error with advice for a page that was named by its URL alone. */
export function withUrlAdvice(cause: unknown): unknown {
  if (!(cause instanceof ProofsheetError)) return cause;
  const advice = ADVICE[cause.code];
  return advice === undefined ? cause : new ProofsheetError({ ...cause.problem, advice });
}
