import { type ControlledPage, type FrameRequest, TICK_MS } from '../browser/page-control.js';
import { pause, watchEnd, withTimeLimit } from '../browser/timing.js';
import type { Network } from '../network.js';
import { OWN_CLOCK_PACE, type PageClock } from '../page-clock.js';

/**
 * Milliseconds of the page's time between two frames, unless the caller says otherwise. After a frame that changed nothing, the next step is
 * twice as long, up to `max`.
 */
const STEP_MS = { first: 500, max: 2_000 };

/** Milliseconds of the page's time between two frames while Playwright acts in the page, in real time. */
const ACTION_STEP_MS = 20;

const WAITING_STEP_MS = 100;

/** What is added to each grant, in milliseconds: Chromium rounds it down to whole microseconds, and never reports the end of a grant of nothing. */
const ROUNDING_MS = 0.0001;

/**
 * Work that has not ended when the page has answered this often, with this pause in milliseconds, waits for time. On a busy machine, answers take as
 * much longer as the work does.
 */
const ANSWERS = { count: 8, pauseMs: 50 };

/** How long {@link PageClock.during} waits for a step before it draws a frame in spite of a request that is open, in milliseconds. */
const ACTION_WAIT_MS = 30;

/** How long requests may hold the time of a page in all, in milliseconds: one that loads something again and again would never live. */
const MAX_HELD_MS = 11_000;

/** How long a page may take for its time, in milliseconds, if requests are open that are not waited for, or none: then the machine is busy. */
const MAX_USE_MS = { open: 2_000, idle: 15_000 };

const CHECK_MS = 20;

/** Interval between two looks at whether a document has loaded, in milliseconds. */
const LOAD_CHECK_MS = 5;

/** Real milliseconds for each millisecond of a page that gets hardly any time: the browser works between two frames. */
const STANDING_PACE = 1_500;

/** Number of timers and tasks that may run at one moment of the page. Beyond it, time goes on: a loop of timers would never end. */
const MAX_TASKS_AT_ONCE = 100_000;

const MAX_ATTEMPTS = 3;

/** How long a frame is waited for after an error, and the error of work in a page that closed, in milliseconds. */
const CLOSE_MS = 1_000;

/** Time that a page has not used up yet. */
interface Grant {
  readonly ms: number;
  readonly end: Promise<void>;
  readonly startedAt: number;
}

/**
 * Creates the clock of a page that is controlled. The page is then the same at the same moment in each run, whatever the speed of the
 * machine and of the network. Requests that hold the time for too long are given up.
 */
