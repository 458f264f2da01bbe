import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/list/read-list.js';
import { resolveShot } from '../../../src/list/resolve/resolve-shot.js';
import { DEVICES, writeList } from './list-file.js';

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
    ['reuse: false', null],
    ['reuse: true', { verify: 0 }],
    ['reuse: { verify: 0.05 }', { verify: 0.05 }],
  ])('allows to reuse captures: %s', (line, reuse) => {
    const file = writeWithSite(`${line}\nserve: dist\npages: [/]\n`);
    expect(readPlan(file, { env: {}, devices: DEVICES }).reuse).toEqual(reuse);
  });
});
