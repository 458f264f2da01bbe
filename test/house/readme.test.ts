import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../src/model/list/defaults.js';
import { renderBounds } from '../../src/model/list/fields.js';
import { matcherOptionsSchema, pageSchema } from '../../src/model/list/page-list.js';

const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

describe('what the README tells to type', () => {
  test('is a script of package.json', () => {
    const named = [...readme.matchAll(/\bnpm (?:run ([\w:-]+)|(test)\b)/g)].map(([, script, test]) => script ?? test);
    expect(named).toEqual(expect.arrayContaining(['demo', 'test']));
    expect(named.filter((script) => !Object.hasOwn(manifest.scripts, script ?? ''))).toEqual([]);
  });

  test('needs the Node.js that package.json asks for', () => {
    expect(readme).toContain(`Node ${manifest.engines.node.replace('>=', '')}+`);
  });
});

describe('a link of the README', () => {
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  const local = links.filter((link) => !/^https?:/.test(link));

  test('to a file leads to one that is there', () => {
    const files = local.filter((link) => !link.startsWith('#')).map((link) => link.replace(/#.*/, ''));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
  });

  test('to a section leads to a heading', () => {
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title]) => `#${(title ?? '').toLowerCase()}`);
    const anchors = headings.map((title) => title.replace(/[^\p{L}\p{N}# -]/gu, '').replaceAll(' ', '-'));
    const sections = local.filter((link) => link.startsWith('#'));
    expect(sections.length).toBeGreaterThan(0);
    expect(sections.filter((link) => !anchors.includes(link))).toEqual([]);
  });
});

test('nothing in the README is left to be filled in', () => {
  expect(readme.match(/[A-Z]+_LINE\b|\bTODO\b|\bTBD\b|\bXXX\b/g)).toBe(null);
});

describe('the table of the fields of a page', () => {
  const rows = tableOf('### Fields of a page');
  const defaultOf = (field: string) => rows.find(([names]) => codesOf(names).includes(field))?.[2] ?? '';

  test('has every field that a page can have, and no other', () => {
    const told = rows.flatMap(([names]) => codesOf(names));
    expect(told.sort()).toEqual(Object.keys(pageSchema.shape).sort());
  });

  test('has the bounds of a viewport', () => {
    const bounds = rows.find(([names]) => codesOf(names).includes('width'))?.[1];
    expect(bounds).toBe(`${renderBounds('width')}, ${renderBounds('height')} or null`);
  });

  test('has the defaults that hold', () => {
    const { quality, width, height } = DEFAULTS;
    const simple = [
      'threshold',
      'timeout',
      'delay',
      'maxDiffPixels',
      'format',
      'scale',
      'engine',
      'fullSize',
      'strict',
    ];
    for (const field of simple) {
      const [, value] = Object.entries(DEFAULTS).find(([name]) => name === field) ?? [];
      expect(`${field}: ${defaultOf(field).replaceAll('`', '')}`).toBe(`${field}: ${value}`);
    }
    expect(defaultOf('width')).toMatch(new RegExp(` ${width}, ${height}$`));
    expect(defaultOf('quality')).toBe(`jpeg ${quality.jpeg}, webp ${quality.webp} (lossless)`);
  });
});

test('the options of toMatchBaseline in the README are those it takes', () => {
  const [, list = ''] = /\bOptions: (.*?)\. /s.exec(sectionOf('## In a test of your own')) ?? [];
  expect(codesOf(list).sort()).toEqual(Object.keys(matcherOptionsSchema.shape).sort());
});

test('the table of what it depends on has every dependency, in the version told, and no other', () => {
  const rows = tableOf('## What it depends on');
  expect(rows.flatMap(([names]) => codesOf(names)).sort()).toEqual(Object.keys(manifest.dependencies).sort());
  for (const [names = ''] of rows) {
    const [, version] = /` (\d\S*)$/.exec(names) ?? [];
    if (version) expect(names).toBe(`\`${codesOf(names)[0]}\` ${manifest.dependencies[codesOf(names)[0] ?? '']}`);
  }
  const [lowest] = /\d+\.\d+/.exec(manifest.peerDependencies['@playwright/test']) ?? [];
  expect(readme).toContain(`\`@playwright/test\` is a peer: ${lowest} is the lowest version`);
});

/** The text from a heading to the next. */
function sectionOf(heading: string): string {
  const start = readme.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`no such heading: ${heading}`);
  return readme.slice(start + heading.length + 2).split(/^#+ /m)[0] ?? '';
}

/** The cells of the rows of a section's tables, without what heads them. */
function tableOf(heading: string): string[][] {
  const rows = sectionOf(heading)
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
