import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BASELINE_WARNINGS, RESOURCE_KINDS } from '../../src/model/capture.js';
import { CAUSE_KINDS } from '../../src/model/comparison.js';
import { actionSchema, DEFAULTS, matcherOptionsSchema, SETTLE_DEFAULTS } from '../../src/model/page-fields.js';
import { pageListSchema, pageSchema } from '../../src/model/page-list.js';
import { PDF_PAGES, STATUSES } from '../../src/model/run-record.js';
import { COMPARISON_WARNINGS } from '../../src/report/environment.js';
import { OBSERVATION_WARNINGS } from '../../src/shot/observe.js';

// The tables of the documentation have what the source has, and nothing else.

const LIST = 'docs/page-list.md';
const { dependencies } = JSON.parse(read('package.json'));

test.each([
  ['key of a list', LIST, '## Top level', Object.keys(pageListSchema.shape)],
  ['field of a page', LIST, '## Fields of a page', Object.keys(pageSchema.shape)],
  ['action', LIST, '## Actions and states', Object.keys(actionSchema.shape)],
  ['stabilizer', 'docs/stability.md', '## Stabilizers', Object.keys(SETTLE_DEFAULTS)],
  ['status', 'docs/baselines.md', '## Statuses', STATUSES],
  ['cause', 'docs/causes.md', '## What is named', CAUSE_KINDS],
  ['dependency', 'docs/internals.md', '## Dependencies', Object.keys(dependencies)],
])('every %s is in %s', (_, page, heading, names) => {
  const named = tableOf(page, heading).flatMap(([first]) => codesOf(first));
  expect(named.sort()).toEqual([...names].sort());
});

test('every field of a page is in docs/page-fields.md, with the default of the code', () => {
  const rows = rowsOf(read('docs/page-fields.md'));
  expect(rows.flatMap(([first]) => codesOf(first)).sort()).toEqual(Object.keys(pageSchema.shape).sort());
  const defaultOf = (field: string) => rows.find(([names]) => codesOf(names).includes(field))?.[2] ?? '';
  const values = Object.entries(DEFAULTS).filter(
    ([name, value]) => typeof value !== 'object' && !['late', 'width', 'height'].includes(name),
  );
  expect(values.length).toBeGreaterThan(15);
  for (const [name, value] of values)
    expect(`${name}: ${defaultOf(name).replaceAll('`', '')}`).toBe(`${name}: ${value}`);
});

test('the options of toMatchBaseline are those of the code', () => {
  const [, list = ''] = /\bOptions: (.*?)\. /s.exec(sectionOf(LIST, '## Your own tests')) ?? [];
  expect(codesOf(list).sort()).toEqual(Object.keys(matcherOptionsSchema.shape).sort());
});

describe('docs/troubleshooting.md', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(`${src}/${name}`, 'utf8'));
  const inSources = (pattern: RegExp) =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));

  /** The codes of the tables whose rows are complete. A status of a shot is no code. */
  const explained = read('docs/troubleshooting.md')
    .split('\n')
    .flatMap((line) => /^\| `([a-z-]+)` \|(?: [^|]*[^| ] \|){2,}$/.exec(line)?.[1] ?? [])
    .filter((code) => !STATUSES.some((status) => status === code));

  test('explains every code of an error and of a warning, and no other', () => {
    const codes = [...errorCodes(), ...warningCodes()];
    expect(errorCodes().length).toBeGreaterThan(60);
    expect(warningCodes().length).toBeGreaterThan(20);
    expect([...new Set(explained)].sort()).toEqual([...new Set(codes)].sort());
  });

  function errorCodes(): string[] {
    const [union = ''] = inSources(/export type ErrorCode =\n([^;]+);/g);
    return [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
  }

  /** Codes that are written out, those of the stabilizers that explain themselves, and those with a kind or a field in their name. */
  function warningCodes(): string[] {
    const families = {
      'broken-*': RESOURCE_KINDS.map((kind) => `broken-${kind}`),
      '*-no-match': ['expand', 'hide', 'remove', 'mask', 'ignore', 'texts'].map((field) => `${field}-no-match`),
    };
    // A new kind of code is unknown to this test: add its family above.
    const patterns = inSources(/\bcode: `([^`]+)`/g).map((code) => code.replace(/\$\{\w+\}/, '*'));
    expect([...new Set(patterns)].sort()).toEqual(Object.keys(families).sort());
    return [
      ...inSources(/\bcode: '([a-z-]+)'/g),
      ...inSources(/\bname: '([a-z]+)',(?:(?!\bname:)[\s\S])*?\bexplanation:/g),
      ...Object.values(families).flat(),
      ...[COMPARISON_WARNINGS, OBSERVATION_WARNINGS, BASELINE_WARNINGS].flatMap((codes) => Object.values(codes)),
      PDF_PAGES,
    ].filter((code) => !errorCodes().includes(code));
  }
});

function sectionOf(page: string, heading: string): string {
  const [, rest = ''] = read(page).split(`\n${heading}\n`);
  return rest.split(/^#+ /m)[0] ?? '';
}

function tableOf(page: string, heading: string): string[][] {
  return rowsOf(sectionOf(page, heading));
}

function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => /^\| `/.test(line));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codesOf(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
}

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
}
