import type { CDPSession, Page } from '@playwright/test';
import {
  type CaptureResult,
  type CaptureSettings,
  listFew,
  messageOf,
  ProofsheetError,
  type SeenLoad,
  type ShownTexts,
  type Target,
  type Warning,
} from '../model/index.js';
import { warnOfData } from './broken-resources.js';
import type { ControlledPage } from './browser/page-control.js';
import { createStopwatch, withTimeLimit } from './browser/timing.js';
import type { CaptureContext } from './capture-context.js';
import { showCookieBanners } from './cookies/hide-banners.js';
import { createDeadline, untilCrash } from './deadline.js';
import { warnOfSignIn } from './error-text.js';
import { createControlledClock } from './frames/controlled-clock.js';
import { callIn } from './in-page/frames.js';
import {
  awaitConditions,
  hasInteractions,
  type ResponseWaits,
  runActions,
  runScript,
  startResponseWaits,
} from './interactions.js';
import { removeMasks } from './masks.js';
import {
  awaitAddress,
  checkAddress,
  checkStatus,
  isAt,
  isNavigation,
  isWeb,
  LateNavigation,
  type Navigations,
  openPage,
  warnOfAddress,
  watchNavigations,
} from './navigation.js';
import { type Network, watchNetwork } from './network.js';
import type { PageClock } from './page-clock.js';
import { createPageStyles, removeStyle } from './page-styles.js';
import { createInstalledClock } from './plain/installed-clock.js';
import { createRealClock } from './plain/real-clock.js';
import { preparePage } from './prepare-page.js';
import { createStabilizers, load } from './stabilize/stabilizers.js';
import { awaitStory } from './story.js';
import { takeScreenshot } from './take-screenshot.js';
import { restoreTexts } from './texts.js';
import { watchVanishing } from './vanished.js';
import { hideResize } from './window/grow-window.js';

export interface CaptureOptions
  extends Pick<CaptureContext, 'isExpected' | 'readImage'>,
    Partial<Pick<CaptureContext, 'structure' | 'sourceMaps' | 'stopwatch' | 'takeParameters' | 'knownTexts'>> {
  readonly timeoutMs: number;
  /** The page as far as it is controlled. @default nothing of it is */
  readonly controlled?: ControlledPage | null;
  /** What expected images show of `texts`, the best first. @default nothing is expected */
  readonly texts?: readonly (readonly ShownTexts[])[];
  /** Receives the requests of each load of the page. @default nobody does */
  readonly recordLoad?: (load: SeenLoad) => void;
}

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
  const { controlled } = options;
  const createClock = (network: Network) =>
    controlled ? createControlledClock(controlled, network) : createInstalledClock(page, network);
  const { url, accepts } = target;
  const context = createContext({ page, locator: null }, settings, options, url, createClock, accepts?.solidColor);
  const { network, deadline, stopwatch } = context;
  return untilCrash(page, async () => {
    await stopwatch.time('navigate', deadline.race('preparing the page', preparePage(context, target)));
    const navigations = watchNavigations(page);
    const awaited = startResponseWaits(page, settings.waitFor);
    try {
      const warnings = await openDocument(context, target);
      const document = { warnings, awaited, address: target, runsTimers: true, own: {} };
      const captured = await captureThroughNavigations(context, target, navigations, document);
      const result = await addBaselineWarnings(captured, context, target);
      if (options.recordLoad) options.recordLoad(await readLoad(context));
      return result;
    } finally {
      navigations.stop();
      network.stop();
    }
  });
}

/**
 * Adds the warnings of a page that may not be the one that was asked for. They count only if its image becomes a baseline: a page may
 * expect that a request fails.
 */
async function addBaselineWarnings(
  result: CaptureResult,
  { page, settings, network, deadline, isExpected }: CaptureContext,
  target: Target,
): Promise<CaptureResult> {
  if (result.kind === 'unstable' || isExpected(result.capture.image.bytes)) return result;
  const isLed = settings.actions.length > 0 || settings.javascriptCode !== null;
  const signIn = settings.warnsOfErrorText ? await deadline.race('checking the page', warnOfSignIn(page, target)) : [];
  const baselineWarnings = [...warnOfData(network), ...(isLed ? [] : warnOfAddress(page.url(), target)), ...signIn];
  return { ...result, capture: { ...result.capture, baselineWarnings } };
}

async function readLoad({ page, network }: CaptureContext): Promise<SeenLoad> {
  // Read before the others: it is the state at the time of the last screenshot.
  const { requests, channels } = network.seen();
  return { requests, channels: [...channels, ...(await readCalls(page))] };
}

/** Lists the calls of a page that its init script noted. In doubt there is one: a page may navigate or close, or its scripts may not end. */
function readCalls(page: Page): Promise<readonly string[]> {
  const unknown = () => ['a document that does not respond'];
  const read = page
    .frames()
    .map((frame) => frame.evaluate<string[]>('window.__proofsheetCalls?.() ?? []').catch(unknown));
  return withTimeLimit(READ_TIMEOUT_MS, Promise.all(read), () => [unknown()]).then((calls) => calls.flat());
}

