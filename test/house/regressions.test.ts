import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/*
 * Bugs of other tools, from their public issues, each with a test by which it does not happen here. A test names its bug by the
 * tag `pain-N` (`@pain-N` in Playwright Test). 1 to 15 are about comparisons, 16 to 32 about captures, 33 to 40 about runs, retries
 * and exit codes, 41 to 48 about baselines, 49 to 51 about build servers.
 */
const BUGS = Array.from({ length: 51 }, (_, index) => index + 1);

test('each of the 51 bugs of other tools has a test with its tag', () => {
  const tests = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.ts$/.test(name))
    .map((name) => readFileSync(join(tests, name), 'utf8'));
  const tagged = new Set(files.flatMap((text) => [...text.matchAll(/\bpain-(\d+)\b/g)].map(([, bug]) => Number(bug))));
  expect(BUGS.filter((bug) => !tagged.has(bug))).toEqual([]);
  expect([...tagged].filter((bug) => !BUGS.includes(bug))).toEqual([]);
});
