import type { ShotView } from '../../html/view.js';
import type { Action } from '../keys.js';

/** How the images of a shot are laid beside or over one another. */
export type Mode = 'side' | 'slider' | 'flip' | 'onion' | 'diff';

/** What the stage shows of a shot. */
export interface StageState {
  readonly mode: Mode;
  /** CSS pixels for a pixel of the image; `fit`: as wide as there is room. */
  readonly zoom: number | 'fit';
  /** Which region is looked at; null: none yet. */
  readonly region: number | null;
  /** How often a region was jumped to: so that a jump to the same one is a jump. */
  readonly jumps: number;
  /** Where the divider is, and how much of after the onion skin shows: 0 is before, 100 after. */
  readonly balance: number;
  /** Whether before is shown where after was. */
  readonly isFlipped: boolean;
  readonly hasMarks: boolean;
}

/** What is known where the state changes. */
export interface Surroundings {
  readonly regions: number;
  readonly modes: readonly Mode[];
  /** What `fit` comes to. */
  readonly fit: number;
}

/** Returns the state in which a shot is first shown. */
export function firstState(modes: readonly Mode[]): StageState {
  const [mode = 'side'] = modes;
  return { mode, zoom: 'fit', region: null, jumps: 0, balance: 50, isFlipped: false, hasMarks: true };
}

/** Returns the state after an action; one that is not about the stage changes nothing. */
export function reduce(state: StageState, action: Action, around: Surroundings): StageState {
  switch (action) {
    case 'side':
    case 'slider':
    case 'onion':
    case 'diff':
      return around.modes.includes(action) ? { ...state, mode: action, isFlipped: false } : state;
    case 'flip':
      return around.modes.includes('flip') ? { ...state, mode: 'flip', isFlipped: true } : state;
    case 'next-region':
      return jumpTo(state, around, (state.region ?? -1) + 1);
    case 'previous-region':
      return jumpTo(state, around, (state.region ?? 0) - 1);
    case 'less':
      return { ...state, balance: Math.max(0, state.balance - BALANCE_STEP) };
    case 'more':
      return { ...state, balance: Math.min(100, state.balance + BALANCE_STEP) };
    case 'fit':
      return { ...state, zoom: 'fit' };
    case 'actual':
      return { ...state, zoom: 1 };
    case 'in':
      return { ...state, zoom: LADDER.find((step) => step > scaleOf(state, around.fit)) ?? MOST };
    case 'out':
      return { ...state, zoom: LADDER.findLast((step) => step < scaleOf(state, around.fit)) ?? LEAST };
    case 'marks':
      return { ...state, hasMarks: !state.hasMarks };
    default:
      return state;
  }
}

/** Goes to a region at 1:1; after the last comes the first. */
export function jumpTo(state: StageState, { regions }: Surroundings, region: number): StageState {
  if (regions === 0) return state;
  return { ...state, zoom: 1, region: (region + regions) % regions, jumps: state.jumps + 1 };
}

/** Returns how many CSS pixels a pixel of the image takes. */
export function scaleOf({ zoom }: StageState, fit: number): number {
  return zoom === 'fit' ? fit : zoom;
}

const BALANCE_STEP = 5;
const [LEAST, MOST] = [0.1, 16];
const LADDER = [LEAST, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8, MOST];

/** Returns the ways in which the images of a shot can be shown: over one another only where there are two pictures. */
export function modesOf({ before, after, diff }: ShotView): Mode[] {
  const over = isThere(before) && isThere(after) ? (['slider', 'flip', 'onion'] as const) : [];
  const beside = before || after || !diff ? (['side'] as const) : [];
  return [...beside, ...over, ...(isThere(diff) ? (['diff'] as const) : [])];
}

/** Checks whether there is something that can be laid over another. */
export function isThere(image: ShotView['diff']): boolean {
  return image?.isPicture === true && image.href !== null;
}
