import { chromium, expect, type Page } from '@playwright/test';
import type { SettleName } from '../../../src/model/page-fields.js';
import type { CaptureSettings } from '../../../src/model/shot.js';
import { expectAlarm, inTurns, take, takeBaseline, tell, test } from './settle.js';

/** A page that is the same however often it is captured. */
interface Specimen {
  readonly path: string;
  /** The server is another number of milliseconds late at every capture; given as `late` to the page. */
  readonly isLate?: true;
  readonly same?: RegExp;
}

const SPECIMENS = {
  load: { path: 'load/', isLate: true },
  fonts: { path: 'fonts/', isLate: true },
  images: { path: 'images/', isLate: true },
  layout: { path: 'layout/' },
  busy: { path: 'busy/', isLate: true },
  animations: { path: 'animations/' },
  motion: { path: 'motion/' },
  videos: { path: 'videos/', isLate: true },
  caret: { path: 'caret/' },
  scroll: { path: 'scroll/' },
  random: { path: 'random/' },
  gifs: { path: 'gifs/' },
  'a carousel of timeouts, which goes on once and stands still then': {
    path: 'motion/?only=timeouts',
    same: /^the same/,
  },
  'a picture before a background of its own, before and after it was decoded': { path: 'images/opaque.html' },
} satisfies Record<Exclude<SettleName, 'scrollbars' | 'spelling'>, Specimen> & Record<string, Specimen>;

for (const [name, { path, isLate, same = /^the same, image 1$/ }] of Object.entries<Specimen>(SPECIMENS))
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

test('gifs: a browser without our flag is shown the first frame of an image, unless that is switched off', {
  tag: '@soak',
}, async ({ captures, launchOptions, site }) => {
  const url = `${site.url}/gifs/?only=element`;
  // With the flag, the switch says nothing to Chromium.
  const args = launchOptions.args?.map((flag) => flag.replace(/,?imageAnimationPolicy=\d/, '')) ?? [];
  const plain = await chromium.launch({ ...launchOptions, args });
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

test('scrollbars: a browser with a window shows none, unless that is switched off', async ({
  captures,
  launchOptions,
  site,
}) => {
  const url = `${site.url}/scrollbars/`;
  // Playwright hides them where there is no window. While it captures more than its window, Chromium hides them by itself.
  const barred = await chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
  const plain = await chromium.launch(launchOptions);
  const wish = { control: 'nothing', settings: { fullSize: false } } as const;
  try {
    const { image } = (await take(plain, url, wish)).capture;
    await inTurns(captures / 3, 1, async (turn) => {
      expect(tell(await take(barred, url, { ...wish, turn }), image.bytes), `capture ${turn}`).toContain('the same');
    });
    // The first image: from the second one on, Chromium has hidden them by itself.
    const off = { ...wish, settle: { scrollbars: false }, isExpected: () => true };
    await expectAlarm(barred, url, off, image.bytes);
  } finally {
    await barred.close();
    await plain.close();
  }
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
