import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Which rooms a room may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  model: [],
  image: ['model'],
  plan: ['image', 'model'],
  browser: ['image', 'model'],
  capture: ['image', 'model'],
  compare: ['image', 'model'],
  record: ['image', 'model'],
  report: ['image', 'model'],
  analysis: ['image', 'model'],
  core: ['plan', 'browser', 'capture', 'compare', 'record', 'report', 'analysis', 'image', 'model'],
  faces: ['core', 'plan', 'browser', 'capture', 'compare', 'record', 'report', 'image', 'model'],
  // The front doors.
  '': ['faces', 'model'],
};

/** Which rooms may import a package; every other room may not. */
const PACKAGE_HOMES: Record<string, readonly string[]> = {
  '@playwright/test': ['browser', 'capture', 'faces/playwright'],
  '@playwright/test/reporter': ['faces/playwright'],
  'odiff-bin': ['compare/engines'],
  pixelmatch: ['compare/engines'],
  pngjs: ['image'],
  '@jsquash/jpeg': ['image'],
  '@jsquash/webp': ['image'],
  '@embedpdf/pdfium': ['image'],
  yaml: ['plan'],
  leven: ['plan'],
  sucrase: ['plan/import'],
  commander: ['faces/cli'],
  'axe-core': ['capture/analysis'],
  flesch: ['analysis'],
  syllable: ['analysis'],
  stopword: ['analysis'],
  openai: ['analysis'],
  '@modelcontextprotocol/sdk': ['faces/mcp'],
  hono: ['faces/http'],
  '@hono/node-server': ['faces/http'],
  preact: ['report/viewer'],
  '@aws-sdk/client-s3': ['record/storage'],
  zod: ['model', 'plan', 'record', 'report'],
};

interface Import {
  readonly file: string;
  readonly from: string;
}

const imports = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .flatMap((entry) => importsOf(join(entry.parentPath, entry.name)));

describe('the import law', () => {
  test('sees the imports', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  test('a room imports only the rooms below it, and faces not each other', () => {
    const broken = imports.filter(({ from }) => from.startsWith('.')).filter((one) => !isLawful(one));
    expect(broken.map(told)).toEqual([]);
  });

  test('a package is imported only in its home', () => {
    const broken = imports
      .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
      .filter(({ file, from }) => !homesOf(from).some((home) => relative(src, file).startsWith(`${home}/`)));
    expect(broken.map(told)).toEqual([]);
  });

  test('only faces talk to the terminal or end the process', () => {
    const talking = /\bconsole\.|process\.(exit|stdout|stderr)\b/;
    const files = [...new Set(imports.map(({ file }) => file))].filter((file) =>
      talking.test(readFileSync(file, 'utf8')),
    );
    expect(files.map((file) => relative(src, file)).filter((file) => !file.startsWith('faces/'))).toEqual([]);
  });
});

function importsOf(file: string): Import[] {
  // Without comments and texts: an example, or a file that is made for a user, imports the package itself.
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/= `[^`]*`;/g, '');
  const found = text.matchAll(
    /^(?:import|export)\b[^'`;=(]*\bfrom '([^'\n]+)';$|^import '([^'\n]+)';$|\bimport\('([^'\n]+)'\)/gm,
  );
  return [...found].map(([, named, bare, dynamic]) => ({ file, from: named ?? bare ?? dynamic ?? '' }));
}

function isLawful({ file, from }: Import): boolean {
  const importer = roomOf(file);
  const imported = roomOf(resolve(dirname(file), from));
  if (importer === 'faces' && imported === 'faces') return faceOf(file) === faceOf(resolve(dirname(file), from));
  return importer === imported || (MAY_IMPORT[importer] ?? []).includes(imported);
}

function roomOf(path: string): string {
  const parts = relative(src, path).split('/');
  return parts.length === 1 ? '' : (parts[0] ?? '');
}

function faceOf(path: string): string {
  return relative(src, path).split('/')[1] ?? '';
}

function homesOf(specifier: string): readonly string[] {
  const name = Object.keys(PACKAGE_HOMES)
    .filter((known) => specifier === known || specifier.startsWith(`${known}/`))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? [] : (PACKAGE_HOMES[name] ?? []);
}

function told({ file, from }: Import): string {
  return `${relative(src, file)} imports ${from}`;
}
