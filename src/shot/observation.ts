import type { Baseline } from '../baselines/index.js';
import type { Explanation, Redraw } from '../explain/index.js';
import type {
  Capture,
  CapturedStructure,
  CompareSettings,
  Comparison,
  EncodedImage,
  ProofsheetError,
  RenderedTexts,
  Warning,
} from '../model/index.js';
import type { StoredCapture } from '../reuse/index.js';

/** One load of a page that became stable. */
export interface Load {
  /** The limits of the shot, with what its story sets. */
  readonly compare: CompareSettings;
  readonly sides: LoadSides;
  /** What explains a difference from the baseline, or between both sides; null if it is not known. */
  readonly explanation: Explanation | null;
}

/** The captures of one load: one, or in a two-state shot both. */
export type LoadSides = readonly [after: Capture, ...before: Capture[]];

interface ComparedWith {
  readonly comparison: Comparison;
  /** Share of the pixels that were compared, 0..1. */
  readonly compared: number;
  /** What explains the difference of both pages; null if it is not known, or if nothing is to explain. */
  readonly explanation: Explanation | null;
  /** Texts that differ although the images look the same; null: none. */
  readonly textChange: TextChange | null;
}

/** Texts that an image does not show, and that its baseline does not have. */
export interface TextChange {
  readonly added: readonly Pick<RenderedTexts['texts'][number], 'text' | 'element'>[];
  /** Number of texts that are not there any more. */
  readonly removed: number;
  /** A visitor can scroll to one of them. */
  readonly isBeyond: boolean;
}

/** A baseline that can be compared with. */
export type BaselineImage = Extract<Baseline, { kind: 'image' }>;

/** The image that a capture is compared with. */
export type Before =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly error: ProofsheetError }
  | (ComparedWith & {
      readonly kind: 'baseline';
      readonly baseline: BaselineImage;
      /** How the page differs from a baseline of another environment; null: its pixels decide. */
      readonly redraw: Redraw | null;
      /** What the record of the baseline lacks. A run that rewrites baselines writes it again. */
      readonly outdated: readonly Warning[];
    })
  /** The other side of a two-state run. It is never written as a baseline. */
  | (ComparedWith & { readonly kind: 'live'; readonly capture: Capture });

/** What was seen of a shot: all that its outcome depends on. */
export type Observation =
  | Skipped
  | Reused
  | { readonly status: 'failed'; readonly error: ProofsheetError }
  | Unstable
  | ComparedLoad;

/** What was seen of a shot, and its limits with what its story sets. */
export interface Observed {
  readonly compare: CompareSettings;
  readonly observation: Observation;
}

/** Nothing was captured. */
export interface Skipped {
  readonly status: 'skipped';
  /** Why the story leaves the shot out; null: because of Playwright's `--ignore-snapshots`. */
  readonly reason: string | null;
}

/** A page whose files are those of an earlier capture that passed. Its image is the baseline. */
export interface Reused {
  readonly status: 'reused';
  readonly stored: StoredCapture;
  readonly baseline: BaselineImage;
}

/** A page that kept changing, or whose loads differ. */
export interface Unstable {
  readonly status: 'unstable';
  readonly by: 'time' | 'loads';
  readonly capture: Capture;
  /** The screenshot before that of the capture. */
  readonly previous: EncodedImage;
  /** The structure of the load before the last one; null: not known, or the screenshots are of one load. */
  readonly previousStructure: CapturedStructure | null;
  /** The comparison of the last two images. */
  readonly motion: Comparison;
}

/** A capture, and the image that it is compared with. */
export interface ComparedLoad {
  readonly status: 'captured';
  readonly capture: Capture;
  readonly before: Before;
  /** Earlier loads of the page that differ from this one. */
  readonly differing: readonly ComparedLoad[];
}

export function sidesOf({ capture, before }: Pick<ComparedLoad, 'capture' | 'before'>): LoadSides {
  return before.kind === 'live' ? [capture, before.capture] : [capture];
}
