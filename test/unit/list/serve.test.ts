import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/list/read-list.js';
import { resolveShot } from '../../../src/list/resolve/resolve-shot.js';
import { DEVICES, refusalOf, writeList } from './list-file.js';

/** Writes a list beside a built site, `dist`. */
function writeWithSite(text: string): string {
  const file = writeList(text);
  mkdirSync(join(dirname(file), 'dist'));
  writeFileSync(join(dirname(file), 'dist', 'index.html'), '');
  return file;
}

function shotsWith(text: string) {
  const file = writeWithSite(text);
  const { shots } = readPlan(file, { env: { OUT: 'dist' }, devices: DEVICES });
  return { shots, folder: join(dirname(file), 'dist') };
}

function messagesWith(text: string): string[] {
  const file = writeWithSite(text);
  return refusalOf(file, { OUT: 'none' }).errors.map(({ message }) => message.replaceAll(`${dirname(file)}/`, ''));
}

describe('serve', () => {
  test.each([
    ['./dist', '/', null],
    ['{ folder: dist, base: /docs, fallback: index.html }', '/docs/', 'index.html'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the list
    ['${OUT}', '/', null],
  ])('%s names the folder of all pages but those with a URL of their own', (serve, base, fallback) => {
    const { shots, folder } = shotsWith(`serve: ${serve}\npages: [${base}, https://example.com/a]\n`);
    expect(shots.map(({ served }) => served)).toEqual([{ folder, base, fallback }, null]);
  });

  test('gives the pages of a two-state list their after side', () => {
    const { shots } = shotsWith('serve: dist\nbefore: https://example.com\npages: [/a]\n');
    const [shot] = shots;
    if (!shot) throw new Error('expected a shot');
    const { before, after } = resolveShot(shot, { baseURL: 'http://127.0.0.1:4000/', viewport: null });
    expect([before?.url, after.url, after.servedFolder]).toEqual([
      ...['https://example.com/a', 'http://127.0.0.1:4000/a', 'dist'],
    ]);
  });

  test.each([
    [
      'serve: none\npages: [/]',
      'pages.yaml:1:8: the folder none does not exist. Build the site, and use the path of the folder with its files. It is relative to the list.',
    ],
    [
      'serve: pages.yaml\npages: [/]',
      'pages.yaml:1:8: pages.yaml is a file, expected a folder. Build the site, and use the path of the folder with its files.',
    ],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the list
      'serve: ${OUT}\npages: [/]',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the list
      'pages.yaml:1:8: the folder "${OUT}" does not exist. Build the site, and use the path of the folder with its files. It is relative to the list.',
    ],
    [
      'serve: { folder: dist, fallback: app.html }\npages: [/]',
      'pages.yaml:1:34: the folder dist has no file "app.html". Write the path of a file in the folder, such as index.html.',
    ],
    [
      'serve: dist\nbaseURL: http://localhost\npages: [/]',
      'pages.yaml:2:1: "serve" and "baseURL" exclude each other: each names the server of the pages. Remove one.',
    ],
    [
      'serve: { folder: dist, base: /docs/ }\npages: [/docs/a, { url: /b }]',
      'pages.yaml:2:25: the path is outside of the base "/docs/". Write "/docs/b".',
    ],
  ])('%s is an error', (text, message) => {
    expect(messagesWith(`${text}\n`)).toEqual([message]);
  });

  test.each([
    ['serve: 5', /^pages\.yaml:1:8: "serve" must be/],
    ['serve: { base: /docs/ }', /missing key "folder" in "serve"/],
    ['serve: { folder: dist, base: docs }', /"base" must be a path such as \/docs\//],
    ['serve: { folder: dist, fallbak: a.html }', /unknown key "fallbak".*Did you mean "fallback"/],
  ])('%s does not fit', (text, message) => {
    const messages = messagesWith(`${text}\npages: [/]\n`);
    expect(messages).toEqual([expect.stringMatching(message)]);
  });
});
