import { expect, test } from 'vitest';
import { isSignInUrl, saysSignIn, warnOfErrorText } from '../../../src/page/error-text.js';

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
  ...[
    'Application error: a client-side exception has occurred while loading 127.0.0.1',
    'Unexpected Application Error!',
    'Unhandled Runtime Error',
    'Failed to compile',
    'Whoops, looks like something went wrong.',
    'Oops! An Error Occurred',
    "We're sorry, but something went wrong (500)",
    "The page you were looking for doesn't exist (404)",
    'Action Controller: Exception caught',
    'Whitelabel Error Page',
    'OperationalError at /accounts/',
    'Server Error (500)',
    "Server Error in '/' Application.",
    'Error establishing a database connection',
  ],
  ...['This page could not be found', 'Access denied', 'Seite nicht gefunden', 'An unexpected error occurred'],
]) {
  test(`"${text}" looks like an error message, as a title and as a heading`, () => {
    expect(warnOfErrorText({ title: text, heading: '', overlay: '' })).toEqual([
      {
        code: 'page-error-text',
        message: `the title of the page looks like an error message: "${text}"; set \`strict: false\` to allow it`,
      },
    ]);
    expect(warnOfErrorText({ title: 'Acme', heading: ` ${text}\n`, overlay: '' })).toEqual([
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
  ...[
    'Terror',
    'Lost and found',
    'Forbiddenness',
    'Errors we made',
    '5000 km',
    'Founders not foundlings',
    'Build errors explained',
    'Oopsie daisy',
  ],
]) {
  test(`"${text}" names no error`, () => {
    expect(warnOfErrorText({ title: text, heading: text, overlay: '' })).toEqual([]);
  });
}

for (const text of ['Sign in', 'Log in to Acme', 'Login | Acme', 'Anmelden', 'Se connecter', 'ログイン'])
  test(`"${text}" names a sign-in page`, () => expect(saysSignIn(text)).toBe(true));

for (const text of ['Acme', 'Sign up', 'Create an account', 'Change your password', 'Sign of the times'])
  test(`"${text}" names no sign-in page`, () => expect(saysSignIn(text)).toBe(false));

for (const path of ['/login', '/users/sign_in', '/#/sign-in', '/?view=login', '/auth/start', '/Account/LogOn'])
  test(`${path} is the address of a sign-in page`, () => expect(isSignInUrl(`http://127.0.0.1${path}`)).toBe(true));

for (const path of ['/', '/account', '/authors', '/blog/signing-in-the-rain', '/sign-up'])
  test(`${path} is not the address of a sign-in page`, () =>
    expect(isSignInUrl(`http://127.0.0.1${path}`)).toBe(false));