export function createControlledClock(
  { session, control, startMs, draw: drawFrame }: ControlledPage,
  network: Network,
): PageClock {
  // Moments are whole milliseconds of the browser, too: it rounds the time of an animation down to 0.1 ms.
  const start = Math.ceil(startMs);
  /** The time that the page has used since its start, in milliseconds. */
  let usedMs = startMs - start;
  let granted: Grant | null = null;
  let onUsed = () => {};
  session.on('Emulation.virtualTimeBudgetExpired', () => onUsed());
  let heldMs = 0;
  const isRestless = () => heldMs > MAX_HELD_MS;
  /** The browser pauses the time of the page for something that is no request of it. */
  let isPausedForNothing = false;

  /** The time of the page goes on although requests are open. */
  const isFree = () => isRestless() || isPausedForNothing || network.givenUp().length > 0;

  const grant = async (ms: number): Promise<Grant> => {
    if (granted) return granted;
    const end = new Promise<void>((resolve) => {
      onUsed = resolve;
    });
    const own = { ms, end, startedAt: performance.now() };
    granted = own;
    await setPolicy(isFree() ? 'advance' : 'pauseIfNetworkFetchesPending', ms);
    return own;
  };
  const setPolicy = (policy: 'advance' | 'pauseIfNetworkFetchesPending', budget: number) =>
    session.send('Emulation.setVirtualTimePolicy', {
      policy,
      budget: budget + ROUNDING_MS,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_AT_ONCE,
    });
  const spend = () => {
    usedMs += granted?.ms ?? 0;
    granted = null;
  };
  const draw = (interval: number, screenshot?: FrameRequest['screenshot']) =>
    drawFrame({ frameTimeTicks: start + usedMs, interval, ...(screenshot && { screenshot }) });

  /** Waits until the page has used its time. Requests that hold it for too long are given up, and time goes on without them. */
  const use = async ({ ms, end }: Grant) => {
    const startedAt = performance.now();
    if (network.givenUp().length > 0 && !isRestless()) await network.awaitAnswers();
    while (!(await isEndedIn(CHECK_MS, end))) {
      heldMs += network.isHolding() ? CHECK_MS : 0;
      const limitMs = network.isIdle() ? MAX_USE_MS.idle : MAX_USE_MS.open;
      const isHeld = network.isHolding() || performance.now() - startedAt < limitMs;
      if (isHeld && !isRestless()) continue;
      network.giveUp();
      isPausedForNothing ||= network.isIdle();
      await setPolicy('advance', ms);
    }
    spend();
  };

  /**
   * Waits for the responses while the time of the page stands still. Otherwise, Chromium lets at least 10 ms pass after one, before or after what
   * the response starts.
   */
  const awaitResponses = async () => {
    for (let isHolding = true; isHolding && !isFree(); ) {
      isHolding = network.isHolding();
      await use(await grant(0));
    }
  };

  /** Waits for what a script awaits from the browser, while the time of the page stands still. Its tasks run: they do not while time is paused. */
  const awaitWork = async () => {
    while (await network.isWorking()) {
      await use(await grant(0));
      await pause(CHECK_MS);
    }
  };

  /** Draws frames one after the other: a capture that gave up may have left one behind. */
  let last: Promise<unknown> = Promise.resolve();
  let documents = 0;
  const inTurn = <T>(work: (isCurrent: () => boolean) => Promise<T>): Promise<T> => {
    const own = documents;
    const isCurrent = () => own === documents;
    const done = last
      .then(() => work(isCurrent))
      .then((value) => {
        // Whoever still waits would go on with the next document.
        if (!isCurrent()) throw new Error('the capture of this document was abandoned');
        return value;
      });
    last = done.catch(() => {});
    return done;
  };
  const step = async (ms: number) => {
    const startedAt = performance.now();
    if (granted) await use(granted);
    if (network.isHolding()) await awaitResponses();
    await awaitWork();
    await use(await grant(ms));
    const { hasDamage = true } = await draw(ms);
    if (network.hasOwnClocks()) await pause(ms * OWN_CLOCK_PACE - (performance.now() - startedAt));
    return hasDamage;
  };
  const passSteps = async (ms: number, stepMs: number, isCurrent: () => boolean) => {
    for (let leftMs = ms; leftMs > 0 && isCurrent(); leftMs -= stepMs) await step(Math.min(leftMs, stepMs));
  };
  const passQuickly = async (ms: number, isCurrent: () => boolean) => {
    let stepMs = STEP_MS.first;
    for (let leftMs = ms; leftMs > 0 && isCurrent(); ) {
      const ownMs = Math.min(leftMs, stepMs);
      const hasDamage = await step(ownMs);
      leftMs -= ownMs;
      stepMs = hasDamage ? STEP_MS.first : Math.min(2 * stepMs, STEP_MS.max);
    }
  };
  /** A page without open requests only needs longer for its time, because the machine is busy. */
  const isBusy = ({ startedAt }: Grant) => network.isIdle() && performance.now() - startedAt < MAX_USE_MS.open;
  const drawDuring = async (isRunning: () => boolean, stepMs: number, pace: number) => {
    while (isRunning()) {
      const startedAt = performance.now();
      const current = await grant(stepMs);
      const isUsed = await isEndedIn(ACTION_WAIT_MS, current.end);
      if (isUsed) spend();
      else if (isRestless() || (!network.isHolding() && !isBusy(current))) {
        network.giveUp();
        await setPolicy('advance', stepMs);
      }
      await draw(isUsed ? stepMs : TICK_MS);
      await pause(stepMs * pace - (performance.now() - startedAt));
    }
    // After an input, Chromium defers tasks until the next frame, such as those of responses: the time waits for these. After a picture beyond the
    // window, the window has its size again: a frame after the next change of size would never be drawn.
    await draw(TICK_MS);
  };

  const drawUntil = async <T>(work: Promise<T>, drawWhile: (isRunning: () => boolean) => Promise<void>): Promise<T> => {
    const { isEnded } = watchEnd(work);
    try {
      const drawn = inTurn((isCurrent) => drawWhile(() => !isEnded() && isCurrent()));
      // A page whose script never ends draws no frame. A page that closes while it draws one holds up the others.
      const failed = work.then(
        () => drawn,
        () => withTimeLimit(CLOSE_MS, drawn, () => {}),
      );
      await Promise.race([drawn, failed]);
    } catch (cause) {
      // A page that closed or crashed draws no frame. Then the work fails, too, and has the better error.
      return withTimeLimit(CLOSE_MS, work, () => {
        throw cause;
      });
    }
    return work;
  };

  /** Animations stand still meanwhile: the number of frames differs from run to run, and each takes a little time of the page. */
  const withoutAnimations = async <T>(work: () => Promise<T>): Promise<T> => {
    const setRate = (playbackRate: number) => session.send('Animation.setPlaybackRate', { playbackRate });
    await session.send('Animation.enable').then(() => setRate(0));
    try {
      return await work();
    } finally {
      // The page may be closed.
      await setRate(1)
        .then(() => session.send('Animation.disable'))
        .catch(() => {});
    }
  };

  return {
    isControlled: true,
    drawsFrames: control === 'frames',
    prepare: () => inTurn(async () => use(await grant(-usedMs))),
    pass: (ms, stepMs) =>
      inTurn((isCurrent) => (stepMs === undefined ? passQuickly(ms, isCurrent) : passSteps(ms, stepMs, isCurrent))),
    async awaiting(work) {
      const { end } = watchEnd(work);
      for (let count = 0; count < ANSWERS.count; count++) {
        if (await isEndedIn(ANSWERS.pauseMs, end)) return work;
        await Promise.race([end, session.send('Runtime.evaluate', { expression: '0' }).catch(() => {})]);
      }
      return drawUntil(work, async (isRunning) => {
        while (isRunning()) await step(WAITING_STEP_MS);
      });
    },
    during: (work) => drawUntil(work, (isRunning) => drawDuring(isRunning, ACTION_STEP_MS, 1)),
    standing(work) {
      const drawn = () => drawUntil(work(), (isRunning) => drawDuring(isRunning, TICK_MS, STANDING_PACE));
      return control === 'frames' ? withoutAnimations(drawn) : drawn();
    },
    until: (event) =>
      inTurn(async (isCurrent) => {
        const { isEnded, end } = watchEnd(event);
        while (!isEnded() && isCurrent()) if (!(await isEndedIn(LOAD_CHECK_MS, end))) await use(await grant(0));
        await event;
        await awaitResponses();
      }),
    align: (ms, aheadMs = 0) =>
      inTurn(async (isCurrent) => {
        if (granted) await use(granted);
        if (aheadMs > 0) await use(await grant(aheadMs));
        usedMs -= aheadMs;
        await passQuickly(ms - (usedMs % ms), isCurrent);
      }),
    shoot: (format, quality) =>
      inTurn(async () => {
        for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
          if (granted) await use(granted);
          await use(await grant(1));
          const image = { format, ...(format !== 'png' && { quality }) };
          const { screenshotData } = await draw(1, image);
          if (screenshotData) return Buffer.from(screenshotData, 'base64');
        }
        throw new Error('the browser returned no image of a frame');
      }),
    abandon() {
      documents++;
    },
  };
}

function isEndedIn(ms: number, end: Promise<void>): Promise<boolean> {
  return withTimeLimit(
    ms,
    end.then(() => true),
    () => false,
  );
}
