import { writeFileSync } from 'node:fs';
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

describe('a file of keys', () => {
  const folder = makeTempFolder();
  const read = (text: string) => {
    writeFileSync(join(folder, 'keys.txt'), text);
    return readKeyHashes(join(folder, 'keys.txt'));
  };

  test('has a hash on each line, as sha256sum prints it', () => {
    const [one, two] = [hashKey('one'), hashKey('two')];
    expect(one).toBe('7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed');
    expect(read(`# the old one, until May\n${one.toUpperCase()}  -\n\n  ${two} the new one\r\n`)).toEqual([one, two]);
  });

  test('with a key in it as it is, is refused without telling the key', () => {
    expect(() => read(`${hashKey('one')}\nhunter2\n`)).toThrow(
      /keys\.txt:2: the line is not a SHA-256 hash in hexadecimal/,
    );
    expect(() => read('hunter2')).toThrow(/^(?!.*hunter2)/);
  });

  test('without a key, or that is not there, is refused', () => {
    for (const text of ['', '# nothing\n']) expect(() => read(text)).toThrow('the file contains no key');
    expect(() => readKeyHashes(join(folder, 'none'))).toThrow(/none: the key file cannot be read/);
  });
});
