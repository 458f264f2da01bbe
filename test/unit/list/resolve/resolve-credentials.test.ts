// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_CREDENTIALS, resolveShot } from '../../../../src/list/resolve/resolve-shot.js';
import { messagesOf, shotOf } from '../list-file.js';

const USE = { baseURL: 'http://new', viewport: null };
const LAX = { path: '/', httpOnly: false, secure: false, sameSite: 'Lax' };

function resolved(list: string, env: Record<string, string> = {}) {
  const planned = shotOf(list, env);
  return { ...resolveShot(planned, USE), folder: dirname(planned.position.file) };
}

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`).map((message) => message.replace('pages.yaml:', ''));
}

describe('what a page is given', () => {
  test('is nothing where the list gives nothing', () => {
    expect(resolved('pages: [/]\n').after.credentials).toEqual(NO_CREDENTIALS);
  });

  test('is what the list says, filled in from the environment', () => {
    const list = `pages:
  - url: /
    headers: { Authorization: "Bearer \${TOKEN}" }
    cookies:
      - { name: session, value: "\${SESSION}" }
      - { name: b, value: "", path: /a, httpOnly: true, secure: true, sameSite: None }
    storageState: .auth/user.json
    httpCredentials: { username: "\${NAME}", password: "\${PASSWORD}" }
`;
    const { after, folder } = resolved(list, { TOKEN: 't', SESSION: 's', NAME: 'n', PASSWORD: 'p' });
    expect(after.credentials).toEqual({
      headers: { Authorization: 'Bearer t' },
      cookies: [
        { name: 'session', value: 's', ...LAX },
        { name: 'b', value: '', path: '/a', httpOnly: true, secure: true, sameSite: 'None' },
      ],
      storageState: join(folder, '.auth/user.json'),
      httpCredentials: { username: 'n', password: 'p' },
    });
  });

  test('may have cookies as a mapping', () => {
    expect(resolved('pages:\n  - { url: /, cookies: { a: x, b: y } }\n').after.credentials.cookies).toEqual([
      { name: 'a', value: 'x', ...LAX },
      { name: 'b', value: 'y', ...LAX },
    ]);
  });

  test('may be a storage state at an absolute path', () => {
    const { after } = resolved('pages:\n  - { url: /, storageState: /srv/user.json }\n');
    expect(after.credentials.storageState).toBe('/srv/user.json');
  });

  test('comes from the defaults, and is replaced by a page field by field', () => {
    const list = `
defaults: { headers: { A: x }, cookies: { b: y } }
pages:
  - { url: /, headers: { C: z } }
`;
    expect(resolved(list).after.credentials).toMatchObject({ headers: { C: 'z' }, cookies: [{ name: 'b' }] });
  });
});

describe('what the page that is before is given', () => {
  const AFTER = 'headers: { A: x }';
  const beforeGiven = (list: string) => resolved(list).before?.credentials;

  test('is nothing of the other side', () => {
    expect(beforeGiven(`before: http://old\npages:\n  - { url: /, ${AFTER} }\n`)).toEqual(NO_CREDENTIALS);
    expect(beforeGiven(`pages:\n  - { url: /, before: "http://new:81/", ${AFTER} }\n`)).toEqual(NO_CREDENTIALS);
  });

  test('is the same as the other side where both have one origin', () => {
    expect(beforeGiven(`pages:\n  - { url: /, before: /old, ${AFTER} }\n`)).toMatchObject({ headers: { A: 'x' } });
    expect(beforeGiven(`before: http://new\npages:\n  - { url: /a, before: /b, ${AFTER} }\n`)).toMatchObject({
      headers: { A: 'x' },
    });
  });

  test("is its own where it has its own, on the page or at the list's top", () => {
    const top = 'before: { url: "http://old", cookies: { c: z }, storageState: old.json }\n';
    const { before: other, folder } = resolved(`${top}pages:\n  - { url: /, ${AFTER} }\n`);
    expect(other).toMatchObject({ url: 'http://old/' });
    expect(other?.credentials).toEqual({
      ...NO_CREDENTIALS,
      cookies: [{ name: 'c', value: 'z', ...LAX }],
      storageState: join(folder, 'old.json'),
    });
    expect(beforeGiven(`${top}pages:\n  - { url: /, before: { url: /b, headers: { D: w } } }\n`)).toEqual({
      ...NO_CREDENTIALS,
      headers: { D: 'w' },
    });
    expect(beforeGiven(`pages:\n  - { url: /, before: { url: /b, headers: {} }, ${AFTER} }\n`)).toEqual(NO_CREDENTIALS);
  });

  test("is the list's for a page that says only where it was, on the same site and on no other", () => {
    const top = 'before: { url: "http://old", headers: { C: z } }\n';
    for (const where of ['/b', '"http://old/b"', '{ url: /b }']) {
      expect(beforeGiven(`${top}pages:\n  - { url: /, before: ${where} }\n`)).toMatchObject({ headers: { C: 'z' } });
    }
    expect(beforeGiven(`${top}pages:\n  - { url: /, before: "http://other/b" }\n`)).toEqual(NO_CREDENTIALS);
  });

  test('says where it is as the short form does', () => {
    const list = 'before: { url: "http://old/sub/" }\npages:\n  - { url: /a, before: { url: b } }\n';
    expect(resolved(list).before?.url).toBe('http://old/sub/b');
    expect(resolved('before: { url: "http://old" }\npages: [/a]\n').before?.url).toBe('http://old/a');
  });
});

