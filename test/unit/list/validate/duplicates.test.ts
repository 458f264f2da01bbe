// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, shotsOf } from '../list-file.js';

const idsOf = (list: string) => shotsOf(list).map(({ id }) => id);

describe('two shots with one name', () => {
  test('are not reported for pages that share a name but no shot', () => {
    const list =
      'pages:\n  - { url: /x, name: a, base: false, states: { b: {} } }\n  - { url: /y, name: a, base: false, states: { c: {} } }\n';
    expect(idsOf(list)).toEqual(['a/b', 'a/c']);
  });

  test('never show the value of a variable in the name of a page', () => {
    const list = 'pages:\n  - { url: /x, name: "${N}", states: { b: {}, B: {} } }\n';
    const messages = messagesOf(list, { N: 'geheim' });
    expect(messages).toEqual([expect.stringContaining('shot "${N}/B" would have the same files as shot "${N}/b"')]);
    expect(messages.join()).not.toContain('geheim');
  });
});
