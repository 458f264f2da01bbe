import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRate, hashKey, readKeyHashes } from '../../../../src/service/http/authenticate.js';
import { makeTempFolder } from '../../temp-folder.js';

describe('a rate limit', () => {
  test('lets a visitor send a minute at once, and then one whenever one is forgotten', () => {
    let now = 0;
    const take = createRate(3, () => now);
    expect([1, 2, 3, 4].map(() => take('one'))).toEqual([null, null, null, 20]);
    expect(take('another')).toBe(null);
    now = 19_000;
    expect(take('one')).toBe(1);
    now = 20_000;
    expect([take('one'), take('one')]).toEqual([null, 20]);
    now = 10 * 60_000;
    expect([1, 2, 3, 4].map(() => take('one'))).toEqual([null, null, null, 20]);
  });

  test('is not extended by a refused request', () => {
    let now = 0;
    const take = createRate(1, () => now);
    expect([take('one'), take('one'), take('one')]).toEqual([null, 60, 60]);
    now = 60_000;
    expect(take('one')).toBe(null);
  });
});

test('a file of keys has a hash on each line, as sha256sum prints it', () => {
  const [one, two] = [hashKey('one'), hashKey('two')];
  expect(one).toBe('7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed');
  const text = `# the old one, until May\n${one.toUpperCase()}  -\n\n  ${two} the new one\r\n`;
  expect(readKeyHashes(join(makeTempFolder({ keys: text }), 'keys'))).toEqual([one, two]);
});
