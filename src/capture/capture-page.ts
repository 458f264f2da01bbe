import type { Page } from '@playwright/test';
import type { CaptureResult, Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { EncodedImage, Size } from '../model/image.js';
import type { CaptureSettings, Target } from '../model/shot.js';
import { showCookieBanners } from './cookies/hide-banners.js';
import { createDeadline, untilCrash } from './deadline.js';
import { readEnvironment } from './environment.js';
import { readPageNames, warnOfErrorText } from './error-text.js';
import { REAL_TIME } from './in-page/page-clock.js';
import { type Awaited, awaitConditions, awaitResponses, runActions, runScript } from './interactions.js';
import { removeMasks } from './masks.js';
import {
  awaitAddress,
  awaitPage,
  checkAddress,
  isNavigation,
  isWeb,
  type Navigations,
  openPage,
  watchNavigations,
} from './navigation.js';
import { watchNetwork } from './network.js';
import { createPageStyles, removeStyle } from './page-styles.js';
import { preparePage } from './prepare-page.js';
import type { Subject } from './screenshot/backend.js';
import { create3dTransformsCheck, createScreenshotSession } from './screenshot/session.js';
import { createPendingWork } from './stabilize/pending-requests.js';
import { createPlannedTimers } from './stabilize/planned-timers.js';
import { type CaptureContext, stabilizePage } from './stabilize/stabilize-page.js';
import { createSettling } from './stabilize/stabilizers.js';
import { takeStableShot } from './stabilize/stable-screenshot.js';

/** What capture needs from outside its room. */
export interface CaptureHelp {
  readonly timeoutMs: number;
  /** The browser draws what lies beyond its window when it is asked to: it was launched so. */
  readonly drawsBeyondWindow: boolean;
  /** Checks whether an image is the expected one already, to the byte. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** Requests that stayed open for long on earlier pages; what is found on this one is added. */
  readonly longPolls: Set<string>;
  /** Reads what kind of image the bytes are. @throws ProofsheetError when they are none. */
  readonly readImage: (bytes: Buffer) => EncodedImage;
}

/** How often a page may load itself anew while it is captured. */
const MOST_MOVES = 3;

/**
 * Opens a page and captures it. A page that loads itself anew meanwhile is captured anew.
 *
 * @throws ProofsheetError with one of the `page-` codes when there is nothing worth comparing.
 */
export async function capturePage(
  page: Page,
  target: Target,
  settings: CaptureSettings,
  help: CaptureHelp,
): Promise<CaptureResult> {
  const deadline = createDeadline(help.timeoutMs, target.url);
  const settling = createSettling(settings.settle);
  const pageStyles = createPageStyles(settling.css, settings);
  return untilCrash(page, async () => {
    const network = watchNetwork(page);
    const time = await deadline.race(
      'preparing the page',
      preparePage(page, target, settings, settling, { network, ...help }),
    );
    const navigations = watchNavigations(page);
    const awaited = awaitResponses(page, settings.waitFor, deadline);
    try {
      const warnings = await openPage(page, target, network, deadline, settings.settle.load);
      const acceptsSolidColor = target.takes?.plain ?? false;
      const captureContext = {
        page,
        settings,
        settling,
        pageStyles,
        network,
        time,
        deadline,
        foreign: false,
        acceptsSolidColor,
      };
      return await captureNavigation(captureContext, target, help, { navigations, awaited, warnings });
    } finally {
      navigations.stop();
      network.stop();
    }
  });
}

interface Visit {
  readonly navigations: Navigations;
  readonly awaited: Awaited;
  readonly warnings: readonly Warning[];
}

/** What a list does to a page may lead to another address; where the page goes by itself, it is not the one asked for. */
async function captureNavigation(
  captureContext: CaptureContext,
  target: Target,
  help: CaptureHelp,
  { navigations, awaited, warnings }: Visit,
): Promise<CaptureResult> {
  const { page, settings, network, deadline } = captureContext;
  const load = () =>
    deadline.race(
      'loading the page',
      awaitPage(page, target, navigations.status(), network, deadline, settings.settle.load),
    );
  const acts = settings.actions.length > 0;
  let told = warnings;
  let address: Pick<Target, 'url' | 'finalUrl' | 'takes'> = target;
  if (acts) {
    if (target.finalUrl === null) checkAddress(page, target);
    await runInteractions(captureContext, awaited);
    if (target.finalUrl !== null) await awaitAddress(page, target.finalUrl, deadline);
    told = [...told, ...(await load())];
    if (target.finalUrl === null) address = { url: page.url(), finalUrl: null };
  }
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const undisturbed = deadline.until(navigations.next());
    try {
      // What was done once led here: done again, it would lead elsewhere.
      if (!acts) await runInteractions({ ...captureContext, deadline: undisturbed }, awaited);
      const opening = { url: target.url, warnings: told, check: () => checkAddress(page, address) };
      return await takeCapture({ ...captureContext, deadline: undisturbed }, subjectOf(page, settings), help, opening);
    } catch (cause) {
      if (!isNavigation(cause)) throw cause;
      told = await load();
      // Run there as well, a script would but lead there again.
      if (!isWeb(page)) checkAddress(page, address);
    }
  }
  throw new ProofsheetError({
    code: 'page-moving',
    where: target.url,
    found: `the page loaded itself anew ${MOST_MOVES + 1} times while it was captured`,
    advice: 'Capture it in a state in which it stays.',
  });
}

