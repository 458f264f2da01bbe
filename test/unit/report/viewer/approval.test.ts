import { expect, test } from 'vitest';
import { createView } from '../../../../src/report/view.js';
import { approveCommandFor } from '../../../../src/report/viewer/approval.js';
import { HOSTILE_TEXT } from '../../../hostile-texts.js';
import { changedOf, runOf } from '../specimens.js';

/** Returns the command that approves shots of these projects and ids. */
function commandFor(...shots: readonly { readonly id: string; readonly project?: string }[]): string | null {
  return approveCommandFor(createView(runOf(shots.map((shot) => changedOf(shot))), null).shots);
}

const [home, docs] = ['home', 'docs'].map((id) => ({ id, project: 'desk' }));

test.each([
  ['one for the shots of a project', [{ id: 'home' }, { id: 'docs/a b' }], ['home "docs/a b"']],
  [
    'one for each project',
    [home, { id: 'home', project: 'my phone' }, docs].flatMap((shot) => shot ?? []),
    ['--project desk home docs', '--project "my phone" home'],
  ],
  ['one with an id that looks like an option', [{ id: '--all' }], ['-- "--all"']],
  ['one with an id that looks like an option and has a variable', [{ id: '-$x' }], ["-- '-$x'"]],
])('the command is %s', (_, shots, commands) => {
  expect(commandFor(...shots)).toBe(commands.map((command) => `npx proofsheet approve ${command}`).join('\n'));
});

test('there is no command if one id cannot be typed', () => {
  expect(commandFor({ id: 'home' }, { id: HOSTILE_TEXT })).toBe(null);
  expect(commandFor()).toBe(null);
});
