import { expect, test } from 'vitest';
import { createView } from '../../../../src/report/view.js';
import { approveCommandFor } from '../../../../src/report/viewer/approval.js';
import { HOSTILE_TEXT } from '../../../hostile-texts.js';
import { changedOf, runOf } from '../specimens.js';

/** Returns the command that approves shots of these projects and ids. */
function commandFor(...shots: readonly { readonly id: string; readonly project?: string }[]): string | null {
  return approveCommandFor(createView(runOf(shots.map((shot) => changedOf(shot))), null).shots);
}

test('shots of one project have one command, shots of several projects one each', () => {
  expect(commandFor({ id: 'home' }, { id: 'docs/a b' })).toBe('npx proofsheet approve home "docs/a b"');
  expect(
    commandFor({ id: 'home', project: 'desk' }, { id: 'home', project: 'my phone' }, { id: 'docs', project: 'desk' }),
  ).toBe('npx proofsheet approve --project desk home docs\nnpx proofsheet approve --project "my phone" home');
});

test('an id that looks like an option is passed as an argument', () => {
  expect(commandFor({ id: '--all' })).toBe('npx proofsheet approve -- "--all"');
});

test('an id with a variable that looks like an option is passed as it is', () => {
  expect(commandFor({ id: '-$x' })).toBe("npx proofsheet approve -- '-$x'");
});

test('there is no command if one id cannot be typed', () => {
  expect(commandFor({ id: 'home' }, { id: HOSTILE_TEXT })).toBe(null);
  expect(commandFor()).toBe(null);
});
