import { expect, test } from 'vitest';
import { adviseFileError, type Problem, ProofsheetError, renderProblem } from '../../../src/model/errors.js';

const problem: Problem = {
  code: 'page-status',
  where: 'http://127.0.0.1:4173/pricing',
  found: 'it answered 404, expected 200..299',
  advice: 'Mend the server.',
};
const MESSAGE = 'http://127.0.0.1:4173/pricing: it answered 404, expected 200..299. Mend the server.';

test('an error says where, what was found, and what to do, in one line, and has a place only when it was given one', () => {
  const position = { file: '/project/pages.yaml', line: 3, column: 12 };
  const error = new ProofsheetError(problem, position);
  expect([error.message, renderProblem(problem), error.loc]).toEqual([MESSAGE, MESSAGE, position]);
  expect(error.stack, 'it names nothing of ours').toBe(`ProofsheetError: ${MESSAGE}`);
  // Playwright prints the lines at the place.
  expect(new ProofsheetError(problem).loc).toBe(undefined);
});

test('an error contains no credentials of a URL, in its message or its stack', () => {
  const where = 'https://user:hunter2@example.test/';
  const error = new ProofsheetError({ ...problem, where, found: `it ended at ${where}login`, advice: `See ${where}.` });
  expect(error.message).toBe(
    'https://***@example.test/: it ended at https://***@example.test/login. See https://***@example.test/.',
  );
  expect(`${error.stack}${error}`).not.toContain('hunter2');
});

test('a message stays one line, whatever a page puts into it: Playwright reads lines of a stack out of it', () => {
  const found = 'it failed (x\n    at /etc/passwd:1:1\r\n\n  at y\u2028    at z:1:1)';
  expect(new ProofsheetError({ ...problem, found }).message).toBe(
    'http://127.0.0.1:4173/pricing: it failed (x at /etc/passwd:1:1 at y at z:1:1). Mend the server.',
  );
});

test('the advice for an error of the file system names what caused it', () => {
  const errors = ['EPERM', 'EDQUOT', 'EROFS', 'ENOTDIR'].map((code) => Object.assign(new Error('no'), { code }));
  expect(errors.map((error) => adviseFileError(error).slice(0, 12))).toEqual([
    ...['Check the pe', 'Free disk sp', 'Make the fil', 'Check the pa'],
  ]);
});
