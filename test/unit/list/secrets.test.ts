// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, planOf, refusalOf, writeList } from './list-file.js';

const page = (line: string) => `pages:\n  - url: /\n    ${line}\n`;

describe('a secret', () => {
  test.each([
    'headers: [hunter2, { a: hunter2 }]',
    'headers: { "Authorization: Bearer hunter2": }',
    'headers: { X: some,hunter2 }',
    'cookies: [session=hunter2]',
    'cookies: [{ name: session=hunter2, value: x }]',
    'cookies: { s: "hunter2;" }',
    'httpCredentials: { user: hunter2, pass: hunter2 }',
    'httpCredentials: { username: a, password: some,hunter2 }',
    'httpCredentials: { username: a, password: "${hunter2" }',
    'httpCredentials: { username: a, password: *hunter2 }',
    'httpCredentials: { username: a, password: !hunter2 }',
    'httpCredentials: { username: a, password: "x" hunter2 }',
    'httpCredentials:\n      username: a\n      password: #hunter2',
    'actions: [{ fill: { selector: .a, value: [hunter2] } }]',
    'actions: [{ fill: { selector: .a, valeu: hunter2 } }]',
    'actions: { fil: { selector: .a, value: hunter2 } }',
    'finalUrl: { password: hunter2, apiKey: hunter2, authorization: { a: hunter2 } }',
    'states: [{ headers: { a: hunter2 } }]',
  ])('is in no message, nor does an error give a place in the list: %s', (line) => {
    const { message, errors, stack } = refusalOf(writeList(page(line)));
    expect(errors.length).toBeGreaterThan(0);
    expect(`${message}\n${stack}`).not.toContain('hunter2');
    expect(errors.map(({ message, stack }) => `${message}\n${stack}`).join('\n')).not.toContain('hunter2');
    expect(errors.map(({ loc }) => loc)).toEqual(errors.map(() => undefined));
  });

  test.each([
    'x-login: &login { headers: { A: hunter2 } }\npages: [{ <<: *login, url: /, widht: 5 }]\n',
    'x-login: &login { A: hunter2 }\npages: [{ headers: *login, url: /, widht: 5 }]\n',
    'x-login: { password: hunter2 }\npages: [{ url: /, widht: 5 }]\n',
  ])('in a key of the user is not printed either: %j', (list) => {
    const { message, errors } = refusalOf(writeList(list));
    expect(message).toContain('unknown key "widht"');
    expect(message).not.toContain('hunter2');
    expect(errors.map(({ loc }) => loc)).toEqual([undefined]);
  });

  test.each(['- headers: { a: hunter2 }\n', 'pages: { url: /, headers: { a: hunter2 } }\n'])(
    'is in no message where the whole list is of the wrong form: %j',
    (list) => {
      expect(messagesOf(list)).toEqual([expect.stringMatching(/^(?!.*hunter2).*\*\*\*/)]);
    },
  );

  test('from a variable is in no message, but the variable name is', () => {
    const env = { A: 'geheim\n', B: 'gehe;im', C: '', D: 'x' };
    const list = `pages:
  - url: /
    headers: { X: "\${A}", Y: "Bearer \${A}" }
    cookies: { s: "\${B}" }
    httpCredentials: { username: "\${C}", password: "\${D}" }
`;
    const messages = messagesOf(list, env).map((message) => message.replace('pages.yaml:', ''));
    const look = 'Check the value of the environment variable, which is always a string.';
    expect(messages).toEqual([
      `3:19: "X" must be one line of Latin-1 characters, not "\${A}". ${look}`,
      '3:30: "Y" must be one line of Latin-1 characters, not a string (hidden). Correct it.',
      `4:19: "s" must be one line of ASCII characters without ";", not "\${B}". ${look}`,
      `5:34: "username" must be a string, not "\${C}". ${look}`,
    ]);
  });
});

describe('the place of an error', () => {
  const places = (list: string, env = {}) => refusalOf(writeList(list), env).errors.map(({ loc }) => loc?.line);
  const filler = Array.from({ length: 300 }, (_, index) => `  - /page-${index}\n`).join('');

  test.each([
    'headers: { X: hunter2 }',
    'cookies: { a: hunter2 }',
    'httpCredentials: { username: me, password: hunter2 }',
    'actions: [{ fill: { selector: .a, value: hunter2 } }]',
    'before: https://me:hunter2@example.com',
    'before: "https://me:hunter2\\x40example.com"',
    'before: "https://me:${A:-hunter2}@example.com"',
    'finalUrl: /x # password: hunter2',
    '# cookies: { session: hunter2 }',
    'headers:\n      X: >-\n        one\n        hunter2',
  ])('is given nowhere in a list with a literal secret, however far away: %s', (line) => {
    expect(places(`${page(line)}${filler}  - { url: /last, widht: 1 }\n`, { A: '' })).toEqual([undefined]);
  });

  test.each([
    'headers: { X: "${TOKEN}" }',
    'cookies: { a: "${TOKEN}${TOKEN}" }',
    'before: "https://${TOKEN}:${TOKEN}@example.com"',
    'before: "https://example.com/${TOKEN:-x}"',
    'delay: 1 # the header loads late',
  ])('is given where every secret is a variable: %s', (line) => {
    expect(places(`${page(line)}  - { url: /last, widht: 1 }\n`, { TOKEN: 'x' })).toEqual([4]);
  });

  test('is given nowhere in a text with a secret that is not YAML', () => {
    expect(places('pages:\n  - url: /\n    fill: x\n\n\n\n\n\n\n  - "x\n')).toEqual([undefined]);
    expect(places('pages:\n  - url: /\n\n\n\n\n\n\n\n  - "x\n')).toHaveLength(1);
    expect(places('pages:\n  - url: /\n\n\n\n\n\n\n\n  - "x\n')).not.toContain(undefined);
  });

  test('of a shot is given by a list without a literal secret alone', () => {
    expect(planOf(page('headers: { X: "${V}" }'), { V: 'x' }).isCodeFrameSafe).toBe(true);
    expect(planOf(page('headers: { X: hunter2 }')).isCodeFrameSafe).toBe(false);
  });
});
