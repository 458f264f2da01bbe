import { describe, expect, test } from 'vitest';
import { imported } from './imported-file.js';

describe('Lost Pixel', () => {
  test('widths of a page stay its own, and a page without any has the size that it has there', async () => {
    const pages = [
      { path: '/', name: 'a' },
      { path: '/b', name: 'b', breakpoints: [320, 640] },
      { path: '/c', name: 'c', viewport: { width: 900 } },
    ];
    const config = { pageShots: { baseUrl: 'https://a.test', pages } };
    const { plan } = await imported(config);
    expect(plan.shots.map(({ id }) => id)).toEqual(['a/1280x720', 'b/320', 'b/640', 'c/900x720']);
    const common = { ...config, breakpoints: [1000] };
    const { plan: second } = await imported(common);
    expect(second.shots.map(({ id }) => id)).toEqual(['a/1000', 'b/320', 'b/640', 'c/1000']);
  });
});
