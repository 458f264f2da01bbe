import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProofsheetError } from '../../../src/model/errors.js';
import { nameRefusingHost } from '../../../src/shot/page-session.js';
import { listMissing, planRun, renderDroppedPath } from '../../../src/shot/plan-shots.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-notices-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function planOf(text: string) {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, text);
  return planRun(file, { env: {}, devices: [] });
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

describe('a host that refuses the connection', () => {
  const refused = (url: string, found = 'the page cannot be reached (net::ERR_CONNECTION_REFUSED)') =>
    new ProofsheetError({ code: 'page-unreachable', where: url, found, advice: 'Check the URL.' });
  const resolved = (list: string, baseURL: string | null = null) =>
    planOf(list).shots.map((shot) => shot.resolve({ baseURL, viewport: null }).after);
  const messageFor = (list: string, baseURL: string | null = null) => {
    const [target] = resolved(list, baseURL);
    const error = target && nameRefusingHost(refused(target.url), target);
    return error instanceof Error ? error.message.replace(`${folder}/`, '') : '';
  };

  test('is named in one line, with the line of the list that sets it', () => {
    expect(messageFor('# a site\nbaseURL: http://127.0.0.1:1\npages: [/a]\n')).toBe(
      'http://127.0.0.1:1/a: http://127.0.0.1:1 refused the connection. Is the server running? baseURL is set in pages.yaml:2.',
    );
    expect(messageFor('pages: [/a]\n', 'http://127.0.0.1:1')).toBe(
      'http://127.0.0.1:1/a: http://127.0.0.1:1 refused the connection. Is the server running? baseURL is set in the Playwright config.',
    );
    expect(messageFor('pages: ["http://127.0.0.1:1/a"]\n')).toBe(
      'http://127.0.0.1:1/a: http://127.0.0.1:1 refused the connection. Is the server running?',
    );
  });

  test.each(['Could not connect to 127.0.0.1: Connection refused', 'NS_ERROR_CONNECTION_REFUSED'])(
    'is known in the words of other browsers: %s',
    (words) => {
      const url = 'http://127.0.0.1:1/';
      const error = nameRefusingHost(refused(url, `the page cannot be reached (${words})`), { url });
      expect(error).toMatchObject({ problem: { found: 'http://127.0.0.1:1 refused the connection' } });
    },
  );

  test('does not replace another error', () => {
    const other = refused('http://nowhere/', 'the page cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
    expect(nameRefusingHost(other, { url: 'http://nowhere/' })).toBe(other);
  });
});

test('a list that does not exist is an error at the call that names it', () => {
  const call = { file: join(folder, 'visual.spec.ts'), line: 2, column: 1 };
  const error = listMissing(join(folder, 'pages.yaml'), call);
  expect(error).toMatchObject({ code: 'list-unreadable', loc: call });
  expect(error.message.replaceAll(`${folder}/`, '')).toBe(
    'visual.spec.ts:2:1: the page list pages.yaml does not exist. Correct the path, which is relative to the spec, or create the file.',
  );
});
