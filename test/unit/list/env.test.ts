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
    ['${EMPTY}', ''],
    ['${EMPTY:-/fallback}', '/fallback'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b}', 'a:-b'],
    ['$${SITE}', '${SITE}'],
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
      'pages.yaml:3:12: "width" must be a whole number from 100 to 8000, not "${W}". Check the value of the environment variable, which is always a string.',
      'pages.yaml:4:15: "fullSize" must be true or false, not "${F:-true}". Check the value of the environment variable, which is always a string.',
    ]);
  });

  const secret = { KEY: 'geheim', PATH2: 'ftp://geheim', NAME: 'geheim' };

  test.each([
    [
      'of a single value',
      `baseURL: \${KEY}
pages:
  - \${PATH2}
  - { url: /, format: "\${KEY}" }
  - { url: /hide, hide: "\${KEY}," }
`,
      ['${KEY}', '${PATH2}', '${KEY}', '${KEY},'],
    ],
    [
      'of several values together',
      `viewports:
  phone: { device: "\${KEY}" }
pages:
  - { name: "\${NAME}", url: / }
  - { name: "\${NAME}", url: /, viewports: ["\${KEY}"] }
  - { name: "\${NAME}", url: / }
  - /x?key=\${KEY}
  - /x?key=\${KEY}
`,
      ['${KEY}', '${KEY}', undefined, undefined],
    ],
  ])('never shows the value of a variable in a problem %s', (_, list, shown) => {
    const messages = messagesOf(list, secret);
    expect(messages.join('\n')).not.toContain('geheim');
    expect(messages.map((message) => /"([^"]*\$[^"]*)"/.exec(message)?.[1])).toEqual(shown);
  });
});
