import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** Files that write to a standard stream, each with its reason. */
const WRITERS: Record<string, string> = {
  'model/text.ts': 'prints all text, and sanitizes it',
  'playwright/reporter/reporter.ts': 'annotations are commands to the CI runner; their texts are sanitized',
  'service/mcp/stdio.ts': 'messages of the protocol, read by a program',
};

test('text is printed in one place, which sanitizes it', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const writers = files.filter((file) => /\bconsole\.|\bstd(out|err)\.write\b/.test(readFileSync(src + file, 'utf8')));
  expect(writers.sort()).toEqual(Object.keys(WRITERS));
});