/** Brings the page into the situation that the list describes. */
async function runInteractions({ page, settings, deadline }: CaptureContext, awaited: Awaited): Promise<void> {
  await awaitConditions(page, settings.waitFor, awaited, deadline);
  await runActions(page, settings.actions, deadline);
  await deadline.race('running `javascriptCode`', runScript(page, settings.javascriptCode));
}

function subjectOf(page: Page, { element }: CaptureSettings): Subject {
  return { page, locator: element === null ? null : page.locator(element) };
}

/** Captures a page, or one element of it, that is open already; leaves it as it was. */
export async function captureOpenPage(
  subject: Subject,
  settings: CaptureSettings,
  help: CaptureHelp,
): Promise<CaptureResult> {
  const { page } = subject;
  const deadline = createDeadline(help.timeoutMs, page.url());
  const settling = createSettling(settings.settle);
  const pageStyles = createPageStyles(settling.css, settings);
  const network = watchNetwork(page);
  return untilCrash(page, async () => {
    try {
      const own = { foreign: true, acceptsSolidColor: false };
      const captureContext = { page, settings, settling, pageStyles, network, time: REAL_TIME, deadline, ...own };
      await runInteractions(captureContext, new Map());
      return await takeCapture(captureContext, subject, help, { url: page.url(), warnings: [], check: () => {} });
    } finally {
      network.stop();
      const cleaning = [removeStyle(page), settling.restore(page), removeMasks(page), showCookieBanners(page)];
      await createDeadline(CLEANUP_MS, page.url()).race('cleaning up', Promise.all(cleaning)).catch(messageOf);
    }
  });
}

/** How long putting a page back as it was may take; a page that hangs is not worth more. */
const CLEANUP_MS = 2_000;

/** How many images in a row have to be equal before one is believed. */
const IMAGES = { deep: 4, flat: 2 };

interface Opening {
  readonly url: string;
  readonly warnings: readonly Warning[];
  /** Makes sure, once the page has settled, that it is the right one. */
  readonly check: () => void;
}

async function takeCapture(
  captureContext: CaptureContext,
  subject: Subject,
  help: CaptureHelp,
  { url, warnings, check }: Opening,
): Promise<CaptureResult> {
  const { page, deadline, network } = captureContext;
  const still = await stabilizePage(captureContext);
  check();
  const isDeep = create3dTransformsCheck(page);
  const screenshotSession = await deadline.race(
    'preparing the camera',
    createScreenshotSession(subject, captureContext, still, { drawsBeyondWindow: help.drawsBeyondWindow, isDeep }),
  );
  const { lateMs } = captureContext.settings;
  const pending = createPendingWork(network, createPlannedTimers(page, network), {
    lateMs,
    longPolls: help.longPolls,
    deadline,
  });
  const judge = {
    ...pending,
    isExpected: help.isExpected,
    lateMs,
    // Two of what is seen in perspective may be equal by chance.
    enough: async () => ((await isDeep()) ? IMAGES.deep : IMAGES.flat),
  };
  const shot = await takeStableShot(screenshotSession, judge, deadline);
  // It may have gone on, by script alone, while it was taken.
  check();
  const image = help.readImage(shot.bytes);
  const told = await deadline.race('looking at the image', screenshotSession.examine(image));
  const [environment, names] = await Promise.all([
    deadline.race('reading the environment', readEnvironment(page, screenshotSession.deviceScale)),
    captureContext.settings.warnsOfErrorText ? deadline.race('reading the title', page.evaluate(readPageNames)) : null,
  ]);
  const capture = {
    image,
    masks: told.masks,
    ignored: told.ignored,
    viewport: page.viewportSize() ?? (await deadline.race('measuring the page', page.evaluate(windowSize))),
    takenAt: Date.now(),
    url,
    shots: shot.shots,
    warnings: [...warnings, ...(names ? warnOfErrorText(names) : []), ...still.warnings, ...told.warnings],
    environment,
  };
  if (shot.kind === 'settled') return { kind: 'settled', capture };
  return { kind: 'unstable', capture, previous: help.readImage(shot.previous) };
}

/** Runs in the page. */
function windowSize(): Size {
  return { width: innerWidth, height: innerHeight };
}
