import { test as base, type Browser, chromium, expect } from '@playwright/test';
import { type SlowSite, serveSlowly } from '../../fixtures/settle/server.js';
import { chooseBrowser, REPEATABLE_FLAGS } from '../../src/browser/launch.js';
import { capturePage } from '../../src/capture/capture.js';
import { decodeImage } from '../../src/image/decode.js';
import { inspectImage } from '../../src/image/inspect.js';
import type { CaptureResult } from '../../src/model/capture.js';
import type { EncodedImage, Pixels } from '../../src/model/image.js';
import type { CaptureSettings } from '../../src/model/plan.js';
import { SETTLE_NAMES, type SettleName, type SettleSwitches } from '../../src/model/settle.js';
import { DEFAULTS } from '../../src/plan/defaults.js';

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);
const launchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [
    ...REPEATABLE_FLAGS,
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--disable-background-networking',
  ],
};

const test = base.extend<object, { site: SlowSite }>({
  site: [
    // biome-ignore lint/correctness/noUnusedFunctionParameters: Playwright wants the pattern.
    async ({}, use) => {
      const site = await serveSlowly();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
});

test.use({ viewport: { width: 640, height: 480 }, launchOptions });

const CAPTURES = 30;

/** A page that is told apart from itself by one cause alone. */
interface Specimen {
  /** What is captured, however slow the server is at that turn. */
  readonly path: (turn: number) => string;
  /** Why the number of captures is smaller than {@link CAPTURES}, and what it is. */
  readonly fewer?: number;
  /** Where it alarms when its stabiliser is off: each of them does. */
  readonly alarms: Readonly<Record<string, string>>;
  /** How: see {@link ALARMS}. */
  readonly how?: keyof typeof ALARMS;
}

/** What is called an alarm. */
const ALARMS = {
  'the image that is taken is another, or there is none that stands still': () => false,
  'the first image is another, and only looking on mends it': () => true,
};

const late = (folder: string) => (turn: number) => `${folder}/?ms=${(turn * 37) % 300}`;
const always = (path: string) => () => path;

const SPECIMENS: Readonly<Partial<Record<SettleName, Specimen>>> = {
  load: { path: late('load'), alarms: { 'a script that takes 3.5 s': 'load/?ms=3500' } },
  fonts: { path: late('fonts'), alarms: { 'a font that takes 3.5 s': 'fonts/?ms=3500' } },
  images: {
    path: late('images'),
    alarms: Object.fromEntries(
      ['lazy', 'late', 'background', 'shadow', 'rendered', 'frame'].map((kind) => [
        kind,
        `images/?only=${kind}&ms=${kind === 'late' || kind === 'background' ? 3500 : 0}`,
      ]),
    ),
  },
  layout: {
    path: (turn) => `layout/?steps=12`,
    alarms: { 'content that comes in steps': 'layout/?steps=12' },
    how: 'the first image is another, and only looking on mends it',
  },
  busy: { path: late('busy'), alarms: { 'a region that is filled after 1.5 s': 'busy/?ms=1500' } },
  animations: {
    path: always('animations/'),
    alarms: Object.fromEntries(
      ['spinner', 'pseudo', 'shadow', 'script', 'transition', 'marquee'].map((kind) => [kind, `animations/?only=${kind}`]),
    ),
  },
  motion: { path: always('motion/'), alarms: { 'a canvas drawn in every frame': 'motion/' } },
  videos: { path: late('videos'), alarms: { 'a video that plays': 'videos/' } },
  gifs: {
    path: always('gifs/'),
    alarms: { 'an image': 'gifs/?only=element', 'a background': 'gifs/?only=background' },
  },
  caret: { path: always('caret/'), alarms: { 'a field with the focus': 'caret/' } },
  scroll: { path: always('scroll/'), alarms: { 'content that appears when it is scrolled to': 'scroll/' } },
  random: { path: always('random/'), alarms: { 'a layout by chance': 'random/' } },
};

for (const name of SETTLE_NAMES) {
  const specimen = SPECIMENS[name];
  if (!specimen) continue;
  const { path, alarms, how = 'the image that is taken is another, or there is none that stands still' } = specimen;

  test(`${name}: ${CAPTURES} captures are equal to the byte`, async ({ browser, site }) => {
    const baseline = await takeBaseline(browser, `${site.url}/${path(0)}`);
    const shots: number[] = [];
    for (let turn = 1; turn <= CAPTURES; turn++) {
      const result = await take(browser, `${site.url}/${path(turn)}`, { turn, isExpected: (bytes) => bytes.equals(baseline) });
      expect(outcomeOf(result, baseline), `capture ${turn}`).toBe('the same');
      shots.push(result.capture.shots);
    }
    test.info().annotations.push({ type: 'shots', description: shots.join(' ') });
    console.log(name, shots.join(' '));
  });

  for (const [kind, path] of Object.entries(alarms))
    test(`${name}: without it ${kind} alarms: ${how}`, async ({ browser, site }) => {
      const baseline = await takeBaseline(browser, `${site.url}/${path.replace(/ms=\d+/, 'ms=0')}`);
      let outcome = 'the same';
      let turn = 0;
      for (; turn < CAPTURES && outcome === 'the same'; turn++) {
        const off = { turn, timeoutMs: 8000, settle: { [name]: false }, isExpected: ALARMS[how] };
        const result = await take(browser, `${site.url}/${path}`, off);
        outcome = outcomeOf(result, baseline);
      }
      console.log(name, kind, outcome, turn);
      expect(outcome).toMatch(/another|unstable/);
    });
}

/** How one capture is to be taken. */
interface Wish {
  /** Every turn has another processor and another moment. */
  readonly turn?: number;
  readonly settle?: Partial<SettleSwitches>;
  readonly settings?: Partial<CaptureSettings>;
  readonly isExpected?: (bytes: Buffer) => boolean;
  readonly timeoutMs?: number;
}

async function take(browser: Browser, url: string, wish: Wish): Promise<CaptureResult> {
  const { turn = 0, settle = {}, settings = {}, isExpected = () => false, timeoutMs = 30_000 } = wish;
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 + (turn % 4) });
    await new Promise((resolve) => setTimeout(resolve, (turn * 53) % 41));
    const credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };
    const all = { ...SETTINGS, ...settings, settle: { ...DEFAULTS.settle, ...settle } };
    const target = { url, httpStatus: null, finalUrl: null, credentials };
    return await capturePage(page, target, all, { timeoutMs, isExpected, readImage });
  } finally {
    await context.close();
  }
}

const SETTINGS: CaptureSettings = {
  format: 'png',
  quality: 100,
  fullSize: true,
  contentHeight: false,
  scale: 'css',
  element: null,
  waitFor: [],
  actions: [],
  javascriptCode: null,
  delayMs: 0,
  hide: [],
  remove: [],
  mask: [],
  strictMasks: false,
  hideCookie: false,
  clock: null,
  settle: DEFAULTS.settle,
};

async function takeBaseline(browser: Browser, url: string): Promise<Buffer> {
  const result = await take(browser, url, {});
  expect(result.kind).toBe('settled');
  if (process.env.KEEP) (await import('node:fs')).writeFileSync(`/tmp/settle/base-${url.replace(/\W+/g, '_').slice(20)}.png`, result.capture.image.bytes);
  return result.capture.image.bytes;
}

function outcomeOf({ kind, capture }: CaptureResult, baseline: Buffer): string {
  if (kind === 'unstable') return 'unstable';
  return capture.image.bytes.equals(baseline) ? 'the same' : `another: ${JSON.stringify(capture.image.size)}`;
}

function readImage(bytes: Buffer): EncodedImage {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'image') throw new Error(`no image: ${inspection.kind}`);
  return inspection.image;
}
