import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { HonoRequest } from 'hono';
import { LRUCache } from 'lru-cache';
import { failure, invalidCommand, messageOf, parseUrl } from '../../model/index.js';

/**
 * Creates a function that returns a client's name for the rate limit. Without keys it admits requests whose `Host` is localhost or
 * an IP address. It throws a ProofsheetError `key-refused` or `host-refused`.
 */
export function createAuthenticator(keyHashes: readonly string[], keyHeader: string): typeof authenticateByHost {
  if (keyHashes.length === 0) return authenticateByHost;
  const known = keyHashes.map((hash) => Buffer.from(hash));
  return (request) => {
    const key = request.header(keyHeader);
    const given = hashKey(key ?? '');
    // Compare with all keys, so that the response time does not reveal which one matches.
    const matches = known.filter((hash) => timingSafeEqual(hash, Buffer.from(given)));
    if (key !== undefined && matches.length > 0) return given;
    const found = key === undefined ? 'the header is missing' : 'unknown key';
    throw failure('key-refused', keyHeader, found, 'Send a valid key in this header.');
  };
}

/** Prevents DNS rebinding: a web page can resolve its own host name to this machine and send same-origin requests. */
function authenticateByHost(request: HonoRequest, address: string): string {
  const host = request.header('host') ?? '';
  const name = parseUrl(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (name === 'localhost' || isIP(name) !== 0) return address;
  const found = 'without keys, the service only accepts requests to localhost or an IP address';
  throw failure('host-refused', host || 'Host', found, 'Use the IP address of the service, or configure keys.');
}

/** Maximum number of tracked clients. */
const MAX_CLIENTS = 10_000;

/**
 * Creates a rate limit with a leaky bucket per client: a burst of `perMinute` requests, then one every 60 s / `perMinute`; null: no
 * limit. The function counts a request of a client, and returns null, or the seconds to wait if the limit is exceeded.
 */
export function createRate(perMinute: number | null, now: () => number): (client: string) => number | null {
  if (perMinute === null) return () => null;
  const msEach = 60_000 / perMinute;
  /** The time at which the bucket of a client is empty. */
  const emptyTimes = new LRUCache<string, number>({ max: MAX_CLIENTS });
  return (client) => {
    const time = now();
    const emptyAt = Math.max(time, emptyTimes.get(client) ?? 0) + msEach;
    const waitMs = emptyAt - 60_000 - time;
    if (waitMs > 0.5) return Math.max(1, Math.ceil(waitMs / 1000));
    emptyTimes.set(client, emptyAt);
    return null;
  };
}

/** Returns the SHA-256 of a key, in hex. The service stores only this hash. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Reads a file of keys. Each line starts with the SHA-256 of a key in hex, as `sha256sum` prints it. Empty lines and lines that start
 * with `#` are ignored.
 *
 * @throws ProofsheetError `command-invalid`. The message does not quote the line, because it may contain a key.
 */
export function readKeyHashes(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, `the key file cannot be read (${messageOf(cause)})`);
  }
  const hashes = text.split('\n').flatMap((line, index) => {
    const [hash = ''] = line.trim().split(/\s/);
    if (hash === '' || hash.startsWith('#')) return [];
    if (/^[\da-f]{64}$/i.test(hash)) return [hash.toLowerCase()];
    throw unreadable(`${path}:${index + 1}`, 'the line is not a SHA-256 hash in hexadecimal');
  });
  if (hashes.length === 0) throw unreadable(path, 'the file contains no key');
  return hashes;
}

function unreadable(where: string, found: string) {
  return invalidCommand(where, found, 'Write one line per key: printf %s "$KEY" | sha256sum');
}
