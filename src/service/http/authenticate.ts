import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { messageOf, ProofsheetError } from '../../model/errors.js';

/** What is known of a request before it is read. */
export interface Visitor {
  /** What its key header says; undefined: nothing. */
  readonly key: string | undefined;
  /** Its `Host`. */
  readonly host: string | undefined;
  /** The address that it comes from. */
  readonly address: string;
}

/** Decides who comes in. */
export interface Authenticator {
  /** Returns the name under which a visitor is counted. @throws ProofsheetError `key-refused`, `host-refused` */
  admit(visitor: Visitor): string;
}

/** Creates a authenticator who knows these keys; where there are none, he lets in who speaks to this machine by its own name. */
export function createAuthenticator(keyHashes: readonly string[], keyHeader: string): Authenticator {
  if (keyHashes.length === 0) return { admit: admitNeighbour };
  const known = keyHashes.map((hash) => Buffer.from(hash, 'hex'));
  return {
    admit({ key }) {
      if (key === undefined) throw refused(keyHeader, 'the header is missing');
      const given = hashKey(key);
      // All are looked at, so that the time says nothing of which it is.
      const matches = known.filter((hash) => timingSafeEqual(hash, Buffer.from(given, 'hex')));
      if (matches.length === 0) throw refused(keyHeader, 'the key is none of those that are known here');
      return given;
    },
  };
}

/** A page of the web may lead its own name to this machine, and then speak to it as if it were its own server. */
function admitNeighbour({ host = '', address }: Visitor): string {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
  if (name === 'localhost' || isIP(name) !== 0) return address;
  throw new ProofsheetError({
    code: 'host-refused',
    where: host || 'Host',
    found: 'without keys the service answers to localhost and to addresses only',
    advice: 'Ask for it by its address, or set keys.',
  });
}

function refused(where: string, found: string): ProofsheetError {
  return new ProofsheetError({ code: 'key-refused', where, found, advice: 'Send one of the keys in this header.' });
}

/** Counts what each visitor asks for. */
export interface Rate {
  /** Takes note of a request; gives the seconds to wait where it is one too many, else null. */
  take(name: string): number | null;
}

/** How many visitors are remembered: those who have not come for long are as good as new. */
const MOST_VISITORS = 10_000;

/**
 * Creates a rate of so many requests in a minute: a visitor may send all of them at once, and gets them back one by one.
 *
 * @param perMinute null: no limit.
 * @param now milliseconds.
 */
export function createRate(perMinute: number | null, now: () => number): Rate {
  if (perMinute === null) return { take: () => null };
  const msEach = 60_000 / perMinute;
  const visitors = new Map<string, number>();
  return {
    take(name) {
      const time = now();
      // When all that a visitor has sent will be forgotten.
      const free = Math.max(time, visitors.get(name) ?? 0) + msEach;
      const early = free - 60_000 - time;
      if (early > 0.5) return Math.max(1, Math.ceil(early / 1000));
      visitors.delete(name);
      visitors.set(name, free);
      const [oldest] = visitors.keys();
      if (visitors.size > MOST_VISITORS && oldest !== undefined) visitors.delete(oldest);
      return null;
    },
  };
}

/** Returns what is kept of a key: its SHA-256, in hex. */
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
