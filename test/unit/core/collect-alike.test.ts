import { expect, test } from 'vitest';
import { collectRun } from '../../../src/core/collect.js';
import { compared, inputOf, listed } from './collect-observed.js';

/** Runs shots that changed as their fingerprints say, and gives `id: group` of each. */
function groupsOf(
  fingerprints: Record<string, string | null>,
  status: 'changed' | 'passed' | 'new' = 'changed',
): string[] {
  const tests = Object.entries(fingerprints).map(([id, fingerprint]) => {
    const attempt = compared([{ id, status }]);
    const messages = attempt.messages.map((message) => ({ ...message, fingerprint }));
    return listed(id, status, { attempts: [{ ...attempt, messages }] });
  });
  return collectRun(inputOf(tests))
    .run.shots.map(({ id, group }) => `${id}: ${group}`)
    .sort();
}

test('shots that changed in the same way are one group, the largest is 1, and what changed alone is in none', () => {
  const groups = groupsOf({ a: 'two', b: 'three', c: 'three', d: 'alone', e: 'two', f: 'three' });
  expect(groups).toEqual(['a: 2', 'b: 1', 'c: 1', 'd: null', 'e: 2', 'f: 1']);
});

test('of two groups of one size the one that comes first in the report is 1', () => {
  expect(groupsOf({ c: 'y', a: 'x', d: 'x', b: 'y' })).toEqual(['a: 1', 'b: 2', 'c: 2', 'd: 1']);
});

test('what did not change is in no group', () => {
  expect(groupsOf({ a: 'x', b: 'x' }, 'passed')).toEqual(['a: null', 'b: null']);
  expect(groupsOf({ a: null, b: null }, 'new')).toEqual(['a: null', 'b: null']);
});
