import { expect, test } from 'vitest';
import { answerOf, formatAffected } from '../../../src/commands/affected.js';

const shot = (id: string, why: string | null) => ({ project: '', id, url: `/${id}`, captured: why !== null, why });

// That Playwright runs the tests: test/e2e/reuse.spec.ts.
test('the shots that would be captured come first, then by name', () => {
  const shots = [
    shot('c', null),
    shot('b', '/b.css changed'),
    shot('a', null),
    shot('a/wide', 'no capture of it is known'),
  ];
  const answer = answerOf({ shots, errors: [] }, null);
  expect(answer.shots.map(({ id }) => id)).toEqual(['a/wide', 'b', 'a', 'c']);
  expect(answer).toMatchObject({ captured: 2, reused: 2 });
  expect(formatAffected(answer)).toBe(`proofsheet: 2 of 4 shots would be captured
  capture  a/wide  no capture of it is known
  capture  b  /b.css changed
  reuse    2 shots
`);
});

test.each([
  ['a config throws', null, 'Error: this file is broken', 'this file is broken'],
  ['one test of several fails', { shots: [shot('a', null)], errors: ['no list'] }, '1 error', 'no list'],
  ['Playwright fails after an answer', { shots: [shot('a', null)], errors: [] }, 'it was killed', 'it was killed'],
  ['there is no test', { shots: [], errors: [] }, null, 'no test of a page list was found'],
])('nothing is decided if %s', (_, answer, failure, found) => {
  const message = expect.stringMatching(`could not decide: .*${found}`);
  expect(() => answerOf(answer, failure)).toThrow(expect.objectContaining({ code: 'run-incomplete', message }));
});
