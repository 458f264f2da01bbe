import { expect, test } from 'vitest';
import { repeatableFlags } from '../../../../src/page/browser/launch.js';

const settingsOf = (flags: readonly string[]) => flags.filter((flag) => flag.startsWith('--blink-settings='));

test('the flags of a project are added to ours, and its renderer settings are joined with ours: only the last such flag counts', () => {
  const flags = repeatableFlags(['--own', '--blink-settings=darkModeEnabled=true', '--blink-settings=other=1']);
  expect(flags).toContain('--own');
  expect(settingsOf(flags)).toEqual([expect.stringMatching(/,imageAnimationPolicy=2,darkModeEnabled=true,other=1$/)]);
});
