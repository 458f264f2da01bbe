import { expect, test } from 'vitest';
import { ProofsheetError } from '../../../../src/model/errors.js';
import { answerError, answerJson, renderForOperator } from '../../../../src/service/http/answers.js';
import { dangersIn, HOSTILE_TEXTS } from '../../../hostile-texts.js';

test.each(Object.entries(HOSTILE_TEXTS))(
  '%s are safe in the JSON of a response, which has them exactly',
  async (_, text) => {
    const { status, body } = answerError(
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
