import type { Page } from '@playwright/test';
import type { SettleName, SettleSwitches, Warning } from '../../model/index.js';
import { evaluateInFrames, openRoots } from '../in-page/frames.js';
import { listFew } from '../network.js';
import { animations, motion } from './causes/animations.js';
import { caret, scrollbars, spelling } from './causes/browser-ui.js';
import { gifs, images, videos } from './causes/images.js';
import { random } from './causes/random.js';
import { scroll } from './causes/scroll.js';
import { busy, fonts, layout, load } from './causes/waits.js';
import type { Stabilizer } from './stabilizer.js';

const STABILIZERS: readonly Stabilizer[] = Object.values({
  ...{ load, fonts, images, motion, layout, busy, animations },
  ...{ videos, gifs, caret, scrollbars, spelling, scroll, random },
} satisfies { [Name in SettleName]: Stabilizer & { readonly name: Name } });

/** The combined scripts and styles of all enabled stabilizers. */
export interface Stabilizers {
  /** The CSS of all stabilizers, applied while a page is captured. */
  readonly css: string;
  /** The init script that runs in every document before its own scripts. */
  readonly initScript: string;
  /** Waits until nothing is pending, each cause up to its own cap. */
  wait(page: Page): Promise<Waited>;
  /** Source text of statements that stop motion in `roots`. They run just before a screenshot. */
  readonly freezeSource: string;
  /** Resumes the motion of a captured page. */
  restore(page: Page): Promise<void>;
}

/** The result of a wait, by stabilizer name. */
export interface Waited {
  readonly pending: Pending;
  /** The wait of the slowest frame, in milliseconds. */
  readonly waitedMs: Readonly<Record<string, number>>;
}

/** What is still pending, by stabilizer name. */
export type Pending = Readonly<Record<string, readonly string[]>>;

/** Combines the stabilizers that these switches enable. */
export function createStabilizers(switches: SettleSwitches): Stabilizers {
  const active = STABILIZERS.filter(({ name }) => switches[name]);
  const waitSource = waitSourceOf(active);
  const restoreSource = callsOf(active, 'restore');
  const css = active.flatMap((stabilizer) => stabilizer.css ?? []).join('\n');
  return {
    css,
    initScript: [`(${String(adoptAtStart)})(${JSON.stringify(css)});`, callsOf(active, 'init')].join('\n'),
    async wait(page) {
      const frames = await evaluateInFrames<Record<string, { names: string[]; ms: number }>>(page, waitSource);
      const byName = <T>(sum: (waits: { names: string[]; ms: number }[]) => T) =>
        Object.fromEntries(active.map(({ name }) => [name, sum(frames.flatMap((frame) => frame[name] ?? []))]));
      return {
        pending: byName((waits) => [...new Set(waits.flatMap(({ names }) => names))]),
        waitedMs: byName((waits) => Math.max(0, ...waits.map(({ ms }) => ms))),
      };
    },
    freezeSource: callsOf(active, 'freeze', 'roots'),
    restore: (page) => evaluateInFrames(page, restoreSource).then(() => {}),
  };
}

/** Runs in the page, before its own scripts. */
function adoptAtStart(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Returns a warning for each stabilizer with pending items. */
export function warningsOf(pending: Pending): Warning[] {
  return STABILIZERS.flatMap(({ name, explanation }) => {
    const names = pending[name] ?? [];
    return names.length === 0 ? [] : [{ code: name, message: `${explanation}: ${listFew(names)}` }];
  });
}

/** Combines the sources of all `wait` functions, so that they need one round trip per frame. */
function waitSourceOf(active: readonly Stabilizer[]): string {
  const calls = active.flatMap(({ name, wait, capMs }) =>
    wait
      ? [
          `({ ${String(wait)} }).wait(${capMs}, pause, roots).then((names) => [${JSON.stringify(name)}, { names, ms: now() - start }])`,
        ]
      : [],
  );
  return `(() => {
    const now = () => performance.now();
    const start = now();
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const roots = (${String(openRoots)})();
    return Promise.all([${calls.join(',')}]).then(Object.fromEntries);
  })()`;
}

/** Wraps each method in an object literal: the source of a method is only valid there. */
function callsOf(active: readonly Stabilizer[], method: 'init' | 'freeze' | 'restore', values = ''): string {
  return active
    .flatMap((stabilizer) => (stabilizer[method] ? [`({ ${String(stabilizer[method])} }).${method}(${values});`] : []))
    .join('\n');
}
