import { describe, expect, test } from 'vitest';
import { imported, written } from './imported-file.js';

describe('BackstopJS', () => {
  test('referenceUrl is shown without its password', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', referenceUrl: 'https://me:hunter2@b.test/' }];
    const { text } = await imported(written('password.json', JSON.stringify({ scenarios })));
    expect(text).toContain('add before: https://***@b.test/');
  });

  test('ignoreAntialiasing is antialiasing: ignore, and other options of resemble.js are named', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/' }];
    const options = (resembleOutputOptions: object) =>
      imported(written('resemble.json', JSON.stringify({ resembleOutputOptions, scenarios })));
    const { list, text } = await options({ ignoreAntialiasing: true, usePreciseMatching: true });
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.001, antialiasing: 'ignore' });
    expect(text).toContain('# resembleOutputOptions: usePreciseMatching: no equivalent in proofsheet');
    expect(text).not.toContain('ignoreAntialiasing');
    expect((await options({ ignoreAntialiasing: false })).list.defaults).toEqual({ maxDiffPixelRatio: 0.001 });
  });

  test('selectors whose names are equal in files are states of their own', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', selectors: ['.a b', '.a.b', '.a:b'] }];
    const { plan } = await imported(written('alike-selectors.json', JSON.stringify({ scenarios })));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/a-b', 'a/a.b', 'a/a-b-2']);
  });

  test('the limit of the whole config holds where a scenario has none', async () => {
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', misMatchThreshold: '0' },
    ];
    const config = written('limit.json', JSON.stringify({ misMatchThreshold: 2, scenarios }));
    const { list } = await imported(config);
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.02 });
    expect(list.pages.map((page: object) => Reflect.get(page, 'maxDiffPixelRatio'))).toEqual([undefined, 0]);
  });

  test('a scenario whose list of selectors is empty captures the whole page', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', selectors: [] }];
    const { list } = await imported(written('empty.json', JSON.stringify({ scenarios })));
    expect(list.pages[0].fullSize).toBe(true);
  });

  test('viewports of a scenario stay its own, also where two scenarios name different sizes alike', async () => {
    const viewports = [{ label: 'desktop', width: 1280, height: 800 }];
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', viewports: [{ label: 'Desktop', width: 1920, height: 1080 }] },
      { label: 'c', url: 'https://a.test/c', viewports: [...viewports, { label: 'phone', width: 320, height: 480 }] },
    ];
    const { list, plan } = await imported(written('sizes.json', JSON.stringify({ viewports, scenarios })));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/desktop', 'b/Desktop-1920x1080', 'c/desktop', 'c/phone']);
    expect(list.viewports['Desktop-1920x1080']).toEqual({ width: 1920, height: 1080 });
    expect(list.pages[0].viewports).toEqual(['desktop']);
  });
});
