import { expect, test } from 'vitest';
import { renderView } from '../../../../src/report/html/render-view.js';
import { approveCommandFor } from '../../../../src/report/viewer/review/approval.js';
import { changedOf, HOSTILE, runOf } from '../specimens.js';

/** What is to be typed for shots of these projects and ids. */
function typed(...shots: readonly { readonly id: string; readonly project?: string }[]): string | null {
  return approveCommandFor(renderView(runOf(shots.map((shot) => changedOf(shot))), null).shots);
}

test('shots of one project are one command, those of several one for each', () => {
  expect(typed({ id: 'home' }, { id: 'docs/a b' })).toBe("npx proofsheet approve home 'docs/a b'");
  expect(
    typed({ id: 'home', project: 'desk' }, { id: 'home', project: 'my phone' }, { id: 'docs', project: 'desk' }),
  ).toBe("npx proofsheet approve --project desk home docs\nnpx proofsheet approve --project 'my phone' home");
});

test('an id that looks like an option is none', () => {
  expect(typed({ id: '--all' })).toBe("npx proofsheet approve -- '--all'");
});

test('where one id cannot be typed there is no command, rather than one that leaves it out', () => {
  expect(typed({ id: 'home' }, { id: HOSTILE })).toBe(null);
  expect(typed()).toBe(null);
});
