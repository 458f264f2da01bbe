import type { Page } from '@playwright/test';
import { type CaptureSettings, messageOf } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { evaluateInFrames, openRoots, type Root } from './in-page/frames.js';
import { isNavigation, LateNavigation } from './navigation.js';
import { LIVED_MS } from './page-clock.js';
import { hasInteractions } from './prepare-page.js';
import type { Subject } from './screenshot/screenshot-backend.js';
import { scrollDown } from './scroll-down.js';

/** The first part of that time is drawn as often as on a screen, if the page counts its frames: steps of animations need a frame each. */
const SCREEN = { ms: 1_500, stepMs: 1000 / 60, laterStepMs: 100 };

/** The moment to which a page is brought after its interactions: a multiple of this time, in milliseconds. */
const INTERACTED_MS = 10_000;

/**
 * Lets the page live until late content has arrived, and scrolls through it, if a script of it reacts to that.
 *
 * @throws LateNavigation if the page navigates meanwhile
 */
export async function letLive(context: CaptureContext, subject: Subject, runsTimers: boolean): Promise<void> {
  const { settings, deadline, stopwatch } = context;
  const lived = deadline.race('letting the page live', passTime(context, runsTimers));
  await stopwatch.settle('live', lived).catch((cause: unknown) => {
    throw isNavigation(cause) ? new LateNavigation(messageOf(cause)) : cause;
  });
  if (capturesWhole(settings, subject) && settings.settle.scroll && !hasInteractions(settings))
    await stopwatch.settle('scroll', deadline.race('scrolling through the page', scrollDown(context)));
}

/** More than the first window of the page is captured. */
export function capturesWhole({ fullSize, contentHeight, format }: CaptureSettings, { locator }: Subject): boolean {
  return fullSize || contentHeight || format === 'pdf' || locator !== null;
}

async function passTime({ page, clock, settings, pageStyles }: CaptureContext, runsTimers: boolean): Promise<void> {
  await pageStyles.apply(page);
  if (hasInteractions(settings) && runsTimers) {
    await clock.align(INTERACTED_MS);
    await restartAnimations(page);
  }
  const livedMs = Math.max(settings.settle.layout ? LIVED_MS : 0, settings.lateMs);
  const uses = await readUses(page);
  if (uses.some(({ sharedWorker }) => sharedWorker)) clock.noteOwnClock();
  if (runsTimers && uses.some(({ frames }) => frames)) {
    await clock.pass(Math.min(SCREEN.ms, livedMs), SCREEN.stepMs);
    await clock.pass(livedMs - SCREEN.ms, SCREEN.laterStepMs);
  } else await clock.pass(runsTimers ? livedMs : 0);
  await clock.pass(settings.delayMs);
}

/** What the scripts of a document use. */
interface Uses {
  readonly frames: boolean;
  readonly sharedWorker: boolean;
}

function readUses(page: Page): Promise<Uses[]> {
  const read =
    '({ asksForFrames = false, hasSharedWorker = false }) => ({ frames: asksForFrames, sharedWorker: hasSharedWorker })';
  return evaluateInFrames<Uses>(page, `(${read})(window.__proofsheet ?? {})`);
}

/** Starts endless animations at one moment: interactions may have started them at another one in each run. */
async function restartAnimations(page: Page): Promise<void> {
  await evaluateInFrames(page, `(${String(restartEndless)})((${String(openRoots)})())`);
}

/** Runs in the page. */
function restartEndless(roots: readonly Root[]): void {
  for (const animation of roots.flatMap((root) => root.getAnimations()))
    if (animation.playState === 'running' && animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.startTime = document.timeline.currentTime;
}
