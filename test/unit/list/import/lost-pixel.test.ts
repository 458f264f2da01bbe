import { describe, expect, test } from 'vitest';
import { imported, specimen, written } from './imported-file.js';

const { tool, text, list, plan } = await imported(specimen('lostpixel.config.js'));

describe('Lost Pixel', () => {
  test('becomes a list that is right', () => {
    expect(tool).toBe('Lost Pixel');
    expect(list).toMatchObject({ baseURL: 'http://localhost:3000' });
    expect(list.defaults).toEqual({ fullSize: true, engine: 'odiff', mask: ['.ad'] });
    expect(plan.shots.map(({ id }) => id)).toEqual([
      ...['landing/640', 'landing/1280', 'app/640', 'app/1280', 'docs/640'],
    ]);
  });

  test('widths of a page stay its own, and a page without any has the size that it has there', async () => {
    const pages = [
      { path: '/', name: 'a' },
      { path: '/b', name: 'b', breakpoints: [320, 640] },
      { path: '/c', name: 'c', viewport: { width: 900 } },
    ];
    const config = { pageShots: { baseUrl: 'https://a.test', pages } };
    const { plan } = await imported(written('widths.json', JSON.stringify(config)));
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/1280x720', 'b/320', 'b/640', 'c/900x720']);
    const common = { ...config, breakpoints: [1000] };
    const { plan: second } = await imported(written('widths.json', JSON.stringify(common)));
    expect(second.shots.map(({ id }) => id)).toEqual(['a/1000', 'b/320', 'b/640', 'c/1000']);
  });

  test('a threshold below 1 is a share, any other a count', () => {
    const [landing, app, docs] = list.pages;
    expect([landing.maxDiffPixelRatio, docs.maxDiffPixelRatio]).toEqual([0.05, 0.001]);
    expect(app).toMatchObject({ maxDiffPixels: 40, delay: 2, mask: ['.clock'], url: '/app?tab=a' });
    expect(app.maxDiffPixelRatio).toBe(undefined);
  });

  test('says what it cannot', () => {
    for (const note of [
      'flakynessRetries',
      'beforeScreenshot: no equivalent in proofsheet',
      'Lost Pixel also passes images of different sizes; maxSizeDiff',
      'Lost Pixel allows color differences of 0.1 with odiff; threshold: 0.1',
    ])
      expect(text).toContain(note);
  });

  test('a size out of bounds is limited, with a note, with and without widths', async () => {
    const pages = [{ path: '/', name: 'a', viewport: { width: 9000, height: 800 } }];
    const config = (breakpoints: number[]) =>
      JSON.stringify({ pageShots: { baseUrl: 'https://a.test', pages, breakpoints } });
    expect((await imported(written('one.json', config([])))).text).toContain(
      'width: 9000 is out of range; 8000 is used',
    );
    const { text } = await imported(written('two.json', config([50])));
    expect(text).toContain('# viewport 50: 50x720 is out of range; 100x720 is used');
    expect(text).toContain('antialiasing: ignore in defaults');
  });
});
