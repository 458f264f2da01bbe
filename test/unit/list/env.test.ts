// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { fillEnv, UNFILLED } from '../../../src/list/env.js';
import { messagesOf, shotOf } from './list-file.js';

const ENV = { SITE: 'https://a.example', EMPTY: '', REF: '${SITE}', _x1: 'y' };

describe('a text with environment variables', () => {
  test.each([
    ['${SITE}/x', 'https://a.example/x'],
    ['${SITE}/${_x1}/${SITE}', 'https://a.example/y/https://a.example'],
    ['${NONE:-/fallback}', '/fallback'],
    ['${SITE:-/fallback}', 'https://a.example'],
    ['${EMPTY}', ''],
    ['${EMPTY:-/fallback}', '/fallback'],
    ['${NONE:-}', ''],
    ['${NONE:-http://127.0.0.1:4173}', 'http://127.0.0.1:4173'],
    ['${NONE:-a:-b}', 'a:-b'],
    ['$${SITE}', '${SITE}'],
    ['$$${SITE}', '$${SITE}'],
    ['${REF}', '${SITE}'],
    ['$SITE costs 5$ {a}', '$SITE costs 5$ {a}'],
  ])('%j becomes %j', (text, filled) => {
    expect(fillEnv(text, ENV)).toEqual({ value: filled, findings: [] });
  });

  test.each(['${}', '${1A}', '${A B}', '${SITE', '${A:-${B}}', '${A-b}', '${a.b}'])('%j is not a variable', (text) => {
    const { value, findings } = fillEnv({ url: text }, ENV);
    expect(value).toEqual({ url: UNFILLED });
    expect(findings.map(({ code, path }) => ({ code, path }))).toEqual([{ code: 'list-invalid', path: ['url'] }]);
  });

  test('is filled in values at any depth of a list, but never in keys', () => {
    const { value } = fillEnv({ '${SITE}': [{ hide: ['${_x1}'] }, 5, null, true] }, ENV);
    expect(value).toEqual({ '${SITE}': [{ hide: ['y'] }, 5, null, true] });
  });

  test.each(['toString', 'constructor', '__proto__'])('does not take %s for a variable that is set', (name) => {
    expect(fillEnv(`\${${name}}`, {}).findings).toHaveLength(1);
  });
});

describe('a list with environment variables', () => {
  test('may have JavaScript that contains ${', () => {
    const shot = shotOf('pages:\n  - url: /\n    javascriptCode: document.title = `$${a.b}`\n');
    expect(shot.fields.javascriptCode).toBe('document.title = `${a.b}`');
  });

  test('gives text only: a number from a variable is refused, with the reason', () => {
    expect(messagesOf('pages:\n  - url: /\n    width: ${W}\n    fullSize: ${F:-true}\n', { W: '500' })).toEqual([
      'pages.yaml:3:12: "width" must be a whole number from 100 to 8000, not "${W}". An environment variable is a string. Use it only where a string is allowed, such as in url.',
      'pages.yaml:4:15: "fullSize" must be true or false, not "${F:-true}". An environment variable is a string. Use it only where a string is allowed, such as in url.',
    ]);
  });

  test('never shows the value of a variable', () => {
    const env = { KEY: 'geheim', PATH2: 'ftp://geheim', NAME: 'geheim' };
    const list = `baseURL: \${KEY}
viewports:
  phone: { device: "\${KEY}" }
pages:
  - \${PATH2}
  - { name: "\${NAME}", url: / }
  - { name: "\${NAME}", url: /, viewports: ["\${KEY}"], format: "\${KEY}" }
  - { name: "\${NAME}", url: / }
  - /x?key=\${KEY}
  - /x?key=\${KEY}
  - { url: /hide, hide: "\${KEY}," }
`;
    const messages = messagesOf(list, env);
    expect(messages.join('\n')).not.toContain('geheim');
    expect(messages).toEqual([
      'pages.yaml:1:10: "baseURL" must be a URL that starts with http:// or https://, not "${KEY}". Check the value of the environment variable.',
      'pages.yaml:3:20: unknown device "${KEY}". Use a device name of Playwright, such as iPhone 15.',
      'pages.yaml:5:5: a page must be an http(s) URL or a path, not "${PATH2}". Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.',
      'pages.yaml:7:44: unknown viewport "${KEY}". Allowed: phone.',
      'pages.yaml:7:63: "format" must be png, jpeg, jpg, webp or pdf, not "${KEY}". Check the value of the environment variable.',
      'pages.yaml:8:5: duplicate shot "${NAME}": the page at pages.yaml:6:5 has the same id. Give one of the pages another "name".',
      'pages.yaml:10:5: duplicate shot "/x?key=${KEY}": the page at pages.yaml:9:5 has the same id. Give one of the pages another "name".',
      'pages.yaml:11:25: "hide" has an empty selector in "${KEY},". Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
    ]);
  });
});
