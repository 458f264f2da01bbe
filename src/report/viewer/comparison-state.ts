import type { ImageView, ShotView } from '../view.js';

export type ViewMode = 'side' | 'slider' | 'flip' | 'onion' | 'diff';

export type ComparisonAction =
  | ViewMode
  | `${'next' | 'previous'}-region`
  | `slider-${'left' | 'right'}`
  | `zoom-${'fit' | 'actual' | 'in' | 'out'}`
  | 'toggle-marks';

export interface ComparisonState {
  readonly mode: ViewMode;
  /** CSS pixels per image pixel; `fit` is the width of the pane, at most 1; `readable` is the same, or 1 if it would be too small to read. */
  readonly zoom: number | 'fit' | 'readable';
  readonly region: number | null;
  /** Number of selections so far. Changes when the same region is selected again, so that the view scrolls to it again. */
  readonly selections: number;
  /** Position of the divider, or opacity of the after image in the onion skin, in percent. 0 shows before, 100 shows after. */
  readonly sliderValue: number;
  readonly isFlipped: boolean;
  readonly showsMarks: boolean;
  /** Index of the cause whose elements are framed; null if none is pointed at. */
  readonly cause: number | null;
}

/** Returns the initial state: the first mode with marks, at the first region, in a readable size. */
export function initialState(shot: ShotView): ComparisonState {
  const [mode = 'side'] = modesOf(shot);
  const region = shot.regions.length > 0 ? 0 : null;
  const zoom = shot.moves.length + shot.regions.length > 0 ? 'readable' : 'fit';
  return { mode, zoom, region, selections: 0, cause: null, sliderValue: 50, isFlipped: false, showsMarks: true };
}

/** At a smaller scale, most text is too small to read. */
const MIN_READABLE = 0.4;

const SLIDER_STEP = 5;

const [MIN_ZOOM, MAX_ZOOM] = [0.1, 16];
const ZOOM_STEPS = [MIN_ZOOM, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8, MAX_ZOOM];

/** Returns the state after an action. The scales are in CSS pixels per image pixel. */
export function reduce(state: ComparisonState, action: ComparisonAction, shot: ShotView, fitScale: number) {
  const { region, sliderValue } = state;
  const scale = scaleOf(state, fitScale);
  const mode = modesOf(shot).find((each) => each === action);
  if (mode) return { ...state, mode, isFlipped: false };
  if (action === 'next-region') return selectRegion(state, shot, (region ?? -1) + 1);
  if (action === 'previous-region') return selectRegion(state, shot, (region ?? 0) - 1);
  const changes: Partial<Record<ComparisonAction, Partial<ComparisonState>>> = {
    'slider-left': { sliderValue: Math.max(0, sliderValue - SLIDER_STEP) },
    'slider-right': { sliderValue: Math.min(100, sliderValue + SLIDER_STEP) },
    'zoom-fit': { zoom: 'fit' },
    'zoom-actual': { zoom: 1 },
    'zoom-in': { zoom: ZOOM_STEPS.find((step) => step > scale) ?? MAX_ZOOM },
    'zoom-out': { zoom: ZOOM_STEPS.findLast((step) => step < scale) ?? MIN_ZOOM },
    'toggle-marks': { showsMarks: !state.showsMarks },
  };
  return { ...state, ...changes[action] };
}

/** Selects a region at 1:1. The index wraps around: the first region follows the last. */
export function selectRegion(state: ComparisonState, { regions }: ShotView, region: number): ComparisonState {
  if (regions.length === 0) return state;
  const selected = (region + regions.length) % regions.length;
  return { ...state, zoom: 1, region: selected, selections: state.selections + 1 };
}

export function scaleOf({ zoom }: ComparisonState, fitScale: number): number {
  if (zoom === 'readable') return fitScale < MIN_READABLE ? 1 : fitScale;
  return zoom === 'fit' ? fitScale : zoom;
}

/** Returns the modes that a shot supports. Overlays need both images. */
export function modesOf({ images: { before, after, diff } }: ShotView): ViewMode[] {
  const hasOverlays = isDisplayable(before) && isDisplayable(after);
  return [
    ...(before || after || !diff ? (['side'] as const) : []),
    ...(hasOverlays ? (['slider', 'flip', 'onion'] as const) : []),
    ...(isDisplayable(diff) ? (['diff'] as const) : []),
  ];
}

/** Checks whether the browser can show an image: it has a file, and it is not a PDF. */
export function isDisplayable(image: ImageView | undefined): boolean {
  return image?.isPicture === true && image.href !== undefined;
}
