import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as surface from '../../src/index.js';
import { renderPagesSchema } from '../../src/list/schema/json-schema.js';
import { renderResultsSchema } from '../../src/model/run-record.js';

// `npm run check` has what publint and attw find.

const manifest = JSON.parse(read('package.json'));

test('the public surface is these names and no more', () => {
  expect(Object.keys(surface).sort()).toEqual(['definePages', 'expect', 'test']);
  const entries = ['.', './reporter', './client', './pages.schema.json', './results.schema.json', './package.json'];
  expect(Object.keys(manifest.exports)).toEqual(entries);
});

test('the JSON schemas match the zod schemas', () => {
  expect(read('pages.schema.json'), 'stale: run npm run build').toBe(renderPagesSchema());
  expect(read('results.schema.json'), 'stale: run npm run build').toBe(renderResultsSchema());
});

test('the published types need no package but Playwright, so that the zod of a user does not matter', () => {
  const declarations = filesOf('dist').filter((name) => /\.d\.c?ts$/.test(name));
  expect(declarations.length).toBeGreaterThan(10);
  const code = declarations.map((name) => read(name).replace(/\/\*\*.*?\*\//gs, ''));
  const imports = code.flatMap((text) => [...text.matchAll(/(?:from |import\()["']([^"'.][^"']*)["']/g)]);
  const packages = new Set(imports.map(([, from]) => from));
  expect([...packages].sort()).toEqual(['@playwright/test', '@playwright/test/reporter']);
});

describe('the package that npm publishes', () => {
  const [packed] = z
    .array(z.object({ size: z.number(), unpackedSize: z.number(), files: z.array(z.object({ path: z.string() })) }))
    .parse(JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts', '--silent')));

  test('has the files of pack.txt and no others', async () => {
    // Chunks have names that the bundler derives from the modules they start with. Types lie where their modules do.
    const names = packed?.files.map(({ path }) =>
      path
        .replace(/^dist\/chunks\/[\w-]+\.(c?js)$/, 'dist/chunks/*.$1')
        .replace(/^dist\/[\w/-]+\/[\w-]+\.d\.(c?ts)$/, 'dist/**/*.d.$1'),
    );
    await expect(`${[...new Set(names)].sort().join('\n')}\n`).toMatchFileSnapshot('pack.txt');
  });

  test('takes less than 1.2 MB to download and less than 5 MB on disk', () => {
    expect(packed?.size).toBeLessThan(1_200_000);
    expect(packed?.unpackedSize).toBeLessThan(5_000_000);
  });
});

test('LICENSES.txt has a text for each bundled package, and none for one that a user installs as well', () => {
  const parts = read('dist/LICENSES.txt').split(/^(?=(?:@[\w-]+\/)?[\w-]+\n\n)/m);
  const licences = parts.map((part) => part.split('\n\n')).map(([name = '', ...text]) => ({ name, text: text.join() }));
  const listed = licences.filter(({ name }) => existsSync(pathOf(`node_modules/${name}`)));
  // The bundler names each source file. The viewer is minified: Preact is what it imports.
  const code = filesOf('dist').filter((name) => /\.c?js$/.test(name) && !name.endsWith('viewer.js'));
  const named = code.flatMap((name) => [...read(name).matchAll(/^\/\/.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//gm)]);
  const bundled = [...new Set([...named.map(([, name = '']) => name), 'preact'])];
  expect(bundled.length).toBeGreaterThan(10);
  expect(listed.map(({ name }) => name)).toEqual(bundled.sort());
  expect(listed.filter(({ text }) => !/licen[cs]e|permission|copyright/i.test(text))).toEqual([]);
  expect(bundled.filter((name) => Object.hasOwn(manifest.dependencies, name))).toEqual([]);
});

test('what decides how pixels are counted has an exact version', () => {
  for (const name of ['odiff-bin', 'pixelmatch', '@embedpdf/pdfium'])
    expect(manifest.dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

function npm(...args: string[]): string {
  // npm is a script on Windows.
  const options = { cwd: pathOf('.'), encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
}

function filesOf(folder: string): string[] {
  const names = readdirSync(pathOf(folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

function read(name: string): string {
  return readFileSync(pathOf(name), 'utf8');
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
