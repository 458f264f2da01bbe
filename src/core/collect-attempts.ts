import type { ShotRecord } from '../model/record.js';
import type { Status } from '../model/status.js';
import type { CollectedImage } from './collect-observed.js';

/** One attempt at a shot. */
export interface Attempt {
  readonly status: Status;
  /** What it had to say; null: nothing. */
  readonly seen: Pick<ShotRecord, 'reason' | 'before' | 'after' | 'diff'> | null;
  readonly images: readonly CollectedImage[];
}

/** Attempts as they are in the record, and the images that this takes. */
export interface ToldAttempts {
  readonly told: Pick<ShotRecord, 'attempts' | 'flaky'>;
  readonly images: readonly CollectedImage[];
}

/**
 * Puts the attempts of a shot into its record. When they did not all end alike it is flaky, and each of them shows what it
 * saw, but for the one that stands: that is what the shot itself shows.
 */
export function tellAttempts(attempts: readonly Attempt[], standing: Attempt | undefined): ToldAttempts {
  const flaky = new Set(attempts.map(({ status }) => status)).size > 1;
  const shown = flaky ? attempts.filter((attempt) => attempt !== standing) : [];
  const told = attempts.map((attempt) => ({ status: attempt.status, ...(shown.includes(attempt) && seenBy(attempt)) }));
  return { told: { attempts: told, flaky }, images: shown.flatMap(({ images }) => images) };
}

/** In the record stands only what there is. */
function seenBy({ seen }: Attempt): Partial<ShotRecord['attempts'][number]> {
  if (seen === null) return {};
  const { reason, before, after, diff } = seen;
  return {
    ...(reason !== null && { reason }),
    ...(before && { before }),
    ...(after && { after }),
    ...(diff && { diff }),
  };
}
