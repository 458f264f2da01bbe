import type { Warning } from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';
import { hideCookieBanners } from '../cookies/hide-banners.js';

/** Adds what an earlier wait gave up: a later one does not wait for it again. */
export function withEarlier(warnings: readonly Warning[], earlier: readonly Warning[]): Warning[] {
  const isNew = ({ code }: Warning) => warnings.every((warning) => warning.code !== code);
  return [...warnings, ...earlier.filter(isNew)];
}

/** Hides cookie banners, and waits for the stabilizers. Returns a warning for each that did not end in time. */
export async function awaitStabilizers(context: CaptureContext): Promise<Warning[]> {
  const { page, clock, settings, stabilizers, deadline, stopwatch } = context;
  const wait = async (): Promise<Warning[]> => {
    if (settings.hideCookie) await stopwatch.settle('hideCookie', clock.awaiting(hideCookieBanners(page)));
    const { warnings, waitedMs } = await clock.awaiting(stabilizers.wait(page));
    for (const [name, ms] of Object.entries(waitedMs)) stopwatch.addWait(name, ms);
    return warnings;
  };
  return deadline.race('waiting for the page to become stable', wait());
}
