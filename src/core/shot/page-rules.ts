import { hasInteractions } from '../../capture/prepare-page.js';
import type { Shot } from '../../model/shot.js';

/** The options of a project that decide which pages its shots may share. */
export interface PageOptions {
  /** Context options. Tests share a page only if these are equal. */
  readonly contextOptions: object;
  /** Credentials of the project: HTTP credentials, storage state, client certificates. */
  readonly credentials: readonly unknown[];
  /** The trace or a screenshot of the test is recorded, so every step must be reported. */
  readonly isRecorded: boolean;
}

/** Rules for the pages of a shot. */
export interface PageRules {
  /**
   * Only shots of an equal kind share a page. Null: the shot gets a separate page. The reason is credentials of the
   * project, a recording, or a change to the page that a reset cannot revert.
   */
  readonly kind: string | null;
  readonly isRecorded: boolean;
}

/** Decides which pages a shot may share and whether its steps are reported. */
export function pageRulesOf(
  { contextOptions, credentials, isRecorded }: PageOptions,
  { capture }: Pick<Shot, 'capture'>,
): PageRules {
  const { clock, delayMs, lateMs, contentHeight, hideCookie, settle, element, format } = capture;
  // After a page was printed, Chromium draws the element at (0, 0) of the next page as hovered.
  const isPrinted = format === 'pdf';
  const isSeparate = credentials.some(isSet) || clock !== null || delayMs > 0 || contentHeight || isPrinted;
  const scriptInputs = [hideCookie, settle, lateMs, element !== null, hasInteractions(capture)];
  const kind = JSON.stringify([contextOptions, ...scriptInputs]);
  return { kind: isSeparate || isRecorded ? null : kind, isRecorded };
}

function isSet(credential: unknown): boolean {
  return Array.isArray(credential) ? credential.length > 0 : Boolean(credential);
}
