import type { Page } from '@playwright/test';
import { readCalls } from '../browser/isolation-check.js';
import { createPageState, isChromium, type PageState } from '../browser/page-state.js';
import { createStopwatch, pause, repeatDuring, type Stopwatch } from '../browser/timing.js';
import type { CaptureResult, Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { SeenLoad } from '../model/reuse.js';
import type { CaptureSettings, Target } from '../model/shot.js';
import { showCookieBanners } from './cookies/hide-banners.js';
import { createDeadline, untilCrash } from './deadline.js';
import { createFrameClock, type FrameClock } from './frames/frame-clock.js';
import { stabilizersInFrames, takeInFrames } from './frames/take-in-frames.js';
import { type PageTime, REAL_TIME } from './in-page/page-clock.js';
import { type Awaited, awaitConditions, runActions, runScript, startResponseWaits } from './interactions.js';
import { removeMasks } from './masks.js';
import {
  awaitAddress,
  awaitPage,
  checkAddress,
  checkStatus,
  isNavigation,
  isWeb,
  LateNavigation,
  type Navigations,
  openPage,
  watchNavigations,
} from './navigation.js';
import { listSome, type Network, watchNetwork } from './network.js';
import { createPageStyles, removeStyle } from './page-styles.js';
import { hasInteractions, preparePage } from './prepare-page.js';
import type { Subject } from './screenshot/backend.js';
import { defersRaster, type ImageOptions, takeCapture } from './screenshot/take-capture.js';
import { holdAnimations, releaseAnimations } from './stabilize/causes/animations.js';
import { load } from './stabilize/causes/load.js';
import type { CaptureContext, PreparationContext } from './stabilize/stabilize-page.js';
import { createStabilizers } from './stabilize/stabilizers.js';
import { awaitStory } from './story.js';
import { watchVanishing } from './vanished.js';

/** Dependencies of a capture that the caller provides. */
export interface CaptureOptions extends ImageOptions {
  readonly timeoutMs: number;
  /** Delay of each response, in milliseconds. In Chromium only. @default 0 */
  readonly networkDelayMs?: number;
  /**
   * Animations are held at their start until the page is loaded, unless `settle` switches the stabilizer `animations` off. In
   * Chromium only. @default true if time is controlled: they follow that time
   */
  readonly holdsAnimations?: boolean;
  /** Measures the steps of the capture. @default one that nobody reads */
  readonly stopwatch?: Stopwatch;
  /** The state of a page that is captured several times. @default the state of a page that was just opened */
  readonly state?: PageState;
  /** Receives the requests of each load of the page. @default nobody does */
  readonly recordLoad?: (load: SeenLoad) => void;
}

/** Maximum number of navigations during one capture. */
const MAX_NAVIGATIONS = 3;

/**
 * Opens a page and captures it. Captures it again if the page navigates meanwhile.
 *
 * @throws ProofsheetError with one of the `page-` codes if there is no screenshot to compare.
 */
export async function capturePage(
  page: Page,
  target: Target,
  settings: CaptureSettings,
  options: CaptureOptions,
): Promise<CaptureResult> {
  const context = createContext(page, settings, options, target.url);
  const { network, deadline, stopwatch } = context;
  const isHolding = options.holdsAnimations || options.time === 'controlled';
  const holdsAnimations = isHolding && settings.settle.animations && isChromium(page) && !context.clock;
  return untilCrash(page, async () => {
    const preparation = preparePage(context, target, {
      drawsBeyondWindow: options.drawsBeyondWindow,
      defersRaster: defersRaster(options) && !context.clock,
      time: options.time ?? 'real',
      networkDelayMs: context.clock ? 0 : (options.networkDelayMs ?? 0),
      holdsAnimations,
    });
    const time = await stopwatch.time('navigate', deadline.race('preparing the page', preparation));
    const navigations = watchNavigations(page);
    const awaited = startResponseWaits(page, settings.waitFor);
    try {
      const warnings = await openDocument(context, target);
      const acceptsSolidColor = target.accepts?.solidColor ?? false;
      const captureContext = { ...context, time, isOpenPage: false, holdsAnimations, acceptsSolidColor };
      const document = { warnings, awaited, address: target, runsTimers: true };
      const result = await captureThroughNavigations(captureContext, target, options, navigations, document);
      if (options.recordLoad) options.recordLoad(await readLoad(page, network));
      return result;
    } finally {
      navigations.stop();
      network.stop();
    }
  });
}

async function readLoad(page: Page, network: Network): Promise<SeenLoad> {
  // Read before the others: it is the state at the time of the last screenshot.
  const { requests, channels } = network.seen();
  const [calls, cookies] = await Promise.all([readCalls(page), page.context().cookies()]);
  return { requests, channels: [...new Set([...channels, ...calls])], hasCookies: cookies.length > 0 };
}

/** Creates the part of a capture context that {@link capturePage} and {@link captureOpenPage} share. Starts to track requests. */
function createContext(
  page: Page,
  settings: CaptureSettings,
  options: CaptureOptions,
  url: string,
): PreparationContext {
  const { settle } = settings;
  const state = options.state ?? createPageState(page);
  const switches = state.frames ? stabilizersInFrames(settle) : settle;
  const stabilizers = createStabilizers(options.time === 'controlled' ? { ...switches, random: true } : switches);
  const network = watchNetwork(page);
  return {
    page,
    state,
    clock: state.frames && createFrameClock(state.frames, page, network),
    settings,
    stabilizers,
    pageStyles: createPageStyles(stabilizers.css, settings),
    network,
    deadline: createDeadline(options.timeoutMs, url),
    stopwatch: options.stopwatch ?? createStopwatch(),
  };
}

/** Opens the page. If its clock is controlled, it lives for a moment: as long as it loads. */
async function openDocument(context: PreparationContext, target: Target): Promise<Warning[]> {
  const { page, clock, settings, network, deadline, stopwatch } = context;
  const until = clock ? 'commit' : settings.settle.load ? 'load' : 'domcontentloaded';
  const warnings = await stopwatch.time('navigate', openPage(page, target, network, deadline, until));
  if (!clock) return warnings;
  return stopwatch.time('navigate', deadline.race('loading the page', awaitLoad(page, clock, network)));
}

/** Where the time of a page begins that has loaded, in milliseconds of its time: how long it loads depends on the machine. */
const LOADED_MS = 100;

/** Lets a page live for a moment: its time is paused while it loads. */
async function awaitLoad(page: Page, clock: FrameClock, network: Network): Promise<Warning[]> {
  await clock.until(page.waitForLoadState('domcontentloaded', { timeout: 0 }));
  await clock.align(LOADED_MS);
  const waiting = network.givenUp();
  if (waiting.length === 0) return [];
  return [{ code: load.name, message: `${load.explanation}: no response for ${listSome(waiting)}` }];
}

/** A page that was opened, and what applies to the document that it shows. */
interface OpenedDocument {
  readonly warnings: readonly Warning[];
  readonly awaited: Awaited;
  /** Where the page must be. */
  readonly address: Pick<Target, 'url' | 'finalUrl' | 'accepts'>;
  /** The timers that are due before the first screenshot run. */
  readonly runsTimers: boolean;
}

/**
 * Runs the interactions and captures the page, again after each reload. Actions of the list may navigate to another URL. Any
 * other navigation to another URL is an error.
 */
async function captureThroughNavigations(
  captureContext: CaptureContext,
  target: Target,
  options: CaptureOptions,
  navigations: Navigations,
  first: OpenedDocument,
): Promise<CaptureResult> {
  const { page, settings, deadline } = captureContext;
  const hasActions = settings.actions.length > 0;
  let opened = hasActions ? await navigateByActions(captureContext, target, navigations, first) : first;
  for (let count = 0; count <= MAX_NAVIGATIONS; count++) {
    const { warnings, awaited, address, runsTimers } = opened;
    const documentContext = { ...captureContext, deadline: deadline.until(navigations.next()) };
    try {
      // The actions navigated to this page. Do not repeat the interactions here: they could navigate to another one.
      if (!hasActions) await runInteractions(documentContext, awaited);
      const opening = { url: target.url, warnings, check: () => checkAddress(page, address), runsTimers };
      const { clock } = documentContext;
      const subject = subjectOf(page, settings);
      return clock
        ? await takeInFrames(documentContext, clock, subject, options, opening)
        : await takeCapture(documentContext, subject, options, opening);
    } catch (cause) {
      if (!isNavigation(cause)) throw cause;
      captureContext.clock?.abandon();
      if (cause instanceof LateNavigation && runsTimers && !hasActions) {
        // The page is captured as it was before its timers navigate.
        opened = { ...opened, ...(await reopen(captureContext, target)), runsTimers: false };
        continue;
      }
      // Another document has replaced the page: the earlier warnings do not apply to it.
      opened = { ...opened, warnings: await awaitDocument(captureContext, target, navigations) };
      // Do not run the script on a page that is not http or https: it could navigate there again.
      if (!isWeb(page)) checkAddress(page, address);
    }
  }
  throw new ProofsheetError({
    code: 'page-moving',
    where: target.url,
    found: `the page reloaded ${MAX_NAVIGATIONS + 1} times during the capture`,
    advice: 'Capture the page in a state in which it does not reload.',
  });
}

/**
 * Runs the interactions of a page with actions, and waits for the document to which they navigated.
 *
 * @throws ProofsheetError `page-action` if an interaction does not end because the page navigated.
 */
async function navigateByActions(
  captureContext: CaptureContext,
  target: Target,
  navigations: Navigations,
  opened: OpenedDocument,
): Promise<OpenedDocument> {
  const { page, deadline } = captureContext;
  const isAnywhere = target.finalUrl === null;
  if (isAnywhere) checkAddress(page, target);
  await runInteractions(captureContext, opened.awaited).catch((cause: unknown) => {
    if (!isNavigation(cause)) throw cause;
    throw new ProofsheetError({
      code: 'page-action',
      where: target.url,
      found: 'the page navigated while an action or `javascriptCode` ran',
      advice: 'After the action that navigates, add a `wait` action for an element of the next page.',
    });
  });
  if (!isAnywhere) await awaitAddress(page, target.finalUrl, deadline);
  const warnings = [...opened.warnings, ...(await awaitDocument(captureContext, target, navigations))];
  const address = isAnywhere ? { url: page.url(), finalUrl: null } : opened.address;
  return { ...opened, warnings, address };
}

/** Waits for the document that a navigation of the page loads. Returns its warnings. */
function awaitDocument(
  { page, clock, settings, network, deadline, stopwatch }: CaptureContext,
  target: Target,
  navigations: Navigations,
): Promise<Warning[]> {
  if (clock) {
    checkStatus(navigations.status(), target);
    return stopwatch.time('navigate', deadline.race('loading the page', awaitLoad(page, clock, network)));
  }
  const loaded = awaitPage(page, target, navigations.status(), network, deadline, settings.settle.load);
  return stopwatch.time('navigate', deadline.race('loading the page', loaded));
}

/** Opens the page again, as it was opened first. */
async function reopen(context: CaptureContext, target: Target): Promise<Pick<OpenedDocument, 'warnings' | 'awaited'>> {
  const { page, state, settings, holdsAnimations } = context;
  if (holdsAnimations) await holdAnimations(state);
  const awaited = startResponseWaits(page, settings.waitFor);
  return { awaited, warnings: await openDocument(context, target) };
}

/** Waits for the story, and runs `waitFor`, `actions` and `javascriptCode` of the list. */
async function runInteractions(captureContext: CaptureContext, awaited: Awaited): Promise<void> {
  const { page, state, clock, settings, deadline, time, stopwatch, holdsAnimations } = captureContext;
  if (!hasInteractions(settings)) return;
  const run = async () => {
    if (holdsAnimations && !time.isControlled) await releaseAnimations(state);
    if (settings.story !== null) await awaitStory(page, settings.story, deadline);
    await awaitConditions(page, settings.waitFor, awaited, deadline);
    if (clock) await watchVanishing(page);
    await runActions(page, settings.actions, deadline);
    await deadline.race('running `javascriptCode`', runScript(page, settings.javascriptCode));
  };
  const inPageTime = (work: Promise<void>) => (time.isControlled ? passDuring(time, work) : work);
  await stopwatch.time('navigate', clock ? clock.during(run()) : inPageTime(run()));
}

/** Advances controlled time until `work` ends: what it waits for may be the work of a timer. */
function passDuring(time: PageTime, work: Promise<void>): Promise<void> {
  return repeatDuring(work, 0, async () => {
    await Promise.all([time.pass(STEP_MS), pause(STEP_MS)]);
    return true;
  });
}

/** Interval in which controlled time advances during interactions, in milliseconds of both times. */
const STEP_MS = 100;

function subjectOf(page: Page, { element }: CaptureSettings): Subject {
  return { page, locator: element === null ? null : page.locator(element) };
}

/** Captures a page that is already open, or one element of it, and restores the page afterwards. */
export async function captureOpenPage(
  subject: Subject,
  settings: CaptureSettings,
  options: CaptureOptions,
): Promise<CaptureResult> {
  const { page } = subject;
  const context = createContext(page, settings, options, page.url());
  const { network, stabilizers } = context;
  return untilCrash(page, async () => {
    try {
      const opened = { time: REAL_TIME, isOpenPage: true, holdsAnimations: false, acceptsSolidColor: false };
      const captureContext = { ...context, ...opened };
      await runInteractions(captureContext, new Map());
      const opening = { url: page.url(), warnings: [], check: () => {}, runsTimers: true };
      return await takeCapture(captureContext, subject, options, opening);
    } finally {
      network.stop();
      const cleaning = [removeStyle(page), stabilizers.restore(page), removeMasks(page), showCookieBanners(page)];
      await createDeadline(CLEANUP_MS, page.url()).race('restoring the page', Promise.all(cleaning)).catch(messageOf);
    }
  });
}

/** Maximum time to restore a page, in milliseconds: a page that does not respond must not block the test. */
const CLEANUP_MS = 2_000;
