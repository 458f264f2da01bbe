import { expect, test } from 'vitest';
import { drawingFlags, repeatableFlags } from '../../../src/browser/launch.js';

const settingsOf = (flags: readonly string[]) => flags.filter((flag) => flag.startsWith('--blink-settings='));

test("a project's own flags go with ours, and its settings of the renderer are joined with them: the last such flag counts", () => {
  const flags = repeatableFlags(['--own', '--blink-settings=darkModeEnabled=true', '--blink-settings=other=1']);
  expect(flags).toContain('--own');
  expect(settingsOf(flags)).toEqual([expect.stringMatching(/,imageAnimationPolicy=2,darkModeEnabled=true,other=1$/)]);
});

test('to draw beyond the window is one setting more, and no other flag changes', () => {
  const flags = repeatableFlags(['--own']);
  const drawing = drawingFlags(flags);
  expect(drawing.filter((flag, index) => flag !== flags[index])).toEqual([
    `${settingsOf(flags)[0]},mainFrameClipsContent=false`,
  ]);
});
