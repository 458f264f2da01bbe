import { chromium, expect, type LaunchOptions, type Page } from '@playwright/test';
import type { CaptureSettings } from '../../../src/model/shot.js';
import { expectAlarm, inTurns, SPECIMENS, type Specimen, take, takeBaseline, tell, test } from './settle.js';

/** Captures that are not those of a stabilizer alone, and what of the image counts. */
const OTHERS: Readonly<Record<string, Specimen & { readonly same?: RegExp }>> = {
  gifs: { path: 'gifs/' },
  'a carousel of timeouts, which goes on once and stands still then': {
    path: 'motion/?only=timeouts',
    same: /^the same/,
  },
  'a picture before a background of its own, before and after it was decoded': { path: 'images/opaque.html' },
};

for (const [name, { path, isLate, same = /^the same, image 1$/ }] of Object.entries({
  ...SPECIMENS,
  ...OTHERS,
} as typeof OTHERS))
  test(`${name}: captures are equal to the byte`, async ({ browser, captures, site }) => {
    const at = (turn: number) => `${site.url}/${path}${isLate ? `?late=${(turn * 37) % 300}` : ''}`;
    const baseline = await takeBaseline(browser, at(0));
    await inTurns(captures, 3, async (turn) => {
      const result = await take(browser, at(turn), { turn, isExpected: (bytes) => bytes.equals(baseline) });
      expect(tell(result, baseline), `capture ${turn}`).toMatch(same);
    });
  });

test('fonts: a closed list looks the same, whether it was there before its font or came after', async ({
  browser,
  site,
}) => {
  const after = await takeBaseline(browser, `${site.url}/fonts/lists.html?after`);
  expect(tell(await take(browser, `${site.url}/fonts/lists.html`, {}), after)).toMatch(/^the same/);
});

test('motion: what a list waits for may be the work of a slow timer', async ({ browser, site }) => {
  const url = `${site.url}/motion/?only=interval`;
  const settings: Partial<CaptureSettings> = { waitFor: [{ kind: 'text', text: 'Slide 3' }] };
  const first = await take(browser, url, { settings });
  expect(first.kind).toBe('settled');
  const again = await take(browser, url, { settings });
  expect(again.capture.image.bytes.equals(first.capture.image.bytes)).toBe(true);
});

test.describe('gifs', () => {
  // The switch says nothing to Chromium, which was told by a flag when it was launched: so it is launched without.
  const withoutFlag = (options: LaunchOptions) => ({
    ...options,
    args: options.args?.map((flag) => flag.replace(/,?imageAnimationPolicy=\d/, '')) ?? [],
  });
  test('a browser that has no such flag is shown the first frame of an image, unless that is switched off', {
    tag: '@soak',
  }, async ({ captures, launchOptions, site }) => {
    const url = `${site.url}/gifs/?only=element`;
    const plain = await chromium.launch(withoutFlag(launchOptions));
    const control = 'nothing';
    try {
      const { image } = (await take(plain, url, { control })).capture;
      await inTurns(captures / 3, 1, async (turn) => {
        expect(tell(await take(plain, url, { control, turn }), image.bytes), `capture ${turn}`).toContain('the same');
      });
      await expectAlarm(plain, url, { control, settle: { gifs: false }, timeoutMs: 12_000 }, image.bytes);
    } finally {
      await plain.close();
    }
  });
});

test.describe('scrollbars', () => {
  // Playwright hides them where there is no window; a browser with a window has them. While it captures more than its
  // window, Chromium hides them by itself.
  const withBars = (options: LaunchOptions) => ({ ...options, ignoreDefaultArgs: ['--hide-scrollbars'] });
  const settings = { fullSize: false };

  test('a browser with scrollbars shows none, unless that is switched off', async ({
    captures,
    launchOptions,
    site,
  }) => {
    const url = `${site.url}/scrollbars/`;
    const control = 'nothing';
    const barred = await chromium.launch(withBars(launchOptions));
    const plain = await chromium.launch(launchOptions);
    try {
      const { image } = (await take(plain, url, { control, settings })).capture;
      await inTurns(captures / 3, 1, async (turn) => {
        const result = await take(barred, url, { control, turn, settings });
        expect(tell(result, image.bytes), `capture ${turn}`).toContain('the same');
      });
      // The first image: from the second one on, Chromium has hidden them by itself.
      const off = { control, settings, settle: { scrollbars: false }, isExpected: () => true } as const;
      await expectAlarm(barred, url, off, image.bytes);
    } finally {
      await barred.close();
      await plain.close();
    }
  });
});

test('spelling: words unknown to a dictionary are not marked', async ({ browser, site }) => {
  // A headless Chromium has no dictionary, so nothing can alarm: what is to be seen is that the style is in force.
  const lineOf = (page: Page) =>
    page.evaluate(() => {
      const editor = document.querySelector('#editor');
      return editor && getComputedStyle(editor, '::spelling-error').textDecorationLine;
    });
  const lines: unknown[] = [];
  for (const spelling of [true, false])
    await take(browser, `${site.url}/spelling/`, {
      settle: { spelling },
      after: async (page) => lines.push(await lineOf(page)),
    });
  expect(lines[0]).toBe('none');
  expect(lines[1]).not.toBe('none');
});

test('the clock goes on, and stands still only when it is asked for', async ({ browser, captures, site }) => {
  const url = `${site.url}/clock/`;
  const baseline = await takeBaseline(browser, url);
  expect(tell(await take(browser, url, { turn: 1 }), baseline)).toMatch(/^another/);
  const settings = { clock: Date.UTC(2030, 0, 1) };
  const first = await take(browser, url, { settings });
  await inTurns(captures, 3, async (turn) => {
    expect(tell(await take(browser, url, { turn, settings, isExpected: () => true }), first.capture.image.bytes)).toBe(
      'the same, image 1',
    );
  });
});
