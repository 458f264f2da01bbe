import { expect, test } from 'vitest';
import { ProofsheetError } from '../../../src/model/errors.js';
import { interrupted, nameRefusingHost } from '../../../src/shot/page-session.js';

const url = 'http://127.0.0.1:1/a';
const unreachable = (found: string) =>
  new ProofsheetError({ code: 'page-unreachable', where: url, found, advice: 'Check the URL.' });

test.each([
  ['the page cannot be reached (net::ERR_CONNECTION_REFUSED)', {}, ''],
  ['Could not connect to 127.0.0.1: Connection refused', {}, ''],
  ['NS_ERROR_CONNECTION_REFUSED', { baseURLSource: 'pages.yaml:2' }, ' baseURL is set in pages.yaml:2.'],
])('a host that refuses the connection is named in one line, with what sets it: %s', (found, source, advice) => {
  expect(nameRefusingHost(unreachable(found), { url, ...source })).toMatchObject({
    message: `http://127.0.0.1:1/a: http://127.0.0.1:1 refused the connection. Is the server running?${advice}`,
  });
});

test('another error of the network stays', () => {
  const other = unreachable('the page cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
  expect(nameRefusingHost(other, { url })).toBe(other);
});

const AGAIN = 'The page closed during the capture. Try again.';
const BUG = 'Report this as a bug of proofsheet, with the output of: npx proofsheet doctor';

test.each([
  ['page.evaluate: Target page, context or browser has been closed', AGAIN],
  ['page.screenshot: Target crashed', AGAIN],
  ['page.waitForTimeout: Test ended.', AGAIN],
  ['page.goto: Test timeout of 30000ms exceeded.', AGAIN],
  ["Cannot read properties of undefined (reading 'width')", BUG],
])('the error %s has the advice: %s', (message, advice) => {
  const { code, problem } = interrupted(url, new Error(`${message}\nCall log:`));
  expect(code).toBe('shot-interrupted');
  expect(problem).toMatchObject({ found: `the capture was interrupted (${message})`, advice });
  expect(interrupted(url, 'no error at all').problem.advice).toBe(BUG);
});
