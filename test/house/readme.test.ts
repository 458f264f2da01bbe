import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  actionSchema,
  DEFAULTS,
  matcherOptionsSchema,
  renderBounds,
  SETTLE_DEFAULTS,
} from '../../src/model/page-fields.js';
import { pageListSchema, pageSchema } from '../../src/model/page-list.js';
import { STATUSES } from '../../src/model/run-record.js';

const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

describe('the README', () => {
  test('names the two commands of a fresh clone', () => {
    expect(sectionOf(readme, '## Work on proofsheet')).toContain('```sh\nnpm run demo\nnpm test\n```');
  });

  test('names the Node.js version of package.json', () => {
    expect(readme).toContain(`Node ${manifest.engines.node.replace('>=', '')}+`);
  });

  test('names the lowest version of Playwright', () => {
    const [lowest] = /\d+\.\d+/.exec(manifest.peerDependencies['@playwright/test']) ?? [];
    expect(readme).toContain(`\`@playwright/test\` is a peer: ${lowest} is the lowest version`);
  });
});

describe('docs/page-list.md', () => {
  const page = read('docs/page-list.md');
  const rows = tableOf(page, '## Fields of a page');
  const defaultOf = (field: string) => rows.find(([names]) => codesOf(names).includes(field))?.[2] ?? '';

  test('has every field that a page can have, and no other', () => {
    const named = rows.flatMap(([names]) => codesOf(names));
    expect(named.sort()).toEqual(Object.keys(pageSchema.shape).sort());
  });

  test('has every key of a list, and no other', () => {
    const named = tableOf(page, '## Top level').flatMap(([names]) => codesOf(names));
    expect(named.sort()).toEqual(Object.keys(pageListSchema.shape).sort());
  });

  test('has every action, and no other', () => {
    const named = tableOf(page, '## Actions and states').flatMap(([names]) => codesOf(names));
    expect(named.sort()).toEqual(Object.keys(actionSchema.shape).sort());
  });

  test('has the bounds of a viewport', () => {
    const bounds = rows.find(([names]) => codesOf(names).includes('width'))?.[1];
    expect(bounds).toBe(`${renderBounds('width')}, ${renderBounds('height')} or null`);
  });

  test('has the defaults of the code', () => {
    const { quality, width, height } = DEFAULTS;
    const values = Object.entries(DEFAULTS).filter(
      ([name, value]) => typeof value !== 'object' && !['late', 'width', 'height'].includes(name),
    );
    expect(values.length).toBeGreaterThan(15);
    for (const [name, value] of values)
      expect(`${name}: ${defaultOf(name).replaceAll('`', '')}`).toBe(`${name}: ${value}`);
    expect(defaultOf('width')).toMatch(new RegExp(` ${width}, ${height}$`));
    expect(defaultOf('quality')).toBe(`jpeg ${quality.jpeg}, webp ${quality.webp} (lossless)`);
  });

  test('has the options of toMatchBaseline, and no other', () => {
    const [, list = ''] = /\bOptions: (.*?)\. /s.exec(sectionOf(page, '## Your own tests')) ?? [];
    expect(codesOf(list).sort()).toEqual(Object.keys(matcherOptionsSchema.shape).sort());
  });
});

test('docs/stability.md has every stabilizer, and no other', () => {
  const rows = tableOf(read('docs/stability.md'), '## Stabilizers');
  expect(rows.flatMap(([names]) => codesOf(names)).sort()).toEqual(Object.keys(SETTLE_DEFAULTS).sort());
});

test('docs/baselines.md has every status, from the schema', () => {
  const rows = tableOf(read('docs/baselines.md'), '## Statuses');
  expect(rows.flatMap(([names]) => codesOf(names)).sort()).toEqual([...STATUSES].sort());
});

test('docs/review.md has the keys of the report', () => {
  const rows = tableOf(read('docs/review.md'), '## What it shows');
  const source = read('src/report/viewer/keyboard-shortcuts.tsx');
  const lists = [...source.matchAll(/\bkeys: \[([^\]]+)\]/g)].map(([, keys = '']) => keys);
  const keys = lists.flatMap((list) => [...list.matchAll(/'(.)'/g)].map(([, key]) => key));
  const named = rows.flatMap(([names]) => codesOf(names));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((key) => !keys.includes(key))).toEqual([]);
});

test('docs/sharding.md calculates with the figures of the benchmarks', () => {
  const page = sectionOf(read('docs/sharding.md'), '## Example: 5,000 pages');
  const [, count, seconds] =
    /^(\d+) full pages.*^proofsheet +[\d.]+ - ([\d.]+) - /ms.exec(read('test/bench/results.txt')) ?? [];
  const [, changedCount] = /^(\d+) full pages/.exec(read('test/bench/changed.txt')) ?? [];
  const [, unchanged] = /^unchanged +proofsheet +[\d.]+ - ([\d.]+) - /m.exec(read('test/bench/changed.txt')) ?? [];
  const [, changed] = /^changed +proofsheet +[\d.]+ - ([\d.]+) - /m.exec(read('test/bench/changed.txt')) ?? [];
  const perPage = Number(seconds) / Number(count);
  const perChange = (Number(changed) - Number(unchanged)) / Number(changedCount);
  expect(page).toContain(`| ${count} unchanged pages | ${seconds} s, which is ${perPage.toFixed(2)} s per page |`);
  expect(page).toContain(`${unchanged} s and ${changed} s, which is ${perChange.toFixed(1)} s more per changed page`);
  for (const machines of [1, 4, 10, 20]) {
    const pages = 5000 / machines;
    const minutes = [0, 0.01].map((share) => ((pages * (perPage + share * perChange)) / 60).toFixed(1));
    expect(page).toContain(`| ${machines} | ${pages.toLocaleString('en')} | ${minutes[0]} min | ${minutes[1]} min |`);
  }
});

test('docs/internals.md has every dependency, in its version, and no other', () => {
  const rows = tableOf(read('docs/internals.md'), '## Dependencies');
  const { dependencies } = manifest;
  expect(rows.flatMap(([names]) => codesOf(names)).sort()).toEqual(Object.keys(dependencies).sort());
  for (const [names = ''] of rows) {
    const [, version] = /` (\d\S*)$/.exec(names) ?? [];
    if (version) expect(names).toBe(`\`${codesOf(names)[0]}\` ${dependencies[codesOf(names)[0] ?? '']}`);
  }
});

/** Returns the text from a heading to the next. */
function sectionOf(page: string, heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`no such heading: ${heading}`);
  return page.slice(start + heading.length + 2).split(/^#+ /m)[0] ?? '';
}

/** Returns the cells of the rows of a section's tables, without their heads. */
function tableOf(page: string, heading: string): string[][] {
  const rows = sectionOf(page, heading)
    .split('\n')
    .filter((line) => /^\| `/.test(line));
  if (rows.length === 0) throw new Error(`no table: ${heading}`);
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

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

function read(name: string): string {
  return readFileSync(pathOf(name), 'utf8');
}
