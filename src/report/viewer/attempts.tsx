import { useState } from 'preact/hooks';
import type { ShotView } from '../view.js';

/** Which attempt at a shot is looked at. */
export interface ChosenAttempt {
  readonly chosen: number;
  /** The one after it; after the last comes the first. */
  readonly next: number;
  readonly choose: (attempt: number) => void;
  /** The shot as that attempt saw it. */
  readonly shown: ShotView;
  readonly viewOf: (attempt: number) => ShotView;
  /** Why that attempt ended as it did; empty where there is nothing to say. */
  readonly reason: string;
}

/** Lets the attempts of a flaky shot be looked at one by one, beginning with the one that stands. */
export function useAttempts(shot: ShotView): ChosenAttempt {
  const { attempts } = shot;
  const [chosen, choose] = useState(() => attempts.findLastIndex(({ images }) => images === null));
  const viewOf = (index: number): ShotView => {
    const images = attempts[index]?.images ?? null;
    // Where the regions of another attempt lay is not known.
    return images === null ? shot : { ...shot, ...images, marks: [] };
  };
  const attempt = attempts[chosen];
  const reason = attempt && attempt.images !== null ? attempt.reason : shot.reason;
  const next = (chosen + 1) % Math.max(1, attempts.length);
  return { chosen, next, choose, shown: viewOf(chosen), viewOf, reason };
}

interface Properties {
  readonly shot: ShotView;
  readonly chosen: number;
  readonly onChoose: (attempt: number) => void;
}

/** Shows the attempts of a flaky shot, each to be looked at. */
export function Attempts({ shot, chosen, onChoose }: Properties) {
  if (shot.attempts.length === 0) return null;
  return (
    <fieldset class="attempts" aria-label="Attempts">
      {shot.attempts.map(({ status }, index) => (
        <button key={`${index + 1}`} type="button" aria-pressed={index === chosen} onClick={() => onChoose(index)}>
          Attempt {index + 1}: {status}
        </button>
      ))}
    </fieldset>
  );
}
