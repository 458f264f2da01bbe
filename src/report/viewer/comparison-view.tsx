import type { StateUpdater } from 'preact/hooks';
import type { ShotView } from '../view.js';
import { Overlay, SideBySide } from './arrangements.js';
import { type ComparisonAction, type ComparisonState, modesOf, scaleOf, type ViewMode } from './comparison-state.js';

interface ComparisonViewProps {
  readonly shot: ShotView;
  readonly state: ComparisonState;
  /** The scale of the zoom `fit`, in CSS pixels per image pixel. */
  readonly fitScale: number;
  readonly onFitScale: (fitScale: number) => void;
  readonly onState: (update: StateUpdater<ComparisonState>) => void;
  readonly onAction: (action: ComparisonAction) => void;
}

export function ComparisonView(props: ComparisonViewProps) {
  const { shot, state, fitScale, onFitScale, onState } = props;
  const change = (changes: Partial<ComparisonState>) => onState((previous) => ({ ...previous, ...changes }));
  const onSlider = (sliderValue: number) => change({ sliderValue });
  const arrangement = { shot, state, scale: scaleOf(state, fitScale), onFitScale, onSlider };
  return (
    <section aria-label="Images">
      <Toolbar {...props} change={change} />
      {state.mode === 'side' ? <SideBySide {...arrangement} /> : <Overlay {...arrangement} />}
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

interface ChangeProps {
  readonly state: ComparisonState;
  readonly change: (changes: Partial<ComparisonState>) => void;
}

function Toolbar({ shot, state, fitScale, onAction, change }: ComparisonViewProps & ChangeProps) {
  const scale = scaleOf(state, fitScale);
  const button = (action: ComparisonAction, text: string, attributes = {}) => (
    <button key={action} type="button" {...attributes} onClick={() => onAction(action)}>
      {text}
    </button>
  );
  return (
    <div class="toolbar">
      <fieldset class="modes" aria-label="View">
        {modesOf(shot).map((mode) => button(mode, MODE_LABELS[mode], { 'aria-pressed': state.mode === mode }))}
      </fieldset>
      <fieldset class="zoom" aria-label="Zoom">
        {button('zoom-out', '−', { 'aria-label': 'Zoom out' })}
        <span class="scale">{Math.round(100 * scale)} %</span>
        {button('zoom-in', '+', { 'aria-label': 'Zoom in' })}
        {button('zoom-fit', 'Fit', { 'aria-pressed': scale === fitScale })}
        {button('zoom-actual', '1:1', { 'aria-pressed': scale === 1 })}
        {shot.regions.length > 0 && button('toggle-marks', 'Marks', { 'aria-pressed': state.showsMarks })}
        {shot.regions.length > 0 && button('next-region', 'Next region')}
      </fieldset>
      {(state.mode === 'slider' || state.mode === 'onion') && <Slider state={state} change={change} />}
      {state.mode === 'flip' && <FlipButton state={state} change={change} />}
    </div>
  );
}

function Slider({ state: { mode, sliderValue }, change }: ChangeProps) {
  return (
    <label class="slider">
      <span>before</span>
      <input
        type="range"
        min={0}
        max={100}
        value={sliderValue}
        aria-label={mode === 'slider' ? 'Divider between before and after' : 'Opacity of the after image'}
        onInput={(event) => change({ sliderValue: event.currentTarget.valueAsNumber })}
      />
      <span>after</span>
    </label>
  );
}

function FlipButton({ state: { isFlipped }, change }: ChangeProps) {
  const release = () => change({ isFlipped: false });
  return (
    <button
      type="button"
      class="flip-button"
      aria-pressed={isFlipped}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        change({ isFlipped: true });
      }}
      onLostPointerCapture={release}
      onKeyDown={(event) => event.key === ' ' && change({ isFlipped: true })}
      onKeyUp={release}
      onBlur={release}
    >
      Hold to show the before image
    </button>
  );
}
