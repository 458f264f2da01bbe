import type { Deadline } from '../deadline.js';
import type { TimerRange } from '../in-page/timers.js';
import { type Exchange, isPolling, type Network } from '../network.js';

/** How long responses are waited for: `short` is enough for a page that equals its baseline at its first load. */
export type Patience = 'short' | 'long';

/** Maximum wait of `short`, in milliseconds. That of `long` is half of the time until the deadline. */
const SHORT_MS = 2_000;

/**
 * Maximum wait for polling, and for requests that stayed open to the cap on an earlier page of this worker, in
 * milliseconds. Such a page does not cost 2 s on every run, and a call that fails earlier is still detected.
 */
const POLLING_MS = 500;

/** Keys of requests that stayed open on earlier pages, with the longest wait that they exceeded. */
export type LongPolls = Map<string, Patience>;

/** Maximum wait for a response body after its headers, in milliseconds: a body that no script reads never finishes. */
const BODY_MS = 150;

/** Time that scripts need to render a response, in milliseconds. */
const REACTION_MS = 50;

/** Interval between two checks of timers and sockets, in milliseconds. */
const CHECK_INTERVAL_MS = 50;

/** The pending requests, timers and sockets that may still change a page. */
export interface PendingWork {
  /** Waits until nothing is pending, at most until the cap. */
  settled(patience: Patience): Promise<void>;
  /** Checks whether anything was pending at `since` (`performance.now()`) or later. Returns false after the cap. */
  isPendingSince(since: number, patience: Patience): Promise<boolean>;
  /**
   * Returns the milliseconds until the last timer that is due within a range; 0 for none. If `lateMs` is set, an open socket counts
   * as a timer.
   */
  timers(within: TimerRange): Promise<number>;
}

/**
 * Creates the check for pending work that makes a screenshot too early: documents, `fetch` and XHR requests without a
 * response, and for a long wait also style sheets and scripts. The load event already waits for most of those. During the
 * first `lateMs` milliseconds, timers and sockets count too.
 *
 * @param longPolls the requests that stayed open on earlier pages; those of this page are added.
 */
export function createPendingWork(
  network: Pick<Network, 'exchanges' | 'hasSockets' | 'change'>,
  readTimers: (within: TimerRange) => Promise<number>,
  { lateMs, longPolls, deadline }: { lateMs: number; longPolls: LongPolls; deadline: Deadline },
): PendingWork {
  const start = performance.now();
  const longMs = deadline.remainingMs(1 / 2);
  const capMs = { short: Math.min(Math.max(SHORT_MS, lateMs), longMs), long: longMs };
  const leftMs = (ms: number) => Math.max(0, start + ms - performance.now());
  const responses = (since: number, patience: Patience) => {
    const exchanges = network.exchanges();
    const isRepeated = (exchange: Exchange) =>
      ['long', patience].includes(longPolls.get(exchange.key) ?? '') || isPolling(exchange, exchanges);
    return unsettledExchanges(exchanges, since).filter(
      (exchange) =>
        (patience === 'long' || !exchange.isCode) && leftMs(isRepeated(exchange) ? POLLING_MS : capMs[patience]) > 0,
    );
  };
  const hasLateWork = async () => {
    const left = Math.min(leftMs(lateMs), leftMs(capMs.short));
    return left > 0 && (network.hasSockets() || (await readTimers({ singleMs: left, repeatingMs: left })) > 0);
  };
  const isPendingSince = async (since: number, patience: Patience) =>
    responses(since, patience).length > 0 || (await hasLateWork());
  return {
    isPendingSince,
    async settled(patience) {
      while (await isPendingSince(performance.now(), patience)) await network.change(CHECK_INTERVAL_MS);
      if (leftMs(capMs[patience]) > 0) return;
      for (const { key, answeredAt } of unsettledExchanges(network.exchanges(), performance.now()))
        if (answeredAt === null && longPolls.get(key) !== 'long') longPolls.set(key, patience);
    },
    async timers(within) {
      const aheadMs = await readTimers(within);
      return network.hasSockets() ? Math.max(aheadMs, Math.min(within.repeatingMs, leftMs(lateMs))) : aheadMs;
    },
  };
}

/** Lists the requests whose response may have changed the page at `since` (`performance.now()`) or later. */
export function unsettledExchanges(exchanges: readonly Exchange[], since: number): Exchange[] {
  return exchanges.filter(({ endedAt, answeredAt, isByScript, isCode }) => {
    const isBodyAwaited = answeredAt === null || isCode;
    const until = endedAt ?? (isBodyAwaited ? Number.POSITIVE_INFINITY : answeredAt + BODY_MS);
    return until + (isByScript || isCode ? REACTION_MS : 0) > since;
  });
}
