import { expect, test } from 'vitest';
import { ProofsheetError } from '../../../../src/model/errors.js';
import { answerJson, describeError, renderForOperator } from '../../../../src/service/http/answers.js';
import { dangersIn, HOSTILE_TEXTS } from '../../../hostile-texts.js';

test.each(Object.entries(HOSTILE_TEXTS))(
  '%s are safe in the JSON of a response, which has them exactly',
  async (_, text) => {
    const { status, body } = describeError(
      new ProofsheetError({ code: 'page-script', where: text, found: text, advice: text }),
    );
    const answer = await answerJson(status, { ...body, html: text }).text();
    expect(dangersIn(answer)).toEqual([]);
    expect(JSON.parse(answer)).toMatchObject({ code: 'page-script', html: text, details: [{ found: text }] });
  },
);

test('an error for the operator is one line', () => {
  const error = new Error(Object.values(HOSTILE_TEXTS).join(' '));
  expect(renderForOperator(error)).toMatch(/^proofsheet: [^\n]*\n$/);
});

test('callers get nothing of an error that they did not cause, but its kind', () => {
  const missing = new ProofsheetError({ code: 'package-missing', where: '/srv/a', found: 'b', advice: 'c' });
  const advice = 'Contact the operator of the service: its standard error has details.';
  const { status, body } = describeError(missing);
  expect([status, body.message]).toEqual([501, `the service: a required package is not installed. ${advice}`]);
  expect(JSON.stringify(body)).not.toContain('/srv');
  expect(describeError(new Error('/srv/a'))).toMatchObject({
    status: 500,
    body: { code: 'unforeseen', message: 'Internal error of the service.', details: [] },
  });
  const theirs = new ProofsheetError({ code: 'page-status', where: 'a', found: 'b', advice: 'c' });
  expect([missing, new Error('x'), theirs].map((error) => renderForOperator(error) !== null)).toEqual([
    true,
    true,
    false,
  ]);
});
