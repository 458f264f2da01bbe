import { expect, test } from 'vitest';
import { messagesOf, planOf } from './list-file.js';

test.each([
  ['', null],
  ['reuse: false\n', null],
  ['reuse: true\n', { verify: 0 }],
  ['reuse: { verify: 0.05 }\n', { verify: 0.05 }],
])('a list with "%s" says how runs reuse captures', (line, expected) => {
  expect(planOf(`${line}pages: [/]\n`).reuse).toEqual(expected);
});

test.each(['reuse: maybe\n', 'reuse: { verify: 2 }\n', 'reuse: { share: 0.1 }\n'])('"%s" is an error', (line) => {
  const messages = messagesOf(`${line}pages: [/]\n`);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => !/^pages\.yaml:1:\d+: /.test(message))).toEqual([]);
});
