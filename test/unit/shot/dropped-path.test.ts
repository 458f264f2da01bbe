import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/list/index.js';
import { renderDroppedPath } from '../../../src/shot/dropped-path.js';
import { makeTempFolder } from '../temp-folder.js';

const folder = makeTempFolder();

function planOf(text: string) {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, text);
  return readPlan(file, { env: {}, devices: [] });
}

describe('the path of a base URL', () => {
  const noticeOf = (list: string, projectBaseURL: string | null = null) =>
    renderDroppedPath(planOf(list), projectBaseURL)?.replace(`${folder}/`, '') ?? null;

  test.each([
    [
      'baseURL: http://host/app\npages:\n  - /pricing\n',
      'pages.yaml:3:5: "/pricing" opens http://host/pricing, without the path of baseURL http://host/app. Write "./pricing" and baseURL: http://host/app/.',
    ],
    [
      'baseURL: http://host/app/\npages: [./a, /, /b]\n',
      'pages.yaml:2:14 (and 1 more page): "/" opens http://host/, without the path of baseURL http://host/app/. Write "./".',
    ],
    [
      'baseURL: http://host/app\npages: [./a]\n',
      'pages.yaml:2:9: "./a" opens http://host/a, without the path of baseURL http://host/app. Write baseURL: http://host/app/.',
    ],
    [
      'baseURL: http://new\nbefore: http://old/v1/\npages: [/a]\n',
      'pages.yaml:3:9: "/a" opens http://old/a, without the path of baseURL http://old/v1/. Write "./a".',
    ],
  ])('is dropped, with the position and the fix: %j', (list, notice) => {
    expect(noticeOf(list)).toBe(notice);
  });

  test.each([
    'baseURL: http://host/app/\npages: [./a, b/c, ../other, "?q=1", "http://other/d"]\n',
    'baseURL: http://host/app\npages: [/app, /app/a]\n',
    'baseURL: http://host/\npages: [/, /a, b]\n',
    'baseURL: http://host/index.html\npages: [/a, b]\n',
    'pages: [/a]\n',
  ])('is used, or there is none: %j', (list) => {
    expect(noticeOf(list)).toBeNull();
  });

  test("of the project counts for a list without its own, and the list's own is not checked twice", () => {
    expect(noticeOf('pages: [/a]\n', 'http://u:p@host/app')).toBe(
      'pages.yaml:1:9: "/a" opens http://***@host/a, without the path of baseURL http://***@host/app. Write "./a" and baseURL: http://host/app/.',
    );
    expect(noticeOf('baseURL: http://host/app\npages: [/a]\n', 'http://other/x')).toBeNull();
  });
});
