import type { Page } from '@playwright/test';
import type { Warning } from '../../model/capture.js';
import { ProofsheetError } from '../../model/errors.js';
import type { CaptureSettings } from '../../model/shot.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import type { Deadline } from '../deadline.js';
import type { PageTime } from '../in-page/page-clock.js';
import type { Network } from '../network.js';
import type { PageStyles } from '../page-styles.js';
import { MOST_FEED_HEIGHT, type ScrolledThrough, scroll, scrollThrough } from './causes/scroll.js';
import { type Pending, type Settling, warningsOf } from './stabilizers.js';

/** The lowest and the greatest height that a viewport may have. */
const HEIGHTS = { least: 100, most: 20_000 };

/** What is needed to bring a page to a standstill. */
export interface CaptureContext {
  readonly page: Page;
  readonly settings: CaptureSettings;
  readonly settling: Settling;
  readonly pageStyles: PageStyles;
  readonly network: Network;
  readonly time: PageTime;
  readonly deadline: Deadline;
  /** The page was opened by someone else, and our scripts were not there from its start. */
  readonly foreign: boolean;
  /** An image of one color is one like any other. */
  readonly acceptsSolidColor: boolean;
}

/** A page that stands still, as far as could be brought about. */
export interface StablePage {
  readonly warnings: readonly Warning[];
  /** Where an endless page has to be cut, in CSS pixels from its top; null: nowhere. */
  readonly cutAt: number | null;
}

/**
 * Brings a page to a standstill: takes out of sight what is to be unseen, has it show what it shows only when it is scrolled
 * to, waits for `delay` and then until nothing is on its way any more.
 *
 * @throws ProofsheetError `page-selector`, `page-timeout`, `page-too-tall`.
 */
export async function stabilizePage(captureContext: CaptureContext): Promise<StablePage> {
  const { page, settings, pageStyles, time, deadline } = captureContext;
  await deadline.race('hiding elements', pageStyles.apply(page));
  if (settings.hideCookie) await deadline.race('hiding cookie banners', hideCookieBanners(page));
  const scrolled = await scrollDown(captureContext);
  if (settings.delayMs > 0) await deadline.race('waiting for `delay`', time.pass(settings.delayMs));
  let pending = await deadline.race('waiting for the page to settle', settle(captureContext));
  if (settings.contentHeight) {
    await deadline.race('taking the height of the content', takeContentHeight(page));
    pending = await deadline.race('waiting for the page to settle', settle(captureContext));
  }
  return { warnings: [...scrolled.warnings, ...tell(pending, captureContext)], cutAt: scrolled.cutAt };
}

/** How long a look takes at which there is nothing to wait for; and after how long something is given up rather. */
const LOOK_MS = { idle: 50, long: 2_000 };

/** What was waited for may have brought more that has to be: frames, and pictures that a script has put in. */
async function settle(captureContext: CaptureContext): Promise<Pending> {
  for (let looks = 1; ; looks++) {
    const start = performance.now();
    const pending = await awaitCauses(captureContext);
    const tookMs = performance.now() - start;
    if (looks === MOST_LOOKS || tookMs < LOOK_MS.idle || tookMs >= LOOK_MS.long) return pending;
  }
}

const MOST_LOOKS = 3;

/** All causes at once: what the page tells from inside, and what its requests tell from outside. */
async function awaitCauses({ page, settings: { settle: on }, settling, network }: CaptureContext): Promise<Pending> {
  const start = performance.now();
  const inside = await settling.wait(page);
  const left = (capMs: number) => Math.max(0, start + capMs - performance.now());
  // Pictures of a style are no elements of the document; of a font that does not come, only its request has a name.
  const [images, fonts] = await Promise.all([
    on.images ? network.quiet(['image'], left(2_000)) : [],
    on.fonts ? network.quiet(['font'], left(1_000)) : [],
  ]);
  return {
    ...inside,
    images: [...new Set([...(inside.images ?? []), ...images])],
    fonts: fonts.length > 0 ? fonts : (inside.fonts ?? []),
  };
}

function tell(pending: Pending, { network }: CaptureContext): Warning[] {
  return [...warningsOf(pending), ...network.broken(new Set(Object.values(pending).flat()))];
}

async function scrollDown(captureContext: CaptureContext): Promise<StablePage> {
  const { page, settings, deadline } = captureContext;
  const wholePage = settings.fullSize || settings.contentHeight || settings.format === 'pdf';
  if (!settings.settle.scroll || !wholePage) return { warnings: [], cutAt: null };
  const { cutAt, complete } = await deadline.race('scrolling through the page', scrollToEnd(captureContext));
  const warnings = [
    ...(complete ? [] : [{ code: scroll.name, message: `${scroll.explanation}: ${page.url()}` }]),
    ...(cutAt === null ? [] : [{ code: scroll.name, message: `the page grows without end: it is cut at ${cutAt} px` }]),
  ];
  return { warnings, cutAt };
}

/** Goes down again where an answer to what was asked on the way has made the page taller since. */
async function scrollToEnd({ page, network, foreign: always }: CaptureContext): Promise<ScrolledThrough> {
  const start = performance.now();
  let most = MOST_FEED_HEIGHT;
  for (let from = 0; ; ) {
    const left = Math.max(0, start + scroll.capMs - performance.now());
    const way = await page.evaluate(scrollThrough, { most, capMs: left, always, from });
    if (way.cutAt !== null || !way.complete || !way.scrolled) return way;
    most = way.most;
    await network.quiet(['fetch', 'xhr'], Math.min(ANSWER_MS, left), start);
    // A header that grows again at the top is nothing new.
    const known = Math.max(way.heights.before, way.heights.atEnd);
    if ((await page.evaluate(pageHeight)) <= known) return way;
    if (performance.now() - start > scroll.capMs) return { ...way, complete: false };
    from = way.heights.atEnd;
  }
}

/** How long an answer to what was asked while the page was scrolled is waited for. */
const ANSWER_MS = 1_000;

/** Runs in the page. */
function pageHeight(): number {
  return (document.scrollingElement ?? document.documentElement).scrollHeight;
}

/** @throws ProofsheetError `page-too-tall` where the content is taller than a viewport can be. */
async function takeContentHeight(page: Page): Promise<void> {
  const content = await page.evaluate(contentSize);
  if (content.height > HEIGHTS.most)
    throw new ProofsheetError({
      code: 'page-too-tall',
      where: page.url(),
      found: `its content is ${content.height} px tall, and a viewport can be ${HEIGHTS.most} px`,
      advice: 'Use `fullSize: true` with a fixed height instead of `height: null`.',
    });
  await page.setViewportSize({ width: content.width, height: Math.max(HEIGHTS.least, content.height) });
}

/** Runs in the page. Of a page that is shorter than the window, `scrollHeight` only tells the window's height. */
function contentSize(): { width: number; height: number } {
  const root = document.scrollingElement ?? document.documentElement;
  const own = document.documentElement.getBoundingClientRect().bottom + scrollY;
  return { width: innerWidth, height: Math.ceil(root.scrollHeight > innerHeight ? root.scrollHeight : own) };
}
