import type { Cause, Decision, RegionPlace, Size, Status } from '../../model/index.js';

/** The data of the report page. All texts are final and all links are safe. */
export interface ReportView {
  readonly verdict: string;
  readonly isGreen: boolean;
  /** List, time and commit of the run. */
  readonly scope: string;
  /** Options of the command line; empty if there are none. */
  readonly options: string;
  /** Without the counts that are zero. */
  readonly counts: readonly (readonly [name: string, count: string])[];
  readonly problems: readonly { readonly what: string; readonly advice: string }[];
  readonly notices: readonly string[];
  readonly version: string;
  /** Note about images that are not embedded; null if all are, or if images are separate files. */
  readonly omittedImages: string | null;
  /** From worst to best: errors, unstable shots, groups of changes with the largest first, other changes, all others. */
  readonly shots: readonly ShotView[];
}

/** A shot in the report page. */
export interface ShotView {
  /** The unsanitized id. Identifies the shot together with `project`; do not display it. */
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly url: string;
  readonly projectName: string;
  readonly viewport: string;
  readonly status: Status;
  readonly flags: readonly string[];
  readonly needsReview: boolean;
  readonly group: string | null;
  readonly decision: Decision | null;
  /** Whether the shot can be approved. */
  readonly isDecidable: boolean;
  readonly reason: string;
  readonly details: readonly Detail[];
  readonly metrics: Metrics;
  readonly durationMs: number;
  /** The duration, and its longest parts. */
  readonly spent: string;
  readonly before: ImageView | null;
  readonly after: ImageView | null;
  readonly diff: ImageView | null;
  /** Numbered from 1 in the page, in this order. */
  readonly regions: readonly RegionView[];
  /** What changed in the page; empty if it is not known. */
  readonly causes: readonly CauseView[];
  /** Attempts of a flaky shot; otherwise empty. */
  readonly attempts: readonly AttemptView[];
  /** Shell-quoted id for the approve command; null if the id cannot be typed. */
  readonly quotedId: string | null;
  /** Shell-quoted project; empty if the run has a single project, null if it cannot be typed. */
  readonly quotedProject: string | null;
}

/** A labeled detail of a shot. */
export interface Detail {
  readonly name: string;
  readonly text: string;
  readonly href: string | null;
}

/** The exact numbers of a shot; empty strings if unavailable. */
export interface Metrics {
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
  /** Null for the final attempt, whose images are those of the shot. */
  readonly images: Pick<ShotView, 'before' | 'after' | 'diff'> | null;
}

/** One image of a shot. */
export interface ImageView extends Size {
  /** URL relative to the page; null if there is no file. `caption` then gives the reason. */
  readonly href: string | null;
  readonly caption: string;
  /** False for a PDF, which browsers do not show as an image. */
  readonly isPicture: boolean;
}

/** A region and its position in each image, in pixels of the image. */
export interface RegionView extends RegionPlace {
  readonly text: string;
}

/** A cause, and the boxes of its elements in pixels of each image. */
export interface CauseView extends Pick<Cause, 'boxes'> {
  readonly text: string;
}

/** The approval session of a page that the report server renders. */
export interface Session {
  /** Sent with each decision. The server refuses decisions without it. */
  readonly token: string;
}
