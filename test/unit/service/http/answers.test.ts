import { expect, test } from 'vitest';
import { ProofsheetError } from '../../../../src/model/errors.js';
import { answerError, explainError } from '../../../../src/service/http/answers.js';
import { dangersIn, HOSTILE_TEXTS } from '../../../hostile-texts.js';

test.each(Object.entries(HOSTILE_TEXTS))(
  '%s are safe in the JSON of a response, which has them exactly',
  async (_, text) => {
    const error = new ProofsheetError({ code: 'page-script', where: text, found: text, advice: text });
    const answer = await answerError(error).text();
    expect(dangersIn(answer)).toEqual([]);
    expect(JSON.parse(answer)).toMatchObject({ code: 'page-script', details: [{ found: text }] });
  },
);

test('an error for the operator is one line', () => {
  const error = new Error(Object.values(HOSTILE_TEXTS).join(' '));
  expect(explainError(error).log).toMatch(/^proofsheet: [^\n]*\n$/);
});

test('callers get nothing of an error that they did not cause, but its kind', async () => {
  const missing = new ProofsheetError({ code: 'package-missing', where: '/srv/a', found: 'b', advice: 'c' });
  const advice = 'Contact the operator of the service: its standard error has details.';
  const answer = answerError(missing);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([501, expect.not.stringContaining('/srv')]);
  expect(JSON.parse(text).message).toBe(`the service: a required package is not installed. ${advice}`);
  const unforeseen = answerError(new Error('/srv/a'));
  expect([unforeseen.status, await unforeseen.json()]).toMatchObject([
    500,
    { code: 'unforeseen', message: 'Internal error of proofsheet.', details: [] },
  ]);
  const theirs = new ProofsheetError({ code: 'page-status', where: 'a', found: 'b', advice: 'c' });
  const isLogged = [missing, new Error('x'), theirs].map((error) => explainError(error).log !== null);
  expect(isLogged).toEqual([true, true, false]);
  expect(explainError(missing, true)).toMatchObject({ problems: [{ where: '/srv/a' }], log: null });
});
