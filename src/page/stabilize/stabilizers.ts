import type { Page } from '@playwright/test';
import { listFew, type SettleName, type SettleSwitches, type Warning } from '../../model/index.js';
import { evaluateInFrames, ROOTS } from '../in-page/frames.js';
import { scroll } from './scroll.js';
import type { Stabilizer } from './stabilizer.js';
import { animations, busy, fonts, gifs, images, videos } from './waits.js';

/** The clock of the page waits for the responses while it loads, for as long as `network.ts` says. `capture-page.ts` names those that did not come. */
export const load = { name: 'load', explanation: 'the page did not finish loading' } satisfies Stabilizer;

/** Replaces `Math.random` by a generator with a fixed seed: mulberry32 by Tommy Ettinger, public domain. */
const random = {
  name: 'random',
  init() {
    let state = 0x9e3779b9;
    Math.random = function random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  },
} satisfies Stabilizer;

const STABILIZERS: readonly Stabilizer[] = Object.values({
  load,
  ...{ fonts, images, busy, animations, videos, gifs, scroll, random },
  /** Emulates `prefers-reduced-motion`. Implemented in `prepare-page.ts`. */
  motion: { name: 'motion' },
  /** Lets the page live for some seconds: late content arrives, such as hydration, widgets and lists. Implemented in `live-page.ts`. */
  layout: { name: 'layout' },
  caret: { name: 'caret', css: '*, *::before, *::after { caret-color: transparent !important; }' },
  /** Hides scrollbars: their width and appearance depend on the machine. */
  scrollbars: { name: 'scrollbars', css: '* { scrollbar-width: none !important; }' },
  /** Hides spelling and grammar underlines: they depend on the dictionaries of the machine. */
  spelling: { name: 'spelling', css: '*::spelling-error, *::grammar-error { text-decoration: none !important; }' },
} satisfies { [Name in SettleName]: Stabilizer & { readonly name: Name } });

export type Stabilizers = ReturnType<typeof createStabilizers>;

/** Combines the scripts and styles of the stabilizers that these switches enable. */
export function createStabilizers(switches: SettleSwitches) {
  const active = STABILIZERS.filter(({ name }) => switches[name]);
  const css = active.flatMap((stabilizer) => stabilizer.css ?? []).join('\n');
  return {
    css,
    /** Runs in every document before its own scripts. */
    initScript: [`(${String(adoptAtStart)})(${JSON.stringify(css)});`, callsOf(active, 'init')].join('\n'),
    /** Waits until nothing is pending. Returns a warning for each cause with pending items, and the wait of the slowest frame, in milliseconds. */
    async wait(page: Page): Promise<{ readonly warnings: Warning[]; readonly waitedMs: Record<string, number> }> {
      type Waited = Record<string, { names: string[]; ms: number }>;
      const frames = await evaluateInFrames<Waited>(page, waitSourceOf(active));
      const waits = active.map(({ name, explanation }) => {
        const found = frames.flatMap((frame) => frame[name] ?? []);
        const names = [...new Set(found.flatMap((wait) => wait.names))];
        return { name, explanation, names, ms: Math.max(0, ...found.map(({ ms }) => ms)) };
      });
      return {
        warnings: waits.flatMap(({ name, explanation, names }) =>
          names.length === 0 ? [] : [{ code: name, message: `${explanation}: ${listFew(names)}` }],
        ),
        waitedMs: Object.fromEntries(waits.map(({ name, ms }) => [name, ms])),
      };
    },
    /** Source text of statements that stop motion in `roots`. They run just before a screenshot. */
    freezeSource: callsOf(active, 'freeze', 'roots'),
    restore: (page: Page) => evaluateInFrames(page, callsOf(active, 'restore')).then(() => {}),
  };
}

/** Runs in the page, before its own scripts. */
function adoptAtStart(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Combines the sources of all `wait` functions, so that they need one round trip per frame. */
function waitSourceOf(active: readonly Stabilizer[]): string {
  const calls = active.flatMap(({ name, wait, capMs }) => {
    const ended = `then((names) => ['${name}', { names, ms: now() - start }])`;
    return wait ? [`({ ${String(wait)} }).wait(${capMs}, pause, roots).${ended}`] : [];
  });
  return `(() => {
    const now = () => performance.now();
    const start = now();
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const roots = ${ROOTS};
    return Promise.all([${calls.join(',')}]).then(Object.fromEntries);
  })()`;
}

/** Wraps each method in an object literal: the source of a method is only valid there. */
function callsOf(active: readonly Stabilizer[], method: 'init' | 'freeze' | 'restore', values = ''): string {
  const called = active.filter((stabilizer) => stabilizer[method]);
  return called.map((stabilizer) => `({ ${String(stabilizer[method])} }).${method}(${values});`).join('\n');
}
