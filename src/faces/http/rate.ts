/** Counts what each visitor asks for. */
export interface Rate {
  /** Takes note of a request; gives the seconds to wait where it is one too many, else null. */
  take(name: string): number | null;
}

/** How many visitors are remembered: those who have not come for long are as good as new. */
const MOST_VISITORS = 10_000;

/**
 * Creates a rate of so many requests in a minute: a visitor may send all of them at once, and gets them back one by one.
 *
 * @param perMinute null: no limit.
 * @param now milliseconds.
 */
export function createRate(perMinute: number | null, now: () => number): Rate {
  if (perMinute === null) return { take: () => null };
  const msEach = 60_000 / perMinute;
  const visitors = new Map<string, number>();
  return {
    take(name) {
      const time = now();
      // When all that a visitor has sent will be forgotten.
      const free = Math.max(time, visitors.get(name) ?? 0) + msEach;
      const early = free - 60_000 - time;
      if (early > 0.5) return Math.max(1, Math.ceil(early / 1000));
      visitors.delete(name);
      visitors.set(name, free);
      const [oldest] = visitors.keys();
      if (visitors.size > MOST_VISITORS && oldest !== undefined) visitors.delete(oldest);
      return null;
    },
  };
}