const READ_TIMEOUT_MS = 3_000;

function createContext(
  { page, locator }: Pick<CaptureContext, 'page' | 'locator'>,
  settings: CaptureSettings,
  options: CaptureOptions,
  url: string,
  createClock: (network: Network) => PageClock,
  acceptsSolidColor = false,
): CaptureContext {
  const { controlled = null, texts = [], stopwatch = createStopwatch(), takeParameters = () => ({}) } = options;
  const { isExpected, readImage, structure = null, sourceMaps = new Map(), knownTexts = null } = options;
  const network = watchNetwork(page);
  // Animated images follow the frames, or a flag of Chromium shows their first frame.
  const stabilizers = createStabilizers({ ...settings.settle, ...(controlled && { gifs: false }) });
  return {
    ...{ page, locator, settings, stabilizers, network, stopwatch, takeParameters, acceptsSolidColor },
    ...{ isExpected, readImage, structure, sourceMaps, knownTexts, session: createSession(page, controlled) },
    texts: { expected: texts, own: null },
    clock: createClock(network),
    pageStyles: createPageStyles(stabilizers.css, settings),
    deadline: createDeadline(options.timeoutMs, url),
  };
}

function createSession(page: Page, controlled: ControlledPage | null): () => Promise<CDPSession> {
  let session = controlled && Promise.resolve(controlled.session);
  return () => {
    session ??= page.context().newCDPSession(page);
    return session;
  };
}

async function openDocument(context: CaptureContext, target: Target): Promise<Warning[]> {
  const { page, settings, deadline, stopwatch } = context;
  if (settings.offline) await page.context().setOffline(false);
  await stopwatch.time('navigate', openPage(page, target, deadline));
  const warnings = await awaitLoad(context);
  if (settings.offline) await stopwatch.time('navigate', deadline.race('disconnecting the page', disconnect(context)));
  return warnings;
}

/** How long a page lives before it is disconnected, in milliseconds of its time: it loads its data. */
const ONLINE_MS = 1_000;

async function disconnect({ page, clock }: CaptureContext): Promise<void> {
  await clock.awaiting(page.waitForLoadState('load', { timeout: 0 }));
  await clock.pass(ONLINE_MS);
  await page.context().setOffline(true);
}

/** Where the time of a page begins that has loaded, in milliseconds of its time: how long it loads depends on the machine. */
const LOADED_MS = 100;

/** Waits until a page has loaded. Its time is paused while it loads, unless `settle` says not to wait. */
async function awaitLoad({ page, clock, settings, network, deadline, stopwatch }: CaptureContext): Promise<Warning[]> {
  const loaded = async () => {
    const hasDocument = page.waitForLoadState('domcontentloaded', { timeout: 0 });
    await clock.until(hasDocument.then(() => (settings.settle.load ? undefined : network.giveUp())));
    await clock.align(LOADED_MS);
  };
  await stopwatch.time('navigate', deadline.race('loading the page', loaded()));
  const waiting = settings.settle.load ? network.notLoaded() : [];
  if (waiting.length === 0) return [];
  return [{ code: load.name, message: `${load.explanation}: no response for ${listFew(waiting)}` }];
}

/** A page that was opened, and what applies to the document that it shows. */
interface OpenedDocument {
  readonly warnings: readonly Warning[];
  readonly awaited: ResponseWaits;
  readonly address: Pick<Target, 'url' | 'finalUrl' | 'accepts'>;
  /** The timers that are due before the first screenshot run. */
  readonly runsTimers: boolean;
  /** What the story sets for itself, once it is known. */
  readonly own: Partial<CaptureSettings>;
}

/**
 * Runs the interactions and captures the page, again after each reload. Actions of the list may navigate to another URL. Any
 * other navigation to another URL is an error.
 */
