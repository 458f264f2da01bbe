import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunNotes } from '../../../src/baselines/run-notes.js';

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'proofsheet-notes-'));
  folder = join(home, 'locks');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('each worker reads what the others noted, earlier and later', () => {
  const [one, two] = [openRunNotes(folder), openRunNotes(folder)];
  expect(two.read('a')).toBeUndefined();
  one.write('a', { text: 'ünï\n\u{1f600}' });
  expect(two.read('a')).toEqual({ text: 'ünï\n\u{1f600}' });
  two.write('b', 2);
  one.write('c', null);
  expect([one.read('b'), two.read('c'), openRunNotes(folder).read('b')]).toEqual([2, null, 2]);
});

test('a worker has one file, however much it notes', () => {
  const notes = openRunNotes(folder);
  for (let number = 0; number < 50; number++) notes.write(`key ${number}`, number);
  expect(readdirSync(join(folder, 'notes'))).toHaveLength(1);
});

test('a line that is not complete or damaged is no note', () => {
  mkdirSync(join(folder, 'notes'), { recursive: true });
  const file = join(folder, 'notes', 'other');
  const line = (key: string) => JSON.stringify([key, 'value']);
  writeFileSync(file, `{\n${line('whole')}\n${line('torn').slice(0, -3)}`);
  const notes = openRunNotes(folder);
  expect(['whole', 'torn'].map((key) => notes.read(key))).toEqual(['value', undefined]);
  appendFileSync(file, `${line('torn').slice(-3)}\n`);
  expect(notes.read('torn')).toBe('value');
});

test('notes that cannot be written are left out', () => {
  writeFileSync(folder, 'a file');
  const notes = openRunNotes(folder);
  notes.write('a', 1);
  expect(openRunNotes(folder).read('a')).toBeUndefined();
});
