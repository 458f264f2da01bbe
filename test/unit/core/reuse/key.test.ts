import { describe, expect, test } from 'vitest';
import { identityOf, isVerified, keyOf } from '../../../../src/core/reuse/key.js';

const parts = { version: '1', settings: 's', environment: 'e', baseline: 'b' };
const inputOf = (url: string, digest = '1') => ({ url, digest, etag: null, headers: { accept: '*/*' } });

describe('the key of a capture', () => {
  test('does not depend on the order of the inputs', () => {
    expect(keyOf(parts, [inputOf('http://a/'), inputOf('http://b/')])).toBe(
      keyOf(parts, [inputOf('http://b/'), inputOf('http://a/')]),
    );
  });

  test.each(['version', 'settings', 'environment', 'baseline'] as const)('depends on the %s', (part) => {
    expect(keyOf({ ...parts, [part]: 'other' }, [])).not.toBe(keyOf(parts, []));
  });

  test('depends on each digest, on each URL, and on the number of inputs', () => {
    const key = keyOf(parts, [inputOf('http://a/')]);
    expect(keyOf(parts, [inputOf('http://a/', '2')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('http://b/')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('http://a/'), inputOf('http://b/')])).not.toBe(key);
  });
});

describe('the identity of a request', () => {
  test('depends on its headers, but not on the page that sends it', () => {
    const request = { url: 'http://a/', headers: { accept: '*/*', referer: 'http://a/1' } };
    expect(identityOf({ ...request, headers: { ...request.headers, referer: 'http://a/2' } })).toBe(
      identityOf(request),
    );
    expect(identityOf({ ...request, headers: { ...request.headers, range: 'bytes=0-' } })).not.toBe(
      identityOf(request),
    );
  });
});

describe('the choice of verified shots', () => {
  const shots = Array.from({ length: 2000 }, (_, index) => ({ project: 'chromium', id: `page-${index}` }));
  const chosen = (share: number, run: string) => shots.filter((shot) => isVerified(share, run, shot)).length;

  test('is close to the share', () => {
    expect(chosen(0.05, 'commit') / shots.length).toBeGreaterThan(0.035);
    expect(chosen(0.05, 'commit') / shots.length).toBeLessThan(0.065);
  });

  test('is none at 0, and all at 1', () => {
    expect(chosen(0, 'commit')).toBe(0);
    expect(chosen(1, 'commit')).toBe(shots.length);
  });

  test('is the same for each run of a commit, and another one for another commit', () => {
    const idsOf = (run: string) => shots.filter((shot) => isVerified(0.05, run, shot)).map(({ id }) => id);
    expect(idsOf('one')).toEqual(idsOf('one'));
    expect(idsOf('one')).not.toEqual(idsOf('two'));
  });
});
