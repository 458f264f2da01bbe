import { describe, expect, test } from 'vitest';
import { imported } from './imported-file.js';

describe('BackstopJS', () => {
  test('referenceUrl is shown without its password', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', referenceUrl: 'https://me:hunter2@b.test/' }];
    const { text } = await imported({ scenarios });
    expect(text).toContain('add before: https://***@b.test/');
  });

  test('ignoreAntialiasing is antialiasing: ignore, and other options of resemble.js are named', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/' }];
    const options = (resembleOutputOptions: object) => imported({ resembleOutputOptions, scenarios });
    const { list, text } = await options({ ignoreAntialiasing: true, usePreciseMatching: true });
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.001, antialiasing: 'ignore' });
    expect(text).toContain('# resembleOutputOptions: usePreciseMatching: no equivalent in proofsheet');
    expect(text).not.toContain('ignoreAntialiasing');
    expect((await options({ ignoreAntialiasing: false })).list.defaults).toEqual({ maxDiffPixelRatio: 0.001 });
  });

  test('selectors whose names are equal in files are states of their own', async () => {
    const scenarios = [{ label: 'a', url: 'https://a.test/', selectors: ['.a b', '.a.b', '.a:b'] }];
    const { plan } = await imported({ scenarios });
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/a-b', 'a/a.b', 'a/a-b-2']);
  });

  test('the limit of the whole config holds where a scenario has none', async () => {
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', misMatchThreshold: '0' },
    ];
    const { list } = await imported({ misMatchThreshold: 2, scenarios });
    expect(list.defaults).toEqual({ maxDiffPixelRatio: 0.02 });
    expect(list.pages.map((page: object) => Reflect.get(page, 'maxDiffPixelRatio'))).toEqual([undefined, 0]);
  });

  test('selectorExpansion captures each element that a selector matches', async () => {
    const page = (label: string, selectors: string[], selectorExpansion: unknown) => {
      return { label, url: `https://a.test/${label}`, selectors, selectorExpansion };
    };
    const scenarios = [
      page('all', ['.card'], true),
      page('first', ['.card'], false),
      page('whole', [], true),
      page('several', ['document', '.card'], 'true'),
    ];
    const { list } = await imported({ scenarios });
    expect(list.pages).toMatchObject([
      { element: '.card', each: true },
      { element: '.card' },
      { fullSize: true },
      { states: { document: { fullSize: true }, card: { element: '.card', each: true } } },
    ]);
    expect([list.pages[1].each, list.pages[2].element]).toEqual([undefined, undefined]);
  });

  test('viewports of a scenario stay its own, also where two scenarios name different sizes alike', async () => {
    const viewports = [{ label: 'desktop', width: 1280, height: 800 }];
    const scenarios = [
      { label: 'a', url: 'https://a.test/' },
      { label: 'b', url: 'https://a.test/b', viewports: [{ label: 'Desktop', width: 1920, height: 1080 }] },
      { label: 'c', url: 'https://a.test/c', viewports: [...viewports, { label: 'phone', width: 320, height: 480 }] },
    ];
    const { list, plan } = await imported({ viewports, scenarios });
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/desktop', 'b/Desktop-1920x1080', 'c/desktop', 'c/phone']);
    expect(list.viewports['Desktop-1920x1080']).toEqual({ width: 1920, height: 1080 });
    expect(list.pages[0].viewports).toEqual(['desktop']);
  });
});
