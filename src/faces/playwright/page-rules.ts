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

/** What may be done with the pages of a shot. */
export interface PageRules {
  /**
   * Shots of different kinds never have the same page. Null: this one has a page of its own, since it is let in by the
   * project, is recorded from its opening to its end, or has something done to it that cannot be undone.
   */
  readonly kind: string | null;
  /** Somebody will look at every step. */
  readonly isRecorded: boolean;
}

/** Decides what may be done with the pages of a shot. */
export function pageRulesOf(options: PageOptions, { capture }: Shot): PageRules {
  const { clock, delayMs, contentHeight, hideCookie, settle, element } = capture;
  const isOwn = options.credentials.some(isGiven) || clock !== null || delayMs > 0 || contentHeight;
  const kind = JSON.stringify([options.look, hideCookie, settle, element !== null, isLeftAlone(capture)]);
  const recorded = isRecorded(options);
  return { kind: isOwn || recorded ? null : kind, isRecorded: recorded };
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

/** Gives when a project records something: its option is a mode, or says more. */
export function modeOf(option: string | { readonly mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}
