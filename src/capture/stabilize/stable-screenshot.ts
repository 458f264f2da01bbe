import { pause, type Stopwatch } from '../../browser/timing.js';
import type { Deadline } from '../deadline.js';
import type { PageTime } from '../in-page/page-clock.js';
import type { ScreenshotSession } from '../screenshot/session.js';
import type { Patience, PendingWork } from './pending-requests.js';
import { begin, type Effect, type FinalShot, next, type StabilityEvent } from './stability.js';

/** The conditions under which a screenshot is accepted. */
export interface StabilityCheck extends PendingWork {
  /** Checks whether a screenshot equals the baseline byte for byte. One such screenshot is enough if no response was pending. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** Returns the number of consecutive screenshots that must match if they differ from the baseline; at least 2. */
  readonly requiredMatches: () => Promise<number>;
  /** Skips time of the page, as far as nothing but timers is pending. */
  readonly skip: PageTime['skip'];
  /** Skips the timers that are due before the first screenshot. */
  readonly runsTimers: boolean;
  /** The value of `settle: { late }`, in milliseconds. It replaces the horizon if it is longer. */
  readonly lateMs: number;
  /** How long responses are waited for while the page equals what is expected. */
  readonly patience: Patience;
}

/**
 * Takes screenshots until one equals the baseline, the page is stable, or the time limit is reached. Screenshots match if they are equal byte for
 * byte, regardless of the comparison threshold. {@link next} decides, and this function acts.
 */
export async function takeFinalShot(
  session: Pick<ScreenshotSession, 'shoot' | 'redraw'>,
  check: StabilityCheck,
  deadline: Deadline,
  stopwatch: Stopwatch,
): Promise<FinalShot> {
  const { lateMs, patience, runsTimers } = check;
  // By the clock of the page: skipped time has passed.
  let skippedMs = 0;
  const now = () => performance.now() + skippedMs;
  const skip = async (ms: number) => {
    const passed = await stopwatch.settle('unchanged', deadline.race('advancing the time', check.skip(ms)));
    skippedMs += passed.skippedMs;
    return passed;
  };
  const clock = { now, skip };
  const limits = { startedAt: now(), remainingMs: deadline.remainingMs(), lateMs, patience };
  let { state, effect } = begin({ ...limits, hasRunTimers: !runsTimers });
  while (effect.kind !== 'end') {
    const event = await perform(effect, session, check, deadline, stopwatch, clock);
    ({ state, effect } = next(state, event, now()));
  }
  return effect.result;
}

async function perform(
  effect: Exclude<Effect, { kind: 'end' }>,
  session: Pick<ScreenshotSession, 'shoot' | 'redraw'>,
  check: StabilityCheck,
  deadline: Deadline,
  stopwatch: Stopwatch,
  { now, skip }: { readonly now: () => number; readonly skip: PageTime['skip'] },
): Promise<StabilityEvent> {
  const { kind } = effect;
  switch (kind) {
    case 'responses': {
      const startedAt = performance.now();
      await stopwatch.settle('responses', deadline.race('waiting for responses', check.settled(effect.patience)));
      return { kind, waitedMs: performance.now() - startedAt };
    }
    case 'redraw':
      await stopwatch.time('screenshot', deadline.race('redrawing the page', session.redraw()));
      if (effect.skips) await skip(effect.until - now());
      await stopwatch.settle('unchanged', pause(effect.until - now()));
      return { kind };
    case 'timers':
      return { kind, aheadMs: await deadline.race('reading the timers', check.timers(effect.within)) };
    case 'skip':
      return { kind, ...(await skip(effect.ms)) };
    case 'shot': {
      const startedAt = performance.now();
      const bytes = await stopwatch.time('screenshot', deadline.race('taking the screenshot', session.shoot()));
      return { kind, bytes, isExpected: check.isExpected(bytes), startedAt };
    }
    case 'pending': {
      const isPending = check.isPendingSince(effect.since, effect.patience);
      return { kind, isPending: await deadline.race('waiting for responses', isPending) };
    }
    case 'required':
      return { kind, matches: await deadline.race('checking for 3D transforms', check.requiredMatches()) };
    default:
      return effect satisfies never;
  }
}
