import { expect, test } from 'vitest';
import { warnOfErrorText } from '../../../src/capture/error-text.js';

for (const text of [
  ...[
    '404',
    '404 - Page',
    'Error 404',
    'Acme | 404',
    '500 Internal Server Error',
    '404 Not Found',
    'HTTP 404 explained',
  ],
  ...['Page not found', '502 Bad Gateway', 'Service Unavailable', 'Something went wrong', 'Error', '503: Acme'],
  ...['This page could not be found', 'Access denied', 'Seite nicht gefunden', 'An unexpected error occurred'],
]) {
  test(`"${text}" looks like an error message, as a title and as a heading`, () => {
    expect(warnOfErrorText({ title: text, heading: '' })).toEqual([
      {
        code: 'page-error-text',
        message: `the title of the page looks like an error message: "${text}"; set \`strict: false\` to allow it`,
      },
    ]);
    expect(warnOfErrorText({ title: 'Acme', heading: ` ${text}\n` })).toEqual([
      {
        code: 'page-error-text',
        message: `the heading of the page looks like an error message: "${text}"; set \`strict: false\` to allow it`,
      },
    ]);
  });
}

for (const text of [
  ...[
    '',
    'Acme',
    'Fiat 500',
    '500 companies to watch',
    'Room 404',
    'Top 500',
    '1404',
    'Error handling in Go',
    'The 404s',
  ],
  ...['Terror', 'Lost and found', 'Forbiddenness', 'Errors we made', '5000 km', 'Founders not foundlings'],
]) {
  test(`"${text}" names no error`, () => {
    expect(warnOfErrorText({ title: text, heading: text })).toEqual([]);
  });
}
