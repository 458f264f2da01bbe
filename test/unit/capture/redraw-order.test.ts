import type { CDPSession, Page } from '@playwright/test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadline } from '../../../src/capture/deadline.js';
import { createPageStyles } from '../../../src/capture/page-styles.js';
import type { LargerImage } from '../../../src/capture/screenshot/scaled-images.js';
import { createScreenshotSession } from '../../../src/capture/screenshot/session.js';
import { createStabilizers } from '../../../src/capture/stabilize/stabilizers.js';
import type { Rectangle } from '../../../src/model/image.js';
import { PLAIN_SETTINGS } from '../core/specimens.js';

const PNG_OF_ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SIZE = { width: 640, height: 480 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Clip = Rectangle & { readonly scale: number };

/** A page of Chromium that notes the names of its calls, each with the milliseconds since the one before. */
function createNotingPage(larger: readonly LargerImage[] = []) {
  const calls: { readonly name: string; readonly afterMs: number; readonly clip: Clip | null }[] = [];
  let lastAt = performance.now();
  const note = (name: string, clip: Clip | null = null) => {
    calls.push({ name, afterMs: performance.now() - lastAt, clip });
    lastAt = performance.now();
  };
  const frame = {
    url: () => 'http://127.0.0.1/',
    childFrames: () => [],
    async evaluate(source: string) {
      note(source.includes('zoom: 1.01') ? 'lay out again' : 'evaluate');
      return { matches: {}, larger, blank: [] };
    },
  };
  const session: CDPSession = Object.assign(Object.create(null), {
    async send(method: string, { clip }: { clip?: Clip } = {}) {
      if (method === 'Page.getLayoutMetrics')
        return { cssContentSize: SIZE, cssVisualViewport: { pageX: 0, pageY: 0, clientWidth: 1, clientHeight: 1 } };
      note(`image at ${clip?.scale}`, clip);
      return { data: PNG_OF_ONE_PIXEL };
    },
  });
  const browser = { browserType: () => ({ name: () => 'chromium' }) };
  const page: Page = Object.assign(Object.create(null), {
    ...{ url: frame.url, frames: () => [frame], mainFrame: () => frame, evaluate: frame.evaluate },
    ...{ viewportSize: () => SIZE, context: () => ({ browser: () => browser }) },
  });
  const state = {
    initScript: null,
    frames: null,
    raster: null,
    pinnedFrames: new Set<never>(),
    session: async () => session,
  };
  return { page, state: { ...state, deviceScale: 1 }, calls };
}

async function createSession({ page, state }: ReturnType<typeof createNotingPage>, is3d = false) {
  const settings = { ...PLAIN_SETTINGS, hideCookie: false };
  const stabilizers = createStabilizers(settings.settle);
  const context = {
    ...{ page, state, settings, stabilizers, pageStyles: createPageStyles(stabilizers.css, settings) },
    ...{ deadline: createDeadline(10_000, page.url()), acceptsSolidColor: true },
  };
  return createScreenshotSession(
    { page, locator: null },
    context,
    { warnings: [], broken: [], cutAt: null },
    { drawsBeyondWindow: true, defersRaster: false, has3dTransforms: async () => is3d },
  );
}

test.each([true, false])(
  'an image after a redraw is taken directly after the layout, perspective: %s',
  async (is3d) => {
    const noting = createNotingPage();
    const { calls } = noting;
    const session = await createSession(noting, is3d);
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

test.each<[what: string, larger: readonly LargerImage[], parts: readonly Rectangle[]]>([
  ['no image has several sizes', [], []],
  [
    'the larger sizes of images come first, each with its part of the page',
    [
      { halvings: 2, box: { x: 10.5, y: 20, width: 100, height: 50 } },
      { halvings: 1, box: { x: -20, y: 400, width: 120, height: 200 } },
      { halvings: 1, box: { x: 300, y: 410, width: 40, height: 20 } },
    ],
    [
      { x: 0, y: 400, width: 340, height: 80 },
      { x: 10, y: 20, width: 101, height: 50 },
    ],
  ],
  ['images within a frame are drawn with the whole page', [{ halvings: 1, box: null }], [{ x: 0, y: 0, ...SIZE }]],
  ['images outside the page are not drawn', [{ halvings: 1, box: { x: 700, y: 0, width: 20, height: 20 } }], []],
])('before the first image: %s', async (_, larger, parts) => {
  const noting = createNotingPage(larger);
  const session = await createSession(noting);
  await Promise.all([session.shoot(), vi.advanceTimersByTimeAsync(1_000)]);
  const clips = noting.calls.flatMap(({ clip }) => clip ?? []);
  expect(clips).toEqual([...parts, { x: 0, y: 0, ...SIZE }].map((part) => ({ ...part, scale: 1 })));
});