describe('a header', () => {
  test.each([
    [
      'headers: [x]',
      `3:14: "headers" must be a mapping, not the list [***]. HTTP headers of requests to the origin of the page: a mapping of name to value. Default: none.`,
    ],
    ['headers: { host: x }', '3:16: "headers" cannot set "host". Remove it: the browser takes it from the URL.'],
    ['headers: { Cookie: x }', '3:16: "headers" cannot set "Cookie". Use "cookies" instead.'],
    [
      'headers: { Content-Length: "5" }',
      '3:16: "headers" cannot set "Content-Length". Remove it: the browser sets it.',
    ],
    [
      'headers: { "X Y": x }',
      '3:16: invalid header name (hidden). Write name: value. Put a value that contains a comma, # or ": " in quotes.',
    ],
    [
      'headers: { a: x, A: x }',
      '3:25: duplicate header "A" (header names are case-insensitive). Remove one of the two.',
    ],
    ['headers: { X: 5 }', '3:19: "X" must be a string, not a number (hidden). Put it in quotes.'],
    ['headers: { X: true }', '3:19: "X" must be a string, not a boolean (hidden). Put it in quotes.'],
    ['headers: { X: "a\\n" }', '3:19: "X" must be one line of Latin-1 characters, not a string (hidden). Correct it.'],
    ['header: { X: x }', '3:5: unknown key "header" in a page. Did you mean "headers"?'],
  ])('is reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });

  test.each(['constructor', 'X-Toast', 'sec-gpc'])('may be named %s', (name) => {
    const { headers } = resolved(`pages:\n  - { url: /, headers: { ${name}: "x" } }\n`).after.credentials;
    expect(headers).toEqual({ [name]: 'x' });
  });
});

describe('a cookie', () => {
  test.each([
    ['cookies: { s: 5 }', '3:19: "s" must be a string, not a number (hidden). Put it in quotes.'],
    [
      'cookies: { s: "a;b" }',
      '3:19: "s" must be one line of ASCII characters without ";", not a string (hidden). Correct it.',
    ],
    [
      'cookies: { "a b": x }',
      '3:16: invalid cookie name (hidden). Write name: value. Put a value that contains a comma, # or ": " in quotes.',
    ],
    [
      'cookies: [{ name: a, value: b, pth: / }]',
      '3:36: unknown key "pth" in item 1 of "cookies". Did you mean "path"?',
    ],
    [
      'cookies: [{ name: a, value: b, domain: x }]',
      '3:36: unknown key "domain" in item 1 of "cookies". Allowed: name, value, path, httpOnly, secure, sameSite.',
    ],
    ['cookies: [{ name: a, valeu: b }]', '3:26: unknown key "valeu" in item 1 of "cookies". Did you mean "value"?'],
    ['cookies: [{ name: a }]', '3:15: missing key "value" in item 1 of "cookies"; expected a string. Add "value".'],
    [
      'cookies: [{ name: a b, value: c }]',
      '3:23: "name" must be a name without spaces or separators, not "a b". Correct it.',
    ],
    [
      'cookies: [{ name: a, value: b, path: c }]',
      '3:42: "path" must be a path that starts with /, not "c". Path that the cookie applies to. Default: /.',
    ],
    [
      'cookies: [{ name: a, value: b, sameSite: lax }]',
      '3:46: "sameSite" must be Strict, Lax or None, not "lax". Did you mean "Lax"?',
    ],
    [
      'cookies: [{ name: a, value: b, sameSite: None }]',
      '3:46: browsers reject a cookie with "sameSite: None" that is not secure. Add "secure: true".',
    ],
    [
      'cookies: [{ name: __Host-a, value: b }]',
      '3:23: browsers reject a cookie named "__Host-..." that is not secure. Add "secure: true".',
    ],
    [
      'cookies: { __Secure-a: b }',
      '3:16: browsers reject a cookie named "__Secure-..." that is not secure. Write the cookie as a list item, with "secure: true".',
    ],
    [
      'cookies: [a=b]',
      '3:15: item 1 of "cookies" must be a mapping with name and value, not a string (hidden). Correct it.',
    ],
  ])('is reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });

  test('may have a prefix when it is secure', () => {
    const list = 'pages:\n  - { url: /, cookies: [{ name: __Host-a, value: b, secure: true, sameSite: None }] }\n';
    expect(resolved(list).after.credentials.cookies).toMatchObject([{ name: '__Host-a', secure: true }]);
  });
});

describe('other credentials', () => {
  test.each([
    [
      'httpCredentials: x',
      `3:22: "httpCredentials" must be a mapping with username and password, not a string (hidden). User name and password for HTTP authentication at the origin of the page. Default: none.`,
    ],
    [
      'httpCredentials: { username: "", password: "" }',
      '3:34: "username" must be a string, not an empty string. Correct it.',
    ],
    [
      'httpCredentials: { username: x }',
      '3:22: missing key "password" in "httpCredentials"; expected a string. Add "password".',
    ],
    [
      'httpCredentials: { username: x, password: 12345 }',
      '3:47: "password" must be a string, not a number (hidden). Put it in quotes.',
    ],
    [
      'httpCredentials: { username: x, password: y, user: z }',
      '3:50: unknown key "user" in "httpCredentials". Allowed: username, password.',
    ],
    ['storageState: 5', '3:19: "storageState" must be a string, not 5. Put it in quotes: "5".'],
  ])('are reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });
});

describe('before in its long form', () => {
  test.each([
    [
      'before: {}',
      '3:13: missing key "url" in "before"; expected a string. Add "url": URL, or path relative to the before site.',
    ],
    ['before: { url: /x, header: {} }', '3:24: unknown key "header" in "before". Did you mean "headers"?'],
    [
      'before: { url: "ftp://x" }',
      '3:20: "url" must be an http(s) URL or a path, not "ftp://x". Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.',
    ],
    [
      'before: { url: /x, headers: { Host: y } }',
      '3:35: "headers" cannot set "Host". Remove it: the browser takes it from the URL.',
    ],
    [
      'before: 5',
      '3:13: "before" must be a string or a mapping with url, not 5. Before page of a two-state run: a URL, or a path relative to the before site (otherwise baseURL). Default: the same path on the before site of the list.',
    ],
  ])('is reported with the allowed values, on a page: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });

  test.each([
    [
      'localhost:3000',
      [
        '1:9: "before" must be a URL that starts with http:// or https:// or a mapping with url, not "localhost:3000". Write "http://localhost:3000" or "https://localhost:3000".',
      ],
    ],
    [
      '{ url: localhost:3000 }',
      [
        '1:16: "url" must be a URL that starts with http:// or https://, not "localhost:3000". Write "http://localhost:3000" or "https://localhost:3000".',
      ],
    ],
    [
      '{ headers: { Host: x } }',
      [
        '1:9: missing key "url" in "before"; expected a URL that starts with http:// or https://. Add "url": Base URL of the before pages.',
        '1:22: "headers" cannot set "Host". Remove it: the browser takes it from the URL.',
      ],
    ],
  ])("is reported with the allowed values, at the list's top: %s", (before, messages) => {
    const found = messagesOf(`before: ${before}\npages: [/]\n`);
    expect(found.map((message) => message.replace('pages.yaml:', ''))).toEqual(messages);
  });
});
