import { expect, test } from 'vitest';
import { drawingFlags, repeatableFlags } from '../../../src/browser/launch.js';

const settingsOf = (flags: readonly string[]) => flags.filter((flag) => flag.startsWith('--blink-settings='));
const featuresOf = (flags: readonly string[]) => flags.filter((flag) => flag.startsWith('--enable-features='));

test('the flags of a project are added to ours, and its renderer settings are joined with ours: only the last such flag counts', () => {
  const flags = repeatableFlags(['--own', '--blink-settings=darkModeEnabled=true', '--blink-settings=other=1']);
  expect(flags).toContain('--own');
  expect(settingsOf(flags)).toEqual([expect.stringMatching(/,imageAnimationPolicy=2,darkModeEnabled=true,other=1$/)]);
});

test('the browser that captures gets one more setting, and features of which those of a project are a part', () => {
  const flags = repeatableFlags(['--own', '--enable-features=Own,Other']);
  const drawing = drawingFlags(flags);
  expect(settingsOf(drawing)).toEqual([`${settingsOf(flags)[0]},mainFrameClipsContent=false`]);
  expect(featuresOf(drawing)).toEqual([
    expect.stringMatching(/^--enable-features=.*,RenderDocument:level\/crashed-frame,Own,Other$/),
  ]);
  const others = (all: readonly string[]) =>
    all.filter((flag) => ![...settingsOf(all), ...featuresOf(all)].includes(flag));
  expect(others(drawing)).toEqual(others(flags));
});
