import { expect, test } from 'vitest';
import { formatUpgraded, locationIn } from '../../../src/commands/upgrade.js';
import { policyFor } from '../../../src/playwright/runner-context.js';

test('the result names what was left alone', () => {
  const left = [{ name: 'pricing', why: 'changed: h1: color #000 -> #c00' }];
  expect(formatUpgraded({ upgraded: ['a', 'b'], equal: ['c'], left })).toBe(
    'proofsheet: 2 baselines upgraded, 1 already equal, 1 shot changed and left alone\n  left  pricing  changed: h1: color #000 -> #c00\n',
  );
  expect(formatUpgraded({ upgraded: [], equal: [], left: [] })).toBe('proofsheet: 0 baselines upgraded\n');
});

test('the folder of a browser is read from what Playwright prints', () => {
  const printed =
    'Chrome Headless Shell 156.0.8078.4 (playwright chromium-headless-shell v1248)\n  Install location:    /home/me/.cache/ms playwright/chromium_headless_shell-1248\n  Download url: https://example.com/a.zip\n';
  expect(locationIn(printed)).toBe('/home/me/.cache/ms playwright/chromium_headless_shell-1248');
  expect(locationIn('npm error 404')).toBeNull();
});

test('the earlier browser writes nothing, and the current one captures only what is proven', () => {
  const shot = { id: 'home', project: 'phone' };
  expect(policyFor(shot, { executablePath: '/old', proven: null })).toEqual({
    ...{ mode: 'none', ci: true, ignoreSnapshots: false },
  });
  expect(policyFor(shot, { executablePath: null, proven: [shot] })).toMatchObject({
    mode: 'all',
    ignoreSnapshots: false,
  });
  const other = { ...shot, project: 'desktop' };
  expect(policyFor(other, { executablePath: null, proven: [shot] })).toMatchObject({ ignoreSnapshots: true });
});
