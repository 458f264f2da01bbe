import { describe, expect, test } from 'vitest';
import { isVerified, keyOf } from '../../../src/reuse/key.js';

const parts = { version: '1', settings: 's', environment: 'e', baseline: 'b' };
const inputOf = (path: string, digest = '1') => ({ path, digest });

describe('the key of a capture', () => {
  test('does not depend on the order of the inputs', () => {
    expect(keyOf(parts, [inputOf('/a'), inputOf('/b')])).toBe(keyOf(parts, [inputOf('/b'), inputOf('/a')]));
  });

  test.each(['version', 'settings', 'environment', 'baseline'] as const)('depends on the %s', (part) => {
    expect(keyOf({ ...parts, [part]: 'other' }, [])).not.toBe(keyOf(parts, []));
  });

  test('depends on each digest, on each path, and on the number of inputs', () => {
    const key = keyOf(parts, [inputOf('/a')]);
    expect(keyOf(parts, [inputOf('/a', '2')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('/b')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('/a'), inputOf('/b')])).not.toBe(key);
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
