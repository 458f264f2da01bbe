import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messagesOf, planOf } from './list-file.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/site');

test.each([
  ['', null],
  ['reuse: false\n', null],
  ['reuse: true\n', { verify: 0 }],
  ['reuse: { verify: 0.05 }\n', { verify: 0.05 }],
])('a list with "%s" says how runs reuse captures', (line, expected) => {
  expect(planOf(`${line}serve: ${FOLDER}\npages: [/]\n`).reuse).toEqual(expected);
});

test.each(['reuse: maybe\n', 'reuse: { verify: 2 }\n', 'reuse: { share: 0.1 }\n'])('"%s" is an error', (line) => {
  const messages = messagesOf(`${line}serve: ${FOLDER}\npages: [/]\n`);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => !/^pages\.yaml:1:\d+: /.test(message))).toEqual([]);
});

test('a list without a folder to serve cannot reuse captures', () => {
  expect(messagesOf('baseURL: http://localhost\nreuse: true\npages: [/]\n')).toEqual([
    'pages.yaml:2:1: "reuse" needs pages of a folder that the run serves itself. Add "serve" with the folder of the built site, or remove "reuse".',
  ]);
  expect(planOf('baseURL: http://localhost\nreuse: false\npages: [/]\n').reuse).toBeNull();
});
