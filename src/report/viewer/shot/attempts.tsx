import { useState } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';

/** The selected attempt of a shot. */
export interface SelectedAttempt {
  /** Index of the attempt; -1 if the shot has no attempts. */
  readonly selected: number;
  /** Index of the following attempt. The first one follows the last. */
  readonly next: number;
  readonly select: (attempt: number) => void;
  /** The shot with the images of the selected attempt. */
  readonly shot: ShotView;
  /** Returns the shot with the images of an attempt. */
  readonly shotAt: (attempt: number) => ShotView;
  /** The reason of the attempt's status; empty if there is none. */
  readonly reason: string;
}

/** Selects an attempt of a flaky shot. @default the final attempt */
export function useAttempts(shot: ShotView): SelectedAttempt {
  const { attempts } = shot;
  const [selected, select] = useState(() => attempts.findLastIndex(({ images }) => images === null));
  const shotAt = (index: number): ShotView => {
    const images = attempts[index]?.images ?? null;
    // The record has the regions of the final attempt only.
    return images === null ? shot : { ...shot, ...images, regions: [] };
  };
  const attempt = attempts[selected];
  const reason = attempt && attempt.images !== null ? attempt.reason : shot.reason;
  const next = (selected + 1) % Math.max(1, attempts.length);
  return { selected, next, select, shot: shotAt(selected), shotAt, reason };
}

interface AttemptButtonsProps {
  readonly shot: ShotView;
  readonly selected: number;
  readonly onSelect: (attempt: number) => void;
}

/** Shows a button per attempt; nothing if the shot is not flaky. */
export function AttemptButtons({ shot, selected, onSelect }: AttemptButtonsProps) {
  if (shot.attempts.length === 0) return null;
  return (
    <fieldset class="attempts" aria-label="Attempts">
      {shot.attempts.map(({ status }, index) => (
        <button key={`${index + 1}`} type="button" aria-pressed={index === selected} onClick={() => onSelect(index)}>
          Attempt {index + 1}: {status}
        </button>
      ))}
    </fieldset>
  );
}
