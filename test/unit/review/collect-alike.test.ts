import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { hasChangeDescription } from '../../../src/model/comparison.js';
import { applyDecision } from '../../../src/review/approve.js';
import { chooseShots } from '../../../src/review/choose-shots.js';
import { collectRun } from '../../../src/run/collect.js';
import { paintPage, space, text } from '../compare/paint-page.js';
import { settings } from '../compare/settings.js';
import { fill, type Hex, png } from '../image/paint.js';
import { compared, inputOf, listed } from './collect-observed.js';
import { finishRun, type Specimen } from './finished-run.js';

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

test('shots with the same change are one group, the largest is group 1, and a single change has no group', () => {
  const groups = groupsOf({ a: 'two', b: 'three', c: 'three', d: 'alone', e: 'two', f: 'three' });
  expect(groups).toEqual(['a: 2', 'b: 1', 'c: 1', 'd: null', 'e: 2', 'f: 1']);
});

test('of two groups of one size the one that comes first in the report is 1', () => {
  expect(groupsOf({ c: 'y', a: 'x', d: 'x', b: 'y' })).toEqual(['a: 1', 'b: 2', 'c: 2', 'd: 1']);
});

test('an unchanged shot has no group', () => {
  expect(groupsOf({ a: 'x', b: 'x' }, 'passed')).toEqual(['a: null', 'b: null']);
  expect(groupsOf({ a: null, b: null }, 'new')).toEqual(['a: null', 'b: null']);
});

for (const { pages, tags } of [
  { pages: 20, tags: [] },
  { pages: 200, tags: ['soak'] },
]) {
  test(`a header that changed on ${pages} pages is decided on once, and what also changed is not among them`, {
    tags,
  }, async () => {
    const page = (index: number, header: Hex, more: number) => {
      const own = paintPage(240, [space(60), text(index, 1 + (index % 9)), space(index % 13), text(7, more)]);
      return png(fill(own, { x: 0, y: 0, width: 240, height: 48 }, header));
    };
    const fingerprints: Record<string, string> = {};
    for (let index = 0; index < pages + 3; index++) {
      const more = index < pages ? 1 : 2;
      const pair = [page(index, '#1d4ed8', 1), page(index, '#1e40af', more)] as const;
      const comparison = await compareImages(...pair, settings(), []);
      if (!hasChangeDescription(comparison)) throw new Error(`it is ${comparison.kind}`);
      fingerprints[index < pages ? `page-${index}` : `other-${index}`] = comparison.fingerprint;
    }
    const specimens = groupsOf(fingerprints).map((told): Specimen => {
      const [id = '', group = ''] = told.split(': ');
      return { id, status: 'changed', before: '#1d4ed8', after: '#1e40af', changes: { group } };
    });
    const places = await finishRun(specimens);
    const choice = { ids: [], all: false, new: false, group: '1', project: null };
    const once = await applyDecision(places, {
      decision: 'approved',
      choose: (run) => chooseShots(run, choice),
      force: false,
    });
    expect(once.written).toHaveLength(pages);
    expect(once.written.filter(({ id }) => !id.startsWith('page-'))).toEqual([]);
    await rm(places.root, { recursive: true });
  });
}
