import type { CDPSession, Page } from '@playwright/test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadline } from '../../../src/capture/deadline.js';
import { createPageStyles } from '../../../src/capture/page-styles.js';
import { createScreenshotSession } from '../../../src/capture/screenshot/session.js';
import { createStabilizers } from '../../../src/capture/stabilize/stabilizers.js';
import { PLAIN_SETTINGS } from '../core/specimens.js';

const PNG_OF_ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SIZE = { width: 1, height: 1 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page of Chromium that notes the names of its calls, each with the milliseconds since the one before. */
function createNotingPage() {
  const calls: { readonly name: string; readonly afterMs: number }[] = [];
  let lastAt = performance.now();
  const note = (name: string) => {
    calls.push({ name, afterMs: performance.now() - lastAt });
    lastAt = performance.now();
  };
  const frame = {
    url: () => 'http://127.0.0.1/',
    childFrames: () => [],
    async evaluate(source: string) {
      note(source.includes('zoom: 1.01') ? 'lay out again' : 'evaluate');
      return { matches: {}, canvases: [] };
    },
  };
  const session: CDPSession = Object.assign(Object.create(null), {
    async send(method: string, { clip }: { clip?: { scale: number } } = {}) {
      if (method === 'Page.getLayoutMetrics')
        return { cssContentSize: SIZE, cssVisualViewport: { pageX: 0, pageY: 0, clientWidth: 1, clientHeight: 1 } };
      note(`image at ${clip?.scale}`);
      return { data: PNG_OF_ONE_PIXEL };
    },
  });
  const browser = { browserType: () => ({ name: () => 'chromium' }) };
  const page: Page = Object.assign(Object.create(null), {
    ...{ url: frame.url, frames: () => [frame], mainFrame: () => frame, evaluate: frame.evaluate },
    ...{ viewportSize: () => SIZE, context: () => ({ browser: () => browser }) },
  });
  const state = { initScript: null, raster: null, pinnedFrames: new Set<never>(), session: async () => session };
  return { page, state: { ...state, deviceScale: 1 }, calls };
}

test.each([true, false])(
  'an image after a redraw is taken directly after the layout, perspective: %s',
  async (is3d) => {
    const { page, state, calls } = createNotingPage();
    const settings = { ...PLAIN_SETTINGS, hideCookie: false };
    const stabilizers = createStabilizers(settings.settle);
    const context = {
      ...{ page, state, settings, stabilizers, pageStyles: createPageStyles(stabilizers.css, settings) },
      ...{ deadline: createDeadline(10_000, page.url()), acceptsSolidColor: true },
    };
    const session = await createScreenshotSession(
      { page, locator: null },
      context,
      { warnings: [], cutAt: null },
      { drawsBeyondWindow: true, defersRaster: false, has3dTransforms: async () => is3d },
    );
    const shoot = async () => {
      const start = calls.length;
      await Promise.all([session.shoot(), vi.advanceTimersByTimeAsync(1_000)]);
      return calls.slice(start).map(({ name }) => name);
    };
    expect((await shoot()).at(-1)).toBe('image at 1');
    expect(calls.map(({ name }) => name)).not.toContain('lay out again');
    await session.redraw();
    expect((await shoot()).slice(-2)).toEqual(['lay out again', 'image at 1']);
    const { afterMs } = calls.findLast(({ name }) => name === 'lay out again') ?? { afterMs: 0 };
    expect(afterMs, 'milliseconds in which nothing is drawn').toBe(is3d ? 100 : 0);
  },
);
