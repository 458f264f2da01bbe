import type { Deadline } from '../deadline.js';
import type { Exchange, Network } from '../network.js';
import type { PlannedTimers } from './planned-timers.js';

/** How long an image that equals the baseline waits for responses, at most. */
const CAP_MS = 2_000;

/**
 * The same for polling, and for a request that stayed open to the cap on an earlier page of this worker. Such a page costs
 * no 2 s on every run, and a call that fails sooner is still found.
 */
const POLLING_MS = 500;

/** After its headers, a response is waited for this long: a body that no script reads never ends. */
const BODY_MS = 150;

/** How long scripts take to show what a response brought. */
const REACTION_MS = 50;

/** Between two looks at timers and sockets. */
const LOOK_MS = 50;

/** What a page still waits for, and what may change it. */
export interface PendingWork {
  /** Waits until nothing is pending, at most up to the cap. */
  settled(): Promise<void>;
  /** Checks whether anything was pending at `since` (`performance.now()`), or is now. Nothing counts after the cap. */
  isPendingSince(since: number): Promise<boolean>;
  /** Tells what the page has planned within this time, sockets included where `late` is set. */
  plans(withinMs: number): Promise<PlannedTimers>;
}

/**
 * Creates what tells whether an image may be too early: documents, `fetch` and XHR requests without a response, and, for
 * `lateMs`, timers and sockets as well.
 *
 * @param longPolls requests that stayed open to the cap on earlier pages; those of this page are added.
 */
export function createPendingWork(
  network: Pick<Network, 'exchanges' | 'hasSockets' | 'change'>,
  plans: (withinMs: number) => Promise<PlannedTimers>,
  { lateMs, longPolls, deadline }: { lateMs: number; longPolls: Set<string>; deadline: Deadline },
): PendingWork {
  const start = performance.now();
  const capMs = Math.min(Math.max(CAP_MS, lateMs), deadline.remainingMs() / 2);
  const leftMs = (ms: number) => Math.max(0, start + ms - performance.now());
  const responses = (since: number) => {
    const exchanges = network.exchanges();
    const isRepeated = (one: Exchange) => longPolls.has(one.key) || isPolling(one, exchanges);
    return unsettledExchanges(exchanges, since).filter((one) => leftMs(isRepeated(one) ? POLLING_MS : capMs) > 0);
  };
  const lateWork = async () => {
    const left = Math.min(leftMs(lateMs), leftMs(capMs));
    return left > 0 && (network.hasSockets() || (await plans(left)).aheadMs > 0);
  };
  const isPendingSince = async (since: number) => responses(since).length > 0 || (await lateWork());
  return {
    isPendingSince,
    async settled() {
      while (await isPendingSince(performance.now())) await network.change(LOOK_MS);
      if (leftMs(capMs) > 0) return;
      for (const { key, answeredAt } of unsettledExchanges(network.exchanges(), performance.now()))
        if (answeredAt === null) longPolls.add(key);
    },
    async plans(withinMs) {
      const plannedTimers = await plans(withinMs);
      const left = Math.min(withinMs, leftMs(lateMs));
      return network.hasSockets()
        ? { ...plannedTimers, aheadMs: Math.max(plannedTimers.aheadMs, left) }
        : plannedTimers;
    },
  };
}

/** Lists the requests whose response may have changed the page at `since` or later, by `performance.now()`. */
export function unsettledExchanges(exchanges: readonly Exchange[], since: number): Exchange[] {
  return exchanges.filter(({ endedAt, answeredAt, isByScript }) => {
    const until = endedAt ?? (answeredAt === null ? Number.POSITIVE_INFINITY : answeredAt + BODY_MS);
    return until + (isByScript ? REACTION_MS : 0) > since;
  });
}

/**
 * Checks whether a request only asks again: the same one was answered before it, or two that differ in the query alone.
 * A request that is repeated because it failed is none.
 */
export function isPolling({ key, path, askedAt }: Exchange, all: readonly Exchange[]): boolean {
  const answered = all.filter((one) => one.isOk && one.answeredAt !== null && one.answeredAt < askedAt);
  return answered.some((one) => one.key === key) || answered.filter((one) => one.path === path).length >= 2;
}
