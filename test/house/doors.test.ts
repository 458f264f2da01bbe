import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The folders of `src` in their order: each imports the doors of those below it. '' are the public entry points. */
const ORDER: readonly string[] = [
  ...['', 'playwright', 'commands', 'service', 'review', 'run', 'shot', 'reuse', 'explain'],
  ...['list', 'page', 'compare', 'baselines', 'report', 'image', 'model'],
];

/** A program of its own: it runs in the report, and its bundle takes single files. */
const VIEWER = 'report/viewer/';

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)));
const imports = files.flatMap(importsOf);

describe('the folders of src', () => {
  test('are all in the order', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect([...new Set(files.map(folderOf))].filter((folder) => !ORDER.includes(folder))).toEqual([]);
  });

  test('import the doors of other folders, and nothing behind them', () => {
    const broken = imports.filter(({ file, target }) => {
      const isInside = folderOf(file) === folderOf(target) || file.startsWith(VIEWER);
      return !isInside && target !== `${folderOf(target)}/index.ts`;
    });
    expect(broken).toEqual([]);
  });

  test('import only what is below them', () => {
    const broken = imports.filter(({ file, target }) => placeOf(file) > placeOf(target));
    expect(broken).toEqual([]);
  });

  test('have no file that imports itself by way of others, or its own door', () => {
    expect(files.flatMap((file) => wayBack(file) ?? [])).toEqual([]);
  });
});

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function placeOf(path: string): number {
  return ORDER.indexOf(folderOf(path));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/^(?:import|export)\b[^'`;=(]*\bfrom '(\.[^'\n]+)';$|\bimport\('(\.[^'\n]+)'\)/gm);
  return [...found].flatMap(([, named, dynamic]) => {
    const path = relative(src, resolve(src, dirname(file), named ?? dynamic ?? ''));
    const target = ['.ts', '.tsx'].map((end) => path.replace(/\.js$/, end)).find((one) => files.includes(one));
    return target === undefined ? [] : [{ file, target }];
  });
}

/** Returns the shortest way from a file back to itself; null if there is none. */
function wayBack(start: string): string | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const { target } of imports.filter(({ file }) => file === way.at(-1))) {
      if (target === start) return [...way, target].join(' -> ');
      if (!seen.has(target)) ways.push([...way, target]);
      seen.add(target);
    }
  }
  return null;
}
