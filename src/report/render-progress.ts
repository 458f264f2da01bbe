import { renderCount } from './words.js';

/** How far a run has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Of those that are done. */
  readonly failed: number;
  readonly elapsedMs: number;
}

/** What a line has to fit. */
export interface LineStyle {
  /** Null: however long it is. */
  readonly columns: number | null;
  readonly hasColors: boolean;
}

/**
 * Renders how far a run has come: `proofsheet: 120 of 300 tests, 3 failed, about 2 min 10 s left`. The time left is told when
 * enough is done to know it. What does not fit the line is cut.
 */
export function renderProgress(progress: Progress, { columns, hasColors }: LineStyle): string {
  const { done, total, failed } = progress;
  const left = timeLeft(progress);
  const counted = `proofsheet: ${renderCount(done)} of ${renderCount(total)} tests`;
  const amiss = failed > 0 ? `${renderCount(failed)} failed` : '';
  const time = left === null ? '' : `about ${renderTimeLeft(left)} left`;
  const line = (words: readonly string[]) => words.filter((word) => word !== '').join(', ');
  const plain = line([counted, amiss, time]);
  if (columns !== null && plain.length > columns) return plain.slice(0, columns);
  return hasColors && amiss !== '' ? line([counted, `\u001b[31m${amiss}\u001b[39m`, time]) : plain;
}

/** What the first tests take says little: they wait for a browser. */
const KNOWN_FROM = { tests: 3, ms: 2_000 };

function timeLeft({ done, total, elapsedMs }: Progress): number | null {
  if (done < KNOWN_FROM.tests || elapsedMs < KNOWN_FROM.ms || done >= total) return null;
  return (elapsedMs / done) * (total - done);
}

/** Nobody can know it better than to ten seconds, where it is minutes. */
function renderTimeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const tens = Math.ceil(seconds / 10);
  const minutes = Math.floor(tens / 6);
  if (minutes < 60) return tens % 6 === 0 ? `${minutes} min` : `${minutes} min ${(tens % 6) * 10} s`;
  return `${renderCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
