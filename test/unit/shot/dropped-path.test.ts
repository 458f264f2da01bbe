import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlan } from '../../../src/list/index.js';
import { renderDroppedPath } from '../../../src/shot/dropped-path.js';
import { makeTempFolder } from '../temp-folder.js';

const folder = makeTempFolder();

function noticeOf(list: string, projectBaseURL: string | null = null) {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, list);
  return renderDroppedPath(readPlan(file, { env: {}, devices: [] }), projectBaseURL)?.replace(`${folder}/`, '') ?? null;
}

const PROJECT = 'http://u:p@host/app';

test.each([
  ['baseURL: http://host/app\npages:\n  - /b\n', null, '3:5: "/b" opens http://host/b', 'http://host/app'],
  [
    'baseURL: http://host/app/\npages: [./a, /, /b]\n',
    null,
    '2:14 (and 1 more page): "/" opens http://host/',
    'http://host/app/',
  ],
  ['baseURL: http://host/app\npages: [./a]\n', null, '2:9: "./a" opens http://host/a', 'http://host/app'],
  [
    'baseURL: http://new\nbefore: http://old/v1/\npages: [/a]\n',
    null,
    '3:9: "/a" opens http://old/a',
    'http://old/v1/',
  ],
  ['pages: [/a]\n', PROJECT, '1:9: "/a" opens http://***@host/a', 'http://***@host/app'],
])('the path of a base URL is dropped, with the position: %j', (list, projectBaseURL, opened, base) => {
  expect(noticeOf(list, projectBaseURL)).toBe(
    `pages.yaml:${opened}, without the path of baseURL ${base}. Write "./a" instead of "/a", and end baseURL with a slash.`,
  );
});

test.each([
  ['baseURL: http://host/app/\npages: [./a, b/c, ../other, "?q=1", "http://other/d"]\n', null],
  ['baseURL: http://host/app\npages: [/app, /app/a]\n', null],
  ['baseURL: http://host/\npages: [/, /a, b]\n', null],
  ['baseURL: http://host/index.html\npages: [/a, b]\n', null],
  ['pages: [/a]\n', null],
  // The base URL of the list was checked when it was declared.
  ['baseURL: http://host/app\npages: [/a]\n', 'http://other/x'],
])('the path of a base URL is used, or there is none: %j', (list, projectBaseURL) => {
  expect(noticeOf(list, projectBaseURL)).toBeNull();
});
