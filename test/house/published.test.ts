import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as surface from '../../src/index.js';
import { renderPagesSchema } from '../../src/list/schema/json-schema.js';
import { renderResultsSchema } from '../../src/model/run-record.js';

const manifest = JSON.parse(read('package.json'));

const packSchema = z
  .array(
    z.object({
      size: z.number(),
      unpackedSize: z.number(),
      files: z.array(z.object({ path: z.string(), size: z.number() })),
    }),
  )
  .transform(([first]) => {
    if (first === undefined) throw new Error('npm packed nothing');
    return first;
  });

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

test('pages.schema.json matches the zod schema of the page list', () => {
  expect(read('pages.schema.json'), 'stale: run npm run build').toBe(renderPagesSchema());
});

test('results.schema.json matches the zod schema of the run record', () => {
  expect(read('results.schema.json'), 'stale: run npm run build').toBe(renderResultsSchema());
});

test('results.json has these names and no more', () => {
  const image = 'link width height';
  const environment = 'os arch browser browserVersion headless scale driver fonts engine';
  expect(namesIn(JSON.parse(read('results.schema.json')))).toEqual({
    '': 'schemaVersion tool startedAt durationMs run summary shots obsolete',
    tool: 'name version',
    run: 'list listHash commit shards selected complete tests outputDirs problems',
    'run.tests': 'hash unfinished',
    'run.shards': 'current total',
    'run.problems': 'code where found advice',
    summary:
      'expected captured reused compared passed changed new unstable error skipped flaky unsteady written obsolete',
    shots:
      'id page viewport state project url status flaky unsteady written reused notReusable reason attempts durationMs timings compared summary limits regions regionPlaces ' +
      'events shifts columnShifts causes before after diff capture baseline environment hidden group decision warnings',
    'shots.timings': 'queue navigate settle screenshot compare write',
    'shots.attempts': 'status reason before after diff',
    'shots.attempts.before': `${image} source`,
    'shots.attempts.after': `${image} source sha256`,
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
    'shots.hidden': 'element text',
    'shots.causes': 'kind element property before after source certain elements boxes regions pixels',
    'shots.causes.boxes': 'before after',
    'shots.causes.boxes.after': 'x y width height',
    'shots.causes.boxes.before': 'x y width height',
    'shots.causes.source': 'selector file line',
    'shots.columnShifts': 'x y width height by',
    'shots.before': `${image} source`,
    'shots.after': `${image} source sha256`,
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

describe('the package that npm publishes', () => {
  const packed = packSchema.parse(JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts', '--silent')));

  test('has the files of pack.txt and no others', async () => {
    // Chunks have names that the bundler derives from the modules they start with.
    const names = packed.files.map((file) => file.path.replace(/^dist\/chunks\/[\w-]+\.(c?js)$/, 'dist/chunks/*.$1'));
    await expect(`${[...new Set(names)].sort().join('\n')}\n`).toMatchFileSnapshot('pack.txt');
  });

  test('takes less than 1.2 MB to download and less than 5 MB on disk', () => {
    expect(packed.size).toBeLessThan(1_200_000);
    expect(packed.unpackedSize).toBeLessThan(5_000_000);
  });

  test('has every file that its manifest names', () => {
    const { main, types, bin, exports: entries, typesVersions } = manifest;
    const named = leavesOf([main, types, bin, entries, typesVersions]).map((file) => file.replace(/^\.\//, ''));
    expect(named.length).toBeGreaterThan(15);
    const files = packed.files.map((file) => file.path);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });

  test('has types first in each condition of its exports, as TypeScript reads them in order', () => {
    const conditions = z.record(z.string(), z.record(z.string(), z.string()));
    const entries = Object.values(manifest.exports).filter((entry) => typeof entry === 'object');
    const first = entries.flatMap((entry) =>
      Object.values(conditions.parse(entry)).map((kind) => Object.keys(kind)[0]),
    );
    expect(first).toEqual(['types', 'types', 'types', 'types', 'types', 'types']);
  });

  test('is built by `npm pack`, and links to its repository', () => {
    expect(manifest.scripts).toMatchObject({
      prepack: 'node scripts/build.mjs',
      prepare: 'node scripts/build.mjs',
    });
    const repository = 'https://github.com/proofsheet/proofsheet';
    expect(manifest.repository).toEqual({ type: 'git', url: `git+${repository}.git` });
    expect(manifest.bugs).toBe(`${repository}/issues`);
    expect(manifest.homepage).toBe(`${repository}#readme`);
  });
});

describe('LICENSES.txt', () => {
  const licences = read('dist/LICENSES.txt');
  const titles = [...licences.matchAll(/^((?:@[\w-]+\/)?[\w-]+)\n\n/gm)].map(([, name = '']) => name);
  const listed = titles.filter((name) => existsSync(path(`node_modules/${name}`)));

  test('has the bundled packages and no others', () => {
    const code = packedCode().map((file) => read(file));
    // The bundler names each source file. The viewer is minified: Preact is what it imports.
    const named = code.flatMap((text) => [...text.matchAll(/^\/\/.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//gm)]);
    const bundled = new Set([...named.map(([, name = '']) => name), 'preact']);
    expect(bundled.size).toBeGreaterThan(10);
    expect(listed).toEqual([...bundled].sort());
  });

  test('has a text for each, with its author or its name', () => {
    const parts = listed.map((name) => licences.split(`${name}\n\n`)[1] ?? '');
    expect(parts.map((text) => text.length).filter((length) => length < 500)).toEqual([]);
    expect(listed.filter((_, at) => !/licen[cs]e|permission|copyright/i.test(parts[at] ?? ''))).toEqual([]);
  });

  test('has no package that a user installs as well', () => {
    expect(listed.filter((name) => Object.hasOwn(manifest.dependencies, name))).toEqual([]);
    const direct = [
      'zod',
      'yaml',
      'leven',
      'preact',
      '@jridgewell/trace-mapping',
      'p-queue',
      'lru-cache',
      'prom-client',
    ];
    expect(direct.filter((name) => !Object.hasOwn(manifest.devDependencies, name))).toEqual([]);
  });
});

test('the comparison engines have an exact version', () => {
  expect(manifest.dependencies['odiff-bin']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.dependencies.pixelmatch).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the lock file names no download address', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

/** Runs npm in the project's folder and returns its output. */
function npm(...args: string[]): string {
  // npm is a script on Windows.
  const options = { cwd: path('.'), encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns the paths of the JavaScript files that the bundler wrote. */
function packedCode(): string[] {
  const files = readdirSync(path('dist'), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => /\.c?js$/.test(name) && !name.endsWith('viewer.js')).map((name) => `dist/${name}`);
}

/** Returns all strings in a nested value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function read(name: string): string {
  return readFileSync(path(name), 'utf8');
}

function path(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
