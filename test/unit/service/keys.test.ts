import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hashKey, readKeyHashes } from '../../../src/service/http/authenticate.js';

const folder = mkdtempSync(join(tmpdir(), 'proofsheet-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): string[] {
  const file = join(folder, 'keys.txt');
  writeFileSync(file, text);
  return readKeyHashes(file);
}

describe('a file of keys', () => {
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

  test.each(['', '# nothing\n'])('without a key is refused: %j', (text) => {
    expect(() => read(text)).toThrow('the file contains no key');
  });

  test('that is not there is refused', () => {
    expect(() => readKeyHashes(join(folder, 'none'))).toThrow(/none: the key file cannot be read/);
  });
});
