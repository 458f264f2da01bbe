import { expect, test } from 'vitest';
import { findMissingFlags, renderMissingFlags, repeatableFlags } from '../../../../src/page/browser/launch.js';

const DEFAULTS = '/usr/bin/chrome --headless --force-color-profile=srgb --blink-settings=primaryHoverType=2';

test.each<[what: string, commandLine: string, wanted: string[], missing: string[]]>([
  ['the order does not matter', '/usr/bin/chrome --b=1 --other --a', ['--a', '--b=1'], []],
  [
    'of renderer settings, only the missing ones are named',
    DEFAULTS,
    ['--force-color-profile=srgb', '--own=1', '--blink-settings=primaryHoverType=2,x=1'],
    ['--own=1', '--blink-settings=x=1'],
  ],
  [
    'of two flags for renderer settings, the last one counts',
    `${DEFAULTS} --blink-settings=x=1`,
    ['--blink-settings=primaryHoverType=2,x=1'],
    ['--blink-settings=primaryHoverType=2'],
  ],
  ['a flag is not found within a longer one', '/usr/bin/chrome --mute-audio', ['--mute'], ['--mute']],
  ['a browser may report no command line', '', repeatableFlags([]), []],
])('flags that a command line lacks: %s', (_, commandLine, wanted, missing) => {
  expect(findMissingFlags(commandLine, wanted)).toEqual(missing);
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
