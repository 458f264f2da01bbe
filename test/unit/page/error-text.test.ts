import { expect, test } from 'vitest';
import { isSignInUrl, saysSignIn, warnOfErrorText } from '../../../src/page/error-text.js';

test.each([
  ...['404', '404 - Page', 'Error 404', 'Acme | 404', 'HTTP 404 explained', 'Page not found', 'Error'],
  ...['500 Internal Server Error', '502 Bad Gateway', 'Service Unavailable', 'Something went wrong'],
  ...['Application error: a client-side exception has occurred while loading 127.0.0.1', 'Access denied'],
  ...['Unexpected Application Error!', 'Unhandled Runtime Error', 'Failed to compile', 'Whitelabel Error Page'],
  ...['Whoops, looks like something went wrong.', 'Oops! An Error Occurred', 'OperationalError at /accounts/'],
  ...["The page you were looking for doesn't exist (404)", 'Action Controller: Exception caught'],
  ...["Server Error in '/' Application.", 'Error establishing a database connection'],
  ...['This page could not be found', 'Seite nicht gefunden'],
])('"%s" looks like an error message, as a title and as a heading', (text) => {
  const messageOf = (names: { title: string } | { heading: string }) =>
    warnOfErrorText({ title: 'Acme', heading: '', overlay: '', ...names })[0]?.message;
  expect(messageOf({ title: text })).toContain(`the title of the page looks like an error message: "${text}"`);
  expect(messageOf({ heading: ` ${text}\n` })).toContain('the heading of the page');
});

test('other texts name no error', () => {
  const texts = [
    ...['', 'Acme', 'Fiat 500', '500 companies to watch', 'Room 404', '1404', 'The 404s', '5000 km', 'Terror'],
    ...['Error handling in Go', 'Lost and found', 'Forbiddenness', 'Founders not foundlings'],
    ...['Build errors explained', 'Oopsie daisy'],
  ];
  const found = texts.filter((text) => warnOfErrorText({ title: text, heading: text, overlay: '' }).length > 0);
  expect(found).toEqual([]);
});

test('a title names a sign-in page in many languages', () => {
  const names = ['Sign in', 'Log in to Acme', 'Login | Acme', 'Anmelden', 'Se connecter', 'ログイン'];
  expect(names.filter((name) => !saysSignIn(name))).toEqual([]);
  const others = ['Acme', 'Sign up', 'Create an account', 'Change your password', 'Sign of the times'];
  expect(others.filter(saysSignIn)).toEqual([]);
});

test('an address is that of a sign-in page by its path, its query or its hash', () => {
  const isSignIn = (path: string) => isSignInUrl(`http://127.0.0.1${path}`);
  const paths = ['/login', '/users/sign_in', '/#/sign-in', '/?view=login', '/auth/start', '/Account/LogOn'];
  expect(paths.filter((path) => !isSignIn(path))).toEqual([]);
  expect(['/', '/account', '/authors', '/blog/signing-in-the-rain', '/sign-up'].filter(isSignIn)).toEqual([]);
});
