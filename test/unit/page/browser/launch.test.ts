import { expect, test } from 'vitest';
import { findMissingFlags, renderMissingFlags, repeatableFlags } from '../../../../src/page/browser/launch.js';

const DEFAULTS = '/usr/bin/chrome --headless --force-color-profile=srgb --blink-settings=primaryHoverType=2';

test('flags in the command line are found in any order', () => {
  const wanted = repeatableFlags(['--own=1']);
  expect(findMissingFlags(`/usr/bin/chrome ${[...wanted].reverse().join(' ')} --other`, wanted)).toEqual([]);
});

test('each flag that the command line lacks is named; of renderer settings, only the missing ones', () => {
  const missing = findMissingFlags(DEFAULTS, [
    '--force-color-profile=srgb',
    '--own=1',
    '--blink-settings=primaryHoverType=2,x=1',
  ]);
  expect(missing).toEqual(['--own=1', '--blink-settings=x=1']);
});

test('of two flags for renderer settings, the last one counts', () => {
  expect(findMissingFlags(`${DEFAULTS} --blink-settings=x=1`, ['--blink-settings=primaryHoverType=2,x=1'])).toEqual([
    '--blink-settings=primaryHoverType=2',
  ]);
});

test('a flag is not found within a longer one', () => {
  expect(findMissingFlags('/usr/bin/chrome --mute-audio', ['--mute'])).toEqual(['--mute']);
});

test('no flags are missing if a browser reports no command line', () => {
  expect(findMissingFlags('', repeatableFlags([]))).toEqual([]);
});

test("the value of a project's own flag is not shown: it may be a password", () => {
  const text = renderMissingFlags(
    ['--disable-lcd-text', '--proxy=http://u:secret@host', '--blink-settings=x=1'],
    ['--disable-lcd-text'],
  );
  expect(text).toContain('was launched without --disable-lcd-text, --proxy, --blink-settings=x=1: ');
  expect(text).toContain('run-server --unsafe');
  expect(text).not.toContain('secret');
});

test('the flags of a project are added to ours, and its renderer settings are joined with ours: only the last such flag counts', () => {
  const flags = repeatableFlags(['--own', '--blink-settings=darkModeEnabled=true', '--blink-settings=other=1']);
  expect(flags).toContain('--own');
  expect(flags.filter((flag) => flag.startsWith('--blink-settings='))).toEqual([
    expect.stringMatching(/,imageAnimationPolicy=2,darkModeEnabled=true,other=1$/),
  ]);
});
