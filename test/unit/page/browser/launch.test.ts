import { expect, test } from 'vitest';
import { renderMissingFlags, repeatableFlags } from '../../../../src/page/browser/launch.js';

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
