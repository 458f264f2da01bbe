import type { Page } from '@playwright/test';
import type { Warning } from '../../model/capture.js';
import type { SettleSwitches } from '../../model/settle.js';
import { evaluateInFrames } from '../in-page/frames.js';
import { listSome } from '../network.js';
import { animations } from './causes/animations.js';
import { caret, scrollbars, spelling } from './causes/browser-ui.js';
import { busy } from './causes/busy.js';
import { fonts } from './causes/fonts.js';
import { gifs } from './causes/gifs.js';
import { images } from './causes/images.js';
import { layout } from './causes/layout.js';
import { load } from './causes/load.js';
import { motion } from './causes/motion.js';
import { random } from './causes/random.js';
import { scroll } from './causes/scroll.js';
import { videos } from './causes/videos.js';
import type { Stabilizer } from './stabilizer.js';

const STABILIZERS: readonly Stabilizer[] = [
  // The timers of `motion` are those that `layout` keeps account of.
  ...[load, fonts, images, motion, layout, busy, animations],
  ...[videos, gifs, caret, scrollbars, spelling, scroll, random],
];

/** Everything that is done inside a page so that it stands still, but for what is switched off. */
export interface Settling {
  /** The style of all stabilizers, in force while a page is captured. */
  readonly css: string;
  /** Script that every document runs before its own. */
  readonly initScript: string;
  /** Waits until nothing is on its way any more, each cause no longer than its own cap. Gives what is not done, by name. */
  wait(page: Page): Promise<Pending>;
  /** Source text of the statements that stop what moves in a document, just before an image is taken. */
  readonly freezeSource: string;
  /** Lets a page that was captured go on as it was. */
  restore(page: Page): Promise<void>;
}

/** What did not end, by the name of the stabilizer that waited for it. */
export type Pending = Readonly<Record<string, readonly string[]>>;

/** Puts together what is done with these switches. */
export function createSettling(switches: SettleSwitches): Settling {
  const active = STABILIZERS.filter(({ name }) => switches[name]);
  const waitSource = waitSourceOf(active);
  const restoreSource = callsOf(active, 'restore');
  const startCss = active.flatMap(({ startCss: css }) => css ?? []).join('\n');
  return {
    css: [...active.flatMap(({ css }) => css ?? []), startCss].join('\n'),
    initScript: `(${String(adoptAtStart)})(${JSON.stringify(startCss)});\n${callsOf(active, 'init')}`,
    async wait(page) {
      const frames = await evaluateInFrames<Record<string, string[]>>(page, waitSource);
      const names = active.map(({ name }) => name);
      return Object.fromEntries(
        names.map((name) => [name, [...new Set(frames.flatMap((frame) => frame[name] ?? []))]]),
      );
    },
    freezeSource: callsOf(active, 'freeze'),
    restore: (page) => evaluateInFrames(page, restoreSource).then(() => {}),
  };
}

/** Runs in the page, before its own scripts. */
function adoptAtStart(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Returns a warning for each cause that did not end. */
export function warningsOf(pending: Pending): Warning[] {
  return STABILIZERS.flatMap(({ name, explanation }) => {
    const names = pending[name] ?? [];
    return names.length === 0 ? [] : [{ code: name, message: `${explanation}: ${listSome(names)}` }];
  });
}

/** One round trip a frame for all of them: what runs in the page is put together from their sources. */
function waitSourceOf(active: readonly Stabilizer[]): string {
  const calls = active.flatMap(({ name, wait, capMs }) =>
    wait ? [`({ ${String(wait)} }).wait(${capMs}, pause).then((names) => [${JSON.stringify(name)}, names])`] : [],
  );
  return `(() => {
    const setTimer = window.__proofsheet?.setTimer ?? setTimeout;
    const pause = (ms) => new Promise((resolve) => setTimer(resolve, ms));
    return Promise.all([${calls.join(',')}]).then(Object.fromEntries);
  })()`;
}

/** A method's source is a method's only inside an object. */
function callsOf(active: readonly Stabilizer[], method: 'init' | 'freeze' | 'restore'): string {
  return active
    .flatMap((stabilizer) => (stabilizer[method] ? [`({ ${String(stabilizer[method])} }).${method}();`] : []))
    .join('\n');
}
