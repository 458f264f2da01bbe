import type { ShotView } from '../../html/view.js';
import type { Action } from '../keyboard-shortcuts.js';

/** A view mode: how the before and after images are arranged, or the diff image. */
export type ViewMode = 'side' | 'slider' | 'flip' | 'onion' | 'diff';

/** The state of the comparison view. */
export interface ComparisonState {
  readonly mode: ViewMode;
  /** CSS pixels per image pixel; `fit` is the width of the pane, at most 1. */
  readonly zoom: number | 'fit';
  /** Index of the selected region; null if none is selected. */
  readonly region: number | null;
  /** Number of selections so far. Changes when the same region is selected again, so that the view scrolls to it again. */
  readonly selections: number;
  /** Position of the divider, or opacity of the after image in the onion skin, in percent. 0 shows before, 100 shows after. */
  readonly sliderValue: number;
  /** Whether the mode `flip` shows before. */
  readonly isFlipped: boolean;
  readonly showsMarks: boolean;
  /** Index of the cause whose elements are framed; null if none is pointed at. */
  readonly cause: number | null;
}

/** Values that the reducer needs but that are not part of the state. */
export interface ComparisonContext {
  readonly regionCount: number;
  /** Modes that the shot supports. */
  readonly modes: readonly ViewMode[];
  /** The scale of the zoom `fit`, in CSS pixels per image pixel. */
  readonly fitScale: number;
}

/** Returns the initial state: the first mode, fit to the width, with marks. */
export function initialState(modes: readonly ViewMode[]): ComparisonState {
  const [mode = 'side'] = modes;
  return {
    mode,
    zoom: 'fit',
    region: null,
    selections: 0,
    sliderValue: 50,
    isFlipped: false,
    showsMarks: true,
    cause: null,
  };
}

/** Returns the state after an action. Actions of other components do not change it. */
export function reduce(state: ComparisonState, action: Action, context: ComparisonContext): ComparisonState {
  switch (action) {
    case 'side':
    case 'slider':
    case 'onion':
    case 'diff':
      return context.modes.includes(action) ? { ...state, mode: action, isFlipped: false } : state;
    case 'flip':
      return context.modes.includes('flip') ? { ...state, mode: 'flip', isFlipped: true } : state;
    case 'next-region':
      return selectRegion(state, context, (state.region ?? -1) + 1);
    case 'previous-region':
      return selectRegion(state, context, (state.region ?? 0) - 1);
    case 'slider-left':
      return { ...state, sliderValue: Math.max(0, state.sliderValue - SLIDER_STEP) };
    case 'slider-right':
      return { ...state, sliderValue: Math.min(100, state.sliderValue + SLIDER_STEP) };
    case 'zoom-fit':
      return { ...state, zoom: 'fit' };
    case 'zoom-actual':
      return { ...state, zoom: 1 };
    case 'zoom-in':
      return { ...state, zoom: ZOOM_STEPS.find((step) => step > scaleOf(state, context.fitScale)) ?? MAX_ZOOM };
    case 'zoom-out':
      return { ...state, zoom: ZOOM_STEPS.findLast((step) => step < scaleOf(state, context.fitScale)) ?? MIN_ZOOM };
    case 'toggle-marks':
      return { ...state, showsMarks: !state.showsMarks };
    default:
      return state;
  }
}

/** Step of the keyboard shortcuts that move the slider, in percent. */
const SLIDER_STEP = 5;

const [MIN_ZOOM, MAX_ZOOM] = [0.1, 16];
const ZOOM_STEPS = [MIN_ZOOM, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8, MAX_ZOOM];

/** Selects a region at 1:1. The index wraps around: the first region follows the last. */
export function selectRegion(state: ComparisonState, context: ComparisonContext, region: number): ComparisonState {
  const { regionCount } = context;
  if (regionCount === 0) return state;
  return { ...state, zoom: 1, region: (region + regionCount) % regionCount, selections: state.selections + 1 };
}

/** Returns the scale of the images, in CSS pixels per image pixel. */
export function scaleOf({ zoom }: ComparisonState, fitScale: number): number {
  return zoom === 'fit' ? fitScale : zoom;
}

/** Returns the modes that a shot supports. Overlays need both images. */
export function modesOf({ before, after, diff }: ShotView): ViewMode[] {
  const sideBySide = before || after || !diff ? (['side'] as const) : [];
  const overlays = isDisplayable(before) && isDisplayable(after) ? (['slider', 'flip', 'onion'] as const) : [];
  return [...sideBySide, ...overlays, ...(isDisplayable(diff) ? (['diff'] as const) : [])];
}

/** Checks whether the browser can show an image: it has a file, and it is not a PDF. */
export function isDisplayable(image: ShotView['diff']): boolean {
  return image?.isPicture === true && image.href !== null;
}
