import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as surface from '../../src/index.js';
import { renderPagesSchema } from '../../src/plan/json-schema.js';
import { renderResultsSchema } from '../../src/report/json-schema.js';

const manifest = JSON.parse(read('package.json'));

test('the public surface is these names and no more', () => {
  expect(Object.keys(surface).sort()).toEqual(['definePages', 'expect', 'test']);
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './reporter',
    './client',
    './pages.schema.json',
    './results.schema.json',
    './package.json',
  ]);
});

test('pages.schema.json is what the zod schema of the page list gives', () => {
  expect(read('pages.schema.json'), 'stale: run npm run build').toBe(renderPagesSchema());
});

test('results.schema.json is what the zod schema of the run record gives', () => {
  expect(read('results.schema.json'), 'stale: run npm run build').toBe(renderResultsSchema());
});

test('what moves a metric has an exact version', () => {
  expect(manifest.dependencies['odiff-bin']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.dependencies.pixelmatch).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the lock file names no download address', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
}