async function captureThroughNavigations(
  captureContext: CaptureContext,
  target: Target,
  navigations: Navigations,
  first: OpenedDocument,
): Promise<CaptureResult> {
  const { page, settings, deadline } = captureContext;
  const hasActions = settings.actions.length > 0;
  const windowSize = page.viewportSize();
  let hasGrown = false;
  let opened = hasActions ? await navigateByActions(captureContext, target, navigations, first) : first;
  for (let count = 0; count <= MAX_NAVIGATIONS; count++) {
    const { warnings, awaited, address, runsTimers } = opened;
    // The page may have navigated because its window grew.
    if (hasGrown) await deadline.race('preparing the page', callIn(page, hideResize));
    const startUrl = page.url();
    const documentContext = { ...captureContext, deadline: deadline.until(navigations.next()) };
    try {
      // The actions navigated to this page. Do not repeat the interactions here: they could navigate to another one.
      const own = hasActions ? opened.own : await runInteractions(documentContext, awaited);
      const ownSettings = { ...settings, ...own };
      const { element } = ownSettings;
      const locator = element === null ? null : page.locator(element);
      const opening = { url: target.url, warnings, check: () => checkAddress(page, address), runsTimers };
      return await takeScreenshot({ ...documentContext, settings: ownSettings, locator }, opening);
    } catch (cause) {
      if (!isNavigation(cause)) throw cause;
      captureContext.clock.abandon();
      if (windowSize && page.viewportSize()?.height !== windowSize.height) {
        hasGrown = true;
        await deadline.race('preparing the page', captureContext.clock.awaiting(page.setViewportSize(windowSize)));
      }
      // Such as by `<meta http-equiv="refresh">`: only the query of the URL is another one.
      const isOtherView = page.url() !== startUrl && isAt(page, startUrl);
      if (cause instanceof LateNavigation && runsTimers && !hasActions && !isOtherView) {
        // The page is captured as it was before its timers navigate.
        const reopened = await reopen(captureContext, target).catch((failure: unknown) => {
          if (isNavigation(failure)) return null;
          throw failure;
        });
        opened = { ...opened, ...reopened, runsTimers: false };
        if (reopened) continue;
      }
      // Another document has replaced the page: the earlier warnings do not apply to it.
      checkStatus(navigations.status(), target);
      opened = { ...opened, warnings: await awaitLoad(captureContext) };
      // Do not run the script on a page that is not http or https: it could navigate there again.
      if (!isWeb(page)) checkAddress(page, address);
    }
  }
  throw new ProofsheetError({
    code: 'page-reloading',
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
  const own = await runInteractions(captureContext, opened.awaited).catch((cause: unknown) => {
    if (!isNavigation(cause)) throw cause;
    throw new ProofsheetError({
      code: 'page-action',
      where: target.url,
      found: 'the page navigated while an action or `javascriptCode` ran',
      advice: 'After the action that navigates, add a `wait` action for an element of the next page.',
    });
  });
  if (!isAnywhere) await awaitAddress(page, target.finalUrl, deadline);
  checkStatus(navigations.status(), target);
  const warnings = [...opened.warnings, ...(await awaitLoad(captureContext))];
  const address = isAnywhere ? { url: page.url(), finalUrl: null } : opened.address;
  return { ...opened, warnings, address, own };
}

async function reopen(context: CaptureContext, target: Target): Promise<Pick<OpenedDocument, 'warnings' | 'awaited'>> {
  const awaited = startResponseWaits(context.page, context.settings.waitFor);
  return { awaited, warnings: await openDocument(context, target) };
}

/** Waits for the story, and runs `waitFor`, `actions` and `javascriptCode` of the list. Returns what the story sets for itself. */
async function runInteractions(context: CaptureContext, awaited: ResponseWaits): Promise<Partial<CaptureSettings>> {
  const { page, clock, settings, deadline, stopwatch, takeParameters } = context;
  const { story } = settings;
  if (!hasInteractions(settings)) return {};
  const run = async () => {
    const own = story === null ? {} : await awaitStory(page, story.id, deadline, takeParameters);
    await awaitConditions(page, settings.waitFor, awaited, deadline);
    if (clock.isControlled) await watchVanishing(page);
    await runActions(page, settings.actions, deadline);
    await deadline.race('running `javascriptCode`', runScript(page, settings.javascriptCode));
    return own;
  };
  const work = run();
  const drawn = clock.during(work);
  // The work may have ended on a page that draws no frame any more. An error of the work is the better one.
  const isDrawn = () => deadline.race('drawing the page', drawn);
  return stopwatch.time('navigate', Promise.race([drawn, work.then(isDrawn, () => drawn)]));
}

/** Captures a page that is already open, or one element of it, and restores the page afterwards. */
export async function captureOpenPage(
  subject: Pick<CaptureContext, 'page' | 'locator'>,
  settings: CaptureSettings,
  options: CaptureOptions,
): Promise<CaptureResult> {
  const { page } = subject;
  const context = createContext(subject, settings, options, page.url(), createRealClock);
  const { network, stabilizers } = context;
  return untilCrash(page, async () => {
    try {
      await runInteractions(context, new Map());
      const opening = { url: page.url(), warnings: [], check: () => {}, runsTimers: false };
      return await takeScreenshot(context, opening);
    } finally {
      network.stop();
      const restoring = [stabilizers.restore(page), restoreTexts(context), showCookieBanners(page)];
      const cleaning = [removeStyle(page), removeMasks(page), ...restoring];
      await createDeadline(CLEANUP_MS, page.url()).race('restoring the page', Promise.all(cleaning)).catch(messageOf);
    }
  });
}

/** Maximum time to restore a page, in milliseconds: a page that does not respond must not block the test. */
const CLEANUP_MS = 2_000;
