import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf, ProofsheetError } from '../model/errors.js';

/** Gives what is kept of a key: its SHA-256, in hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Reads a file of keys: on each line the SHA-256 of one, in hex, as `sha256sum` prints it, and after it what you like. Empty
 * lines and such that begin with `#` say nothing.
 *
 * @throws ProofsheetError `command-invalid`; what a line says is not told: it may be a key.
 */
export function readKeyHashes(path: string): string[] {
  const lines = readLines(path).map((text, index) => ({ text: text.trim(), number: index + 1 }));
  const hashes = lines
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map(({ text, number }) => {
      const [hash = ''] = text.split(/\s/);
      if (!/^[\da-f]{64}$/i.test(hash)) throw unreadable(`${path}:${number}`, 'the line is not a SHA-256 in hex');
      return hash.toLowerCase();
    });
  if (hashes.length === 0) throw unreadable(path, 'there is no key in it');
  return hashes;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (cause) {
    throw unreadable(path, `the file of keys cannot be read (${messageOf(cause)})`);
  }
}

function unreadable(where: string, found: string): ProofsheetError {
  const advice = 'Write one line for each key: printf %s "$KEY" | sha256sum';
  return new ProofsheetError({ code: 'command-invalid', where, found, advice });
}
