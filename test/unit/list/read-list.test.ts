import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/list/read-list.js';
import { DEVICES, messagesOf, refusalOf, writeList } from './list-file.js';

test('a list with several things wrong is refused with one AggregateError of all, each at its place, without a stack', () => {
  const file = writeList(`defaults:\n  hid: .a\npages:\n  - url: \${A}\n    width: 5\n  - url: /\n    viewports: x\n`);
  const { message, errors, stack } = refusalOf(file);
  expect(message).toBe([`${file}: 4 problems`, ...errors.map((error) => error.message)].join('\n'));
  expect(errors.map(({ code, loc }) => [code, loc])).toEqual([
    ['list-invalid', { file, line: 2, column: 3 }],
    ['env-unset', { file, line: 4, column: 10 }],
    ['list-invalid', { file, line: 5, column: 12 }],
    ['list-invalid', { file, line: 7, column: 16 }],
  ]);
  for (const text of [stack, ...errors.map((error) => error.stack)]) expect(text).not.toContain('    at ');
});

test('a list of a thousand pages is read in seconds, right or wrong', () => {
  const list = (field: string) =>
    `pages:\n${Array.from({ length: 1000 }, (_, at) => `  - { url: /p/${at}, ${field}: .a }\n`).join('')}`;
  expect(readPlan(writeList(list('hide')), { env: {}, devices: DEVICES }).shots).toHaveLength(1000);
  const messages = messagesOf(list('name: 5, width'));
  expect(messages).toHaveLength(51);
  expect(messages.slice(0, 2).map((message) => message.split(': ')[0])).toEqual(['pages.yaml:2:24', 'pages.yaml:2:34']);
}, 60_000);

const list = (name: string) => join(import.meta.dirname, '../../../fixtures/lists', name);

describe('the lists under fixtures', () => {
  test('that are right give their shots, in order', () => {
    const { shots } = readPlan(list('full.yaml'), { env: {}, devices: DEVICES });
    const about = ['https://docs.example.com/about?tab=team#top', '/about?tab=team#top', '@smoke', null];
    const blog = ['/blog', '/news', '@smoke', 'redesign is not released'];
    const account = ['/account', '/konto', '@smoke', null];
    expect(shots.map(({ id, url, before, tags, skip }) => [id, url, before?.url, tags.join(' '), skip])).toEqual([
      ['index/desktop/light', '/', '/', '@smoke', null],
      ['index/phone/light', '/', '/', '@smoke', null],
      ['pricing/phone/light', '/pricing', '/pricing', '@money @shop', null],
      ...['desktop', 'phone'].map((viewport) => [`Über uns/${viewport}/light`, ...about]),
      ...['desktop', 'phone'].map((viewport) => [`blog/${viewport}/light`, ...blog]),
      ...['desktop/light', 'desktop/light/menu-open', 'desktop/light/dark'].map((id) => [`account/${id}`, ...account]),
      ...['phone/light/dark', 'tall/light/chart'].map((id) => [`account/${id}`, ...account]),
      ['terms/desktop/light/print', '/terms', '/terms', '@smoke', null],
    ]);
  });

  test('that are invalid report all problems at once, in file order', () => {
    const { message } = refusalOf(list('broken.yaml'));
    expect(`${message}\n`).toBe(readFileSync(list('broken.messages.txt'), 'utf8'));
  });
});

describe('the messages under fixtures', () => {
  /** Reads a file of cases: YAML, and below it the messages that it gives. */
  function casesOf(name: string): { yaml: string; messages: string[] }[] {
    const blocks = readFileSync(list(name), 'utf8').trimEnd().split('\n\n');
    return blocks
      .filter((block) => !block.startsWith('## '))
      .map((block) => {
        const [yaml = '', ...messages] = block.split(/\n> /);
        return { yaml, messages };
      });
  }

  const found = (text: string) => messagesOf(text).map((message) => message.replaceAll('pages.yaml:', ''));

  test.each(casesOf('list.messages.txt'))('are those of a list: $yaml', ({ yaml, messages }) => {
    expect(found(`${yaml}\n`)).toEqual(messages);
  });

  test.each(casesOf('field.messages.txt'))('are those of a field of a page: $yaml', ({ yaml, messages }) => {
    expect(found(`pages:\n  - url: /\n    ${yaml.replaceAll('\n', '\n    ')}\n`)).toEqual(messages);
  });
});
