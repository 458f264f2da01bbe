import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as surface from '../../src/index.js';
import { renderResultsSchema } from '../../src/model/run-record.js';
import { renderPagesSchema } from '../../src/page-list/schema/json-schema.js';

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

test('results.json has these names and no more', () => {
  const image = 'link width height';
  const environment = 'os arch browser browserVersion headless scale fonts engine';
  expect(namesIn(JSON.parse(read('results.schema.json')))).toEqual({
    '': 'schemaVersion tool startedAt durationMs run summary shots obsolete',
    tool: 'name version',
    run: 'list listHash commit shards selected complete problems',
    'run.shards': 'current total',
    'run.problems': 'code where found advice',
    summary: 'expected captured compared passed changed new unstable error skipped flaky written obsolete',
    shots:
      'id page viewport state project url status flaky written reason attempts durationMs compared summary limits regions regionPlaces ' +
      'events shifts columnShifts before after diff capture baseline environment group decision warnings',
    'shots.attempts': 'status reason before after diff',
    'shots.attempts.before': `${image} source`,
    'shots.attempts.after': `${image} source`,
    'shots.attempts.diff': image,
    'shots.summary':
      'mismatchPixels mismatchPercentage totalPixels sameDimensions antialiasedPixels mismatchPixelsAfterAlignment',
    'shots.limits': 'threshold maxDiffPixels maxDiffPixelRatio',
    'shots.regions': 'x y width height pixels side',
    'shots.regionPlaces': 'before after diff',
    'shots.regionPlaces.before': 'x y width height',
    'shots.regionPlaces.after': 'x y width height',
    'shots.regionPlaces.diff': 'x y width height',
    'shots.events': 'kind axis by before after regions',
    'shots.events.before': 'x y width height',
    'shots.events.after': 'x y width height',
    'shots.shifts': 'y height by',
    'shots.columnShifts': 'x y width height by',
    'shots.before': `${image} source`,
    'shots.after': `${image} source`,
    'shots.diff': image,
    'shots.capture': 'status fetchTime message url width height link',
    'shots.baseline': 'path sha256 environment',
    'shots.baseline.environment': environment,
    'shots.environment': environment,
    'shots.warnings': 'code message',
  });
});

const node = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
});

/** Gives the names of every object in a JSON schema, by the place of the object. */
function namesIn(schema: unknown, place = ''): Record<string, string> {
  const { properties, items, anyOf } = node.parse(schema);
  const names = Object.keys(properties).join(' ');
  const inner = [
    ...Object.entries(properties).map(([name, part]) => namesIn(part, place === '' ? name : `${place}.${name}`)),
    ...[...anyOf, ...(items === undefined ? [] : [items])].map((part) => namesIn(part, place)),
  ];
  return Object.assign({}, ...(names === '' ? [] : [{ [place]: names }]), ...inner);
}

test('the published types need no package but Playwright, so that the zod of a user does not matter', () => {
  const files = readdirSync(path('dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.c?ts$/.test(name),
  );
  expect(files).toEqual(expect.arrayContaining(['index.d.ts', 'index.d.cts', 'reporter.d.ts', 'client.d.cts']));
  const withoutComments = (name: string) => read(`dist/${name}`).replace(/\/\*\*.*?\*\//gs, '');
  const imports = files.flatMap((name) => [...withoutComments(name).matchAll(/(?:from |import\()["']([^"']+)["']/g)]);
  const packages = imports.map(([, from = '']) => from).filter((from) => !from.startsWith('.'));
  expect([...new Set(packages)].sort()).toEqual(['@playwright/test', '@playwright/test/reporter']);
});

test('what moves a metric has an exact version', () => {
  expect(manifest.dependencies['odiff-bin']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.dependencies.pixelmatch).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the lock file names no download address', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

function read(name: string): string {
  return readFileSync(path(name), 'utf8');
}

function path(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
