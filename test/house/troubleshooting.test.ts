import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BASELINE_WARNINGS } from '../../src/model/capture.js';
import { PDF_PAGES, STATUSES } from '../../src/model/run-record.js';
import { RESOURCE_KINDS } from '../../src/model/structure.js';
import { COMPARISON_WARNINGS } from '../../src/report/environment.js';
import { OBSERVATION_WARNINGS } from '../../src/shot/gather-evidence.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(`${src}/${name}`, 'utf8'));

/** The rows of the tables whose first column is a code, not a status of a shot: code, cause and fix. */
const rows = page.split('\n').flatMap((line) => {
  const [, code] = /^\| `([a-z-]+)` \|/.exec(line) ?? [];
  if (code === undefined || isStatus(code)) return [];
  return [
    {
      code,
      cells: line
        .split(' | ')
        .slice(1)
        .map((cell) => cell.replace(/ \|$/, '')),
    },
  ];
});

test('every error code has a cause and a fix', () => {
  expect(errorCodes().length).toBeGreaterThan(60);
  expect(errorCodes().filter((code) => !isExplained(code))).toEqual([]);
});

test('every warning code has a cause and a fix', () => {
  expect(warningCodes().length).toBeGreaterThan(20);
  expect(warningCodes().filter((code) => !isExplained(code))).toEqual([]);
});

test('the page has no code that the source does not have', () => {
  const known = [...errorCodes(), ...warningCodes()];
  expect(rows.map(({ code }) => code).filter((code) => !known.includes(code))).toEqual([]);
});

test('every row ends its sentences', () => {
  const texts = rows.flatMap(({ cells }) => cells).filter((cell) => !/^\d+$/.test(cell));
  expect(texts.length).toBeGreaterThan(150);
  expect(texts.filter((cell) => !/^[A-Z`].*[.]$/.test(cell))).toEqual([]);
});

function isStatus(code: string): boolean {
  return STATUSES.some((status) => status === code);
}

function isExplained(code: string): boolean {
  return rows.some((row) => row.code === code && row.cells.length >= 2 && row.cells.every((cell) => cell !== ''));
}

/** The codes of `ErrorCode`, and those of errors that have no class. */
function errorCodes(): string[] {
  const [, union = ''] = /export type ErrorCode =\n([^;]+);/.exec(readFileSync(`${src}/model/errors.ts`, 'utf8')) ?? [];
  return [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
}

/** All other codes: those that are written out, those of the stabilizers, and those with a kind or a field in their name. */
function warningCodes(): string[] {
  const written = sources.flatMap((text) => [...text.matchAll(/\bcode: '([a-z-]+)'/g)].map(([, code = '']) => code));
  const templates = sources.flatMap((text) => [...text.matchAll(/\bcode: `([^`]+)`/g)].map(([, code = '']) => code));
  const patterns = templates.map((code) => code.replace(/\$\{\w+\}/, '*'));
  const families = {
    'broken-*': [...resourceKinds()].map((kind) => `broken-${kind}`),
    '*-no-match': ['expand', 'hide', 'remove', 'mask', 'ignore'].map((field) => `${field}-no-match`),
  };
  // A new kind of code is unknown to this test: add its family above.
  expect([...new Set(patterns)].sort()).toEqual(Object.keys(families).sort());
  const all = [
    ...written,
    ...Object.values(families).flat(),
    ...stabilizersWithWarning(),
    ...Object.values(COMPARISON_WARNINGS),
    ...Object.values(OBSERVATION_WARNINGS),
    ...Object.values(BASELINE_WARNINGS),
    PDF_PAGES,
  ];
  return [...new Set(all)].filter((code) => !errorCodes().includes(code)).sort();
}

/** The kinds of resources that are reported when they do not load. */
function resourceKinds(): string[] {
  return [...RESOURCE_KINDS];
}

/** The stabilizers that can warn: each has an explanation, after its name. */
function stabilizersWithWarning(): string[] {
  return sources.flatMap((text) =>
    [...text.matchAll(/\bname: '([a-z]+)',(?:(?!\bname:)[\s\S])*?\bexplanation:/g)].map(([, name = '']) => name),
  );
}
