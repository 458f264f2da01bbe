import type { PlaywrightWorkerOptions } from '@playwright/test';
import { isLeftAlone } from '../../capture/prepare.js';
import type { Shot } from '../../model/plan.js';

/** What a project says of a test's page, and of what is recorded of it. */
export interface PageOptions {
  /** What its context is made from; tests whose files differ in it have different pages. */
  readonly look: object;
  /** What it is let in by, by the project. */
  readonly credentials: readonly unknown[];
  readonly screenshot: PlaywrightWorkerOptions['screenshot'];
  readonly trace: PlaywrightWorkerOptions['trace'];
  /** How often the test was run before. */
  readonly retry: number;
}

/**
 * Tells pages apart that one shot cannot have from another.
 *
 * @returns null where a shot has to have a page of its own: it is let in by the project, it is recorded from its opening to
 * its end, or the shot does something to it that cannot be undone.
 */
export function pageKindOf(options: PageOptions, { capture }: Shot): string | null {
  const { clock, delayMs, contentHeight, hideCookie, settle } = capture;
  if (options.credentials.some(isGiven) || isRecorded(options)) return null;
  if (clock !== null || delayMs > 0 || contentHeight) return null;
  return JSON.stringify([options.look, hideCookie, settle, isLeftAlone(capture)]);
}

function isGiven(credential: unknown): boolean {
  return Array.isArray(credential) ? credential.length > 0 : Boolean(credential);
}

/** After a failure no page is kept: only what is recorded of every test is in the way. */
function isRecorded({ screenshot, trace, retry }: PageOptions): boolean {
  const traces = modeOf(trace);
  const isTraced = retry === 0 ? !['off', 'on-first-retry', 'on-all-retries'].includes(traces) : traces !== 'off';
  return modeOf(screenshot) === 'on' || isTraced;
}

function modeOf(option: string | { mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}
