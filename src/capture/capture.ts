import type { Page } from '@playwright/test';
import type { CaptureResult, Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { EncodedImage, Size } from '../model/image.js';
import type { CaptureSettings, Target } from '../model/plan.js';
import { createDeadline, type Deadline } from './deadline.js';
import { readEnvironment } from './environment.js';
import { awaitPage, checkAddress, openPage } from './open.js';
import { type Camera, createCamera, type Subject } from './screenshot.js';
import { freeze, restore, STABLE_CSS, settle } from './settle.js';
import { takeStableShot } from './stable-shot.js';
import { applyStyle, removeStyle } from './style.js';
import { isMove, type Visits, watchVisits } from './visits.js';

/** What capture needs from outside its room. */
export interface CaptureHelp {
  readonly timeoutMs: number;
  /** Tells whether an image is the expected one already, to the byte. */
  readonly isExpected: (bytes: Buffer) => boolean;
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
  return untilCrash(page, async () => {
    const warnings = await openPage(page, target, deadline);
    const visits = watchVisits(page);
    try {
      return await captureVisit(page, target, settings, help, { deadline, visits, warnings });
    } finally {
      visits.stop();
    }
  });
}

interface Visit {
  readonly deadline: Deadline;
  readonly visits: Visits;
  readonly warnings: readonly Warning[];
}

async function captureVisit(
  page: Page,
  target: Target,
  settings: CaptureSettings,
  help: CaptureHelp,
  { deadline, visits, warnings }: Visit,
): Promise<CaptureResult> {
  let told = warnings;
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const undisturbed = deadline.until(visits.next());
    const opening = { url: target.url, warnings: told, check: () => checkAddress(page, target) };
    try {
      return await takeCapture({ page, locator: null }, settings, help, undisturbed, opening);
    } catch (cause) {
      if (!isMove(cause)) throw cause;
      told = await deadline.race('loading the page', awaitPage(page, target, visits.status(), deadline));
    }
  }
  throw new ProofsheetError({
    code: 'page-moving',
    where: target.url,
    found: `the page loaded itself anew ${MOST_MOVES + 1} times while it was captured`,
    advice: 'Capture it in a state in which it stays.',
  });
}

/** Captures a page, or one element of it, that is open already; leaves it as it was. */
export async function captureOpenPage(
  subject: Subject,
  settings: CaptureSettings,
  help: CaptureHelp,
): Promise<CaptureResult> {
  const { page } = subject;
  const deadline = createDeadline(help.timeoutMs, page.url());
  return untilCrash(page, async () => {
    try {
      return await takeCapture(subject, settings, help, deadline, { url: page.url(), warnings: [], check: () => {} });
    } finally {
      await createDeadline(CLEANUP_MS, page.url())
        .race('cleaning up', Promise.all([removeStyle(page), restore(page)]))
        .catch(messageOf);
    }
  });
}

/** How long putting a page back as it was may take; a page that hangs is not worth more. */
const CLEANUP_MS = 2_000;

interface Opening {
  readonly url: string;
  readonly warnings: readonly Warning[];
  /** Makes sure, once the page has settled, that it is the right one. */
  readonly check: () => void;
}

async function takeCapture(
  subject: Subject,
  settings: CaptureSettings,
  help: CaptureHelp,
  deadline: Deadline,
  { url, warnings, check }: Opening,
): Promise<CaptureResult> {
  const { page } = subject;
  await deadline.race('running `javascriptCode`', runScript(page, settings.javascriptCode));
  const unmatched = await deadline.race('hiding elements', applyStyle(page, STABLE_CSS, settings.hide));
  await deadline.race('waiting for `delay`', pause(settings.delayMs));
  const pending = await deadline.race('waiting for fonts and images', settle(page));
  check();
  const camera = await deadline.race(
    'preparing the camera',
    createCamera(subject, settings, deadline.remainingMs() / 2),
  );
  const shoot = () => deadline.race('taking the image', shootFrozen(page, camera));
  const shot = await takeStableShot(shoot, help.isExpected, deadline);
  // It may have gone on, by script alone, while it was taken.
  check();
  const capture = {
    image: help.readImage(shot.bytes),
    viewport: page.viewportSize() ?? (await deadline.race('measuring the page', page.evaluate(windowSize))),
    takenAt: Date.now(),
    url,
    shots: shot.shots,
    warnings: [...warnings, ...unmatched, ...pending],
    environment: await deadline.race('reading the environment', readEnvironment(page, camera.deviceScale)),
  };
  if (shot.kind === 'settled') return { kind: 'settled', capture };
  return { kind: 'unstable', capture, previous: help.readImage(shot.previous) };
}

/** Runs in the page. */
function windowSize(): Size {
  return { width: innerWidth, height: innerHeight };
}

async function shootFrozen(page: Page, camera: Camera): Promise<Buffer> {
  await freeze(page);
  return camera.shoot();
}

async function runScript(page: Page, code: string | null): Promise<void> {
  if (code === null) return;
  try {
    // In a function, so that several statements, `return` and `await` are all right.
    await page.evaluate(`(async () => {${code}\n})()`);
  } catch (cause) {
    if (isMove(cause)) throw cause;
    throw new ProofsheetError({
      code: 'page-script',
      where: page.url(),
      found: `\`javascriptCode\` failed (${messageOf(cause)
        .split('\n')[0]
        ?.replace(/^page\.evaluate: /, '')})`,
      advice: 'Try it in the console of the browser.',
    });
  }
}

/** A renderer that dies answers nothing any more: without this the capture would only end with its deadline. */
async function untilCrash<T>(page: Page, work: () => Promise<T>): Promise<T> {
  let crashed = () => {};
  const crash = new Promise<never>((_, reject) => {
    crashed = () =>
      reject(
        new ProofsheetError({
          code: 'page-crashed',
          where: page.url(),
          found: 'the page crashed its renderer',
          advice: 'It may need more memory than there is: try it alone with --workers=1.',
        }),
      );
  });
  page.once('crash', crashed);
  try {
    return await Promise.race([work(), crash]);
  } finally {
    page.off('crash', crashed);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
