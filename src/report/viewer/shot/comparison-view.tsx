import type { StateUpdater } from 'preact/hooks';
import type { ShotView } from '../../html/view.js';
import type { Action } from '../keyboard-shortcuts.js';
import { type ComparisonState, modesOf, scaleOf, type ViewMode } from './comparison-state.js';
import { Overlay } from './overlay.js';
import { SideBySide } from './side-by-side.js';

interface ComparisonViewProps {
  readonly shot: ShotView;
  readonly state: ComparisonState;
  /** The scale of the zoom `fit`, in CSS pixels per image pixel. */
  readonly fitScale: number;
  readonly onFitScale: (fitScale: number) => void;
  readonly onState: (update: StateUpdater<ComparisonState>) => void;
  readonly onAction: (action: Action) => void;
}

/** Shows the images of a shot in the selected mode, below a toolbar. */
export function ComparisonView(props: ComparisonViewProps) {
  const { shot, state, fitScale, onFitScale, onState } = props;
  const arrangement = { shot, state, scale: scaleOf(state, fitScale), onFitScale };
  return (
    <section aria-label="Images">
      <Toolbar {...props} />
      {state.mode === 'side' ? (
        <SideBySide {...arrangement} />
      ) : (
        <Overlay {...arrangement} onSlider={(sliderValue) => onState((previous) => ({ ...previous, sliderValue }))} />
      )}
    </section>
  );
}

const MODE_LABELS: Readonly<Record<ViewMode, string>> = {
  side: 'Side by side',
  slider: 'Slider',
  flip: 'Flip',
  onion: 'Onion skin',
  diff: 'Diff',
};

function Toolbar({ shot, state, fitScale, onState, onAction }: ComparisonViewProps) {
  const percent = Math.round(100 * scaleOf(state, fitScale));
  return (
    <div class="toolbar">
      <fieldset class="modes" aria-label="View">
        {modesOf(shot).map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={state.mode === mode}
            onClick={() => onState((previous) => ({ ...previous, mode, isFlipped: false }))}
          >
            {MODE_LABELS[mode]}
          </button>
        ))}
      </fieldset>
      <fieldset class="zoom" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" onClick={() => onAction('zoom-out')}>
          −
        </button>
        <span class="scale">{percent} %</span>
        <button type="button" aria-label="Zoom in" onClick={() => onAction('zoom-in')}>
          +
        </button>
        <button type="button" aria-pressed={state.zoom === 'fit'} onClick={() => onAction('zoom-fit')}>
          Fit
        </button>
        <button type="button" aria-pressed={state.zoom === 1} onClick={() => onAction('zoom-actual')}>
          1:1
        </button>
        {shot.regions.length > 0 && (
          <>
            <button type="button" aria-pressed={state.showsMarks} onClick={() => onAction('toggle-marks')}>
              Marks
            </button>
            <button type="button" onClick={() => onAction('next-region')}>
              Next region
            </button>
          </>
        )}
      </fieldset>
      <ModeControl state={state} onState={onState} />
    </div>
  );
}

/** Shows the control of the mode: a slider, or the flip button. */
function ModeControl({ state, onState }: Pick<ComparisonViewProps, 'state' | 'onState'>) {
  if (state.mode === 'flip') return <FlipButton isFlipped={state.isFlipped} onState={onState} />;
  if (state.mode !== 'slider' && state.mode !== 'onion') return null;
  return (
    <label class="slider">
      <span>before</span>
      <input
        type="range"
        min={0}
        max={100}
        value={state.sliderValue}
        aria-label={state.mode === 'slider' ? 'Divider between before and after' : 'Opacity of the after image'}
        onInput={(event) => {
          const sliderValue = event.currentTarget.valueAsNumber;
          onState((previous) => ({ ...previous, sliderValue }));
        }}
      />
      <span>after</span>
    </label>
  );
}

function FlipButton({ isFlipped, onState }: Pick<ComparisonViewProps, 'onState'> & { isFlipped: boolean }) {
  const setFlipped = (next: boolean) => onState((previous) => ({ ...previous, isFlipped: next }));
  return (
    <button
      type="button"
      class="flip-button"
      aria-pressed={isFlipped}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFlipped(true);
      }}
      onLostPointerCapture={() => setFlipped(false)}
      onKeyDown={(event) => event.key === ' ' && setFlipped(true)}
      onKeyUp={() => setFlipped(false)}
      onBlur={() => setFlipped(false)}
    >
      Hold to show the before image
    </button>
  );
}
