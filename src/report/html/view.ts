import type { Rectangle } from '../../model/image.js';
import type { Status } from '../../model/run-record.js';

/** What the report's page knows: all its words are made, all its links are safe to follow. */
export interface View {
  readonly verdict: string;
  readonly isGreen: boolean;
  /** What was run: list, time, commit. */
  readonly scope: string;
  /** The filters that were in force; empty: none. */
  readonly filters: string;
  readonly counts: readonly (readonly [name: string, count: string, isZero: boolean])[];
  readonly problems: readonly { readonly what: string; readonly advice: string }[];
  readonly notices: readonly string[];
  readonly version: string;
  /** Of a page that holds its images: what is to be said of those it has no room for. */
  readonly leftOut: string | null;
  /** From worst to best. */
  readonly shots: readonly ShotView[];
}

/** A shot, as the page shows it. */
export interface ShotView {
  /** With the project what names it, to the letter: not to be shown. */
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly projectName: string;
  readonly viewport: string;
  readonly status: Status;
  readonly flags: readonly string[];
  readonly needsReview: boolean;
  readonly group: string | null;
  readonly decision: Decision | null;
  /** Whether its image can become its baseline. */
  readonly isDecidable: boolean;
  readonly reason: string;
  readonly facts: readonly Fact[];
  readonly figures: Figures;
  readonly before: ImageView | null;
  readonly after: ImageView | null;
  readonly diff: ImageView | null;
  readonly marks: readonly Mark[];
  /** Of a shot whose attempts did not all end alike; else empty. */
  readonly attempts: readonly AttemptView[];
  /** What there is to be typed to approve it; null: its id cannot be typed. */
  readonly quotedId: string | null;
  /** Empty where the run has but one project. */
  readonly quotedProject: string | null;
}

/** What a reviewer says of a shot. */
export type Decision = 'approved' | 'rejected';

/** One line of what is known of a shot. */
export interface Fact {
  readonly name: string;
  readonly text: string;
  readonly href: string | null;
}

/** The exact figures of a shot; empty where there are none. */
export interface Figures {
  readonly differs: string;
  readonly total: string;
  readonly antialiased: string;
  readonly limit: string;
  readonly time: string;
}

/** One of several attempts at a shot. */
export interface AttemptView {
  readonly status: Status;
  readonly reason: string;
  /** Null: it is the one that stands, and the shot shows its images. */
  readonly images: Pick<ShotView, 'before' | 'after' | 'diff'> | null;
}

/** One image of a shot. */
export interface ImageView {
  /** Relative to the page; null where there is no file, and `caption` says why. */
  readonly href: string | null;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
  /** A browser shows no PDF as an image. */
  readonly isPicture: boolean;
}

/** A numbered region, where it lies in each image. */
export interface Mark {
  readonly text: string;
  readonly before: Rectangle | null;
  readonly after: Rectangle | null;
  readonly diff: Rectangle;
}
