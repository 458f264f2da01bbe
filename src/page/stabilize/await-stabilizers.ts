import type { BrokenResource, Warning } from '../../model/index.js';
import { readBrokenResources } from '../broken-resources.js';
import type { CaptureContext } from '../capture-context.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';
import { warningsOf } from './stabilizers.js';

/** What is known about a page that was waited for. */
export interface Still {
  /** What did not end in time. */
  readonly warnings: readonly Warning[];
  /** What the page did not load. */
  readonly broken: readonly BrokenResource[];
}

/** Adds what an earlier wait gave up: a later one does not wait for it again. */
export function withEarlier(still: Still, earlier: Still): Still {
  const isNew = ({ code }: Warning) => still.warnings.every((warning) => warning.code !== code);
  return { ...still, warnings: [...still.warnings, ...earlier.warnings.filter(isNew)] };
}

/** Hides cookie banners, and waits for the stabilizers. */
export async function awaitStabilizers(context: CaptureContext): Promise<Still> {
  const { page, state, clock, settings, stabilizers, network, deadline, stopwatch } = context;
  const wait = async (): Promise<Still> => {
    if (settings.hideCookie) await stopwatch.settle('hideCookie', clock.awaiting(hideCookieBanners(page, state)));
    const { pending, waitedMs } = await clock.awaiting(stabilizers.wait(page));
    for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
    const broken = await readBrokenResources(page, network);
    return { warnings: warningsOf(pending), broken };
  };
  return deadline.race('waiting for the page to become stable', wait());
}
