import { describe, expect, test } from 'vitest';
import { ProofsheetError } from '../../../src/model/errors.js';
import { interrupted, nameRefusingHost } from '../../../src/shot/page-session.js';

describe('a host that refuses the connection', () => {
  const refused = (url: string, found = 'the page cannot be reached (net::ERR_CONNECTION_REFUSED)') =>
    new ProofsheetError({ code: 'page-unreachable', where: url, found, advice: 'Check the URL.' });

  test.each([
    [{}, 'Is the server running?'],
    [{ baseURLSource: 'pages.yaml:2' }, 'Is the server running? baseURL is set in pages.yaml:2.'],
  ])('is named in one line, with what sets it: %j', (source, advice) => {
    const url = 'http://127.0.0.1:1/a';
    const error = nameRefusingHost(refused(url), { url, ...source });
    expect(error instanceof Error && error.message).toBe(
      `http://127.0.0.1:1/a: http://127.0.0.1:1 refused the connection. ${advice}`,
    );
  });

  test.each(['Could not connect to 127.0.0.1: Connection refused', 'NS_ERROR_CONNECTION_REFUSED'])(
    'is known in the words of other browsers: %s',
    (words) => {
      const url = 'http://127.0.0.1:1/';
      const error = nameRefusingHost(refused(url, `the page cannot be reached (${words})`), { url });
      expect(error).toMatchObject({ problem: { found: 'http://127.0.0.1:1 refused the connection' } });
    },
  );

  test('does not replace another error', () => {
    const other = refused('http://nowhere/', 'the page cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
    expect(nameRefusingHost(other, { url: 'http://nowhere/' })).toBe(other);
  });
});

test.each([
  'page.evaluate: Target page, context or browser has been closed',
  'page.screenshot: Target crashed',
  'page.waitForTimeout: Test ended.',
  'page.goto: Test timeout of 30000ms exceeded.',
])('the error of a page that closed advises to try again: %s', (message) => {
  const { code, problem } = interrupted('http://a/', new Error(`${message}\nCall log:`));
  expect(code).toBe('shot-interrupted');
  expect(problem).toMatchObject({
    found: `the capture was interrupted (${message})`,
    advice: 'The page closed during the capture. Try again.',
  });
});

test.each([new TypeError("Cannot read properties of undefined (reading 'width')"), 'no error at all'])(
  'an error with another cause advises to report a bug: %s',
  (cause) => {
    const { code, message } = interrupted('http://a/', cause);
    expect(code).toBe('shot-interrupted');
    expect(message).toMatch(/Report this as a bug of proofsheet, with the output of: npx proofsheet doctor$/);
    expect(message).not.toContain('closed');
  },
);
