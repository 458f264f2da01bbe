import type { StateUpdater } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import type { Action } from '../keys.js';
import { Over } from './overlay.js';
import { Side } from './side-by-side.js';
import { type Mode, modesOf, type StageState, scaleOf } from './stage-state.js';

interface Properties {
  readonly shot: ShotView;
  readonly state: StageState;
  readonly fit: number;
  readonly onFit: (fit: number) => void;
  readonly onState: (update: StateUpdater<StageState>) => void;
  readonly onAct: (action: Action) => void;
}

/** Shows the images of a shot in the way that is chosen, and what chooses it. */
export function Stage(properties: Properties) {
  const { shot, state, fit, onFit, onState } = properties;
  const shown = { shot, state, scale: scaleOf(state, fit), onFit };
  return (
    <section class="stage" aria-label="Images">
      <Tools {...properties} />
      {state.mode === 'side' ? (
        <Side {...shown} />
      ) : (
        <Over {...shown} onBalance={(balance) => onState((now) => ({ ...now, balance }))} />
      )}
    </section>
  );
}

const NAMES: Readonly<Record<Mode, string>> = {
  side: 'Side by side',
  slider: 'Slider',
  flip: 'Flip',
  onion: 'Onion skin',
  diff: 'Diff',
};

function Tools({ shot, state, fit, onState, onAct }: Properties) {
  const scale = Math.round(100 * scaleOf(state, fit));
  return (
    <div class="tools">
      <fieldset class="modes" aria-label="View">
        {modesOf(shot).map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={state.mode === mode}
            onClick={() => onState((now) => ({ ...now, mode, isFlipped: false }))}
          >
            {NAMES[mode]}
          </button>
        ))}
      </fieldset>
      <fieldset class="zoom" aria-label="Size">
        <button type="button" aria-label="Smaller" onClick={() => onAct('out')}>
          −
        </button>
        <span class="scale">{scale} %</span>
        <button type="button" aria-label="Larger" onClick={() => onAct('in')}>
          +
        </button>
        <button type="button" aria-pressed={state.zoom === 'fit'} onClick={() => onAct('fit')}>
          Fit
        </button>
        <button type="button" aria-pressed={state.zoom === 1} onClick={() => onAct('actual')}>
          1:1
        </button>
        {shot.marks.length > 0 && (
          <button type="button" aria-pressed={state.hasMarks} onClick={() => onAct('marks')}>
            Marks
          </button>
        )}
        {shot.marks.length > 0 && (
          <button type="button" onClick={() => onAct('next-region')}>
            Next region
          </button>
        )}
      </fieldset>
      <Balance state={state} onState={onState} />
    </div>
  );
}

/** What moves the divider, the onion skin, or turns before up. */
function Balance({ state, onState }: Pick<Properties, 'state' | 'onState'>) {
  if (state.mode === 'flip') return <FlipButton isFlipped={state.isFlipped} onState={onState} />;
  if (state.mode !== 'slider' && state.mode !== 'onion') return null;
  return (
    <label class="balance">
      <span>before</span>
      <input
        type="range"
        min={0}
        max={100}
        value={state.balance}
        aria-label={state.mode === 'slider' ? 'Divider between before and after' : 'How much of after is seen'}
        onInput={(event) => {
          const balance = event.currentTarget.valueAsNumber;
          onState((now) => ({ ...now, balance }));
        }}
      />
      <span>after</span>
    </label>
  );
}

function FlipButton({ isFlipped, onState }: { isFlipped: boolean; onState: Properties['onState'] }) {
  const flip = (next: boolean) => onState((now) => ({ ...now, isFlipped: next }));
  return (
    <button
      type="button"
      class="flip"
      aria-pressed={isFlipped}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        flip(true);
      }}
      onLostPointerCapture={() => flip(false)}
      onKeyDown={(event) => event.key === ' ' && flip(true)}
      onKeyUp={() => flip(false)}
      onBlur={() => flip(false)}
    >
      Hold to see before
    </button>
  );
}
