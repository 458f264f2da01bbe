import type { Page } from '@playwright/test';
import { listFew, type SettleName, type SettleSwitches, type Warning } from '../../model/index.js';
import { callInFrames, callOf } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import { scroll } from './scroll.js';
import type { Stabilizer } from './stabilizer.js';
import { animations, busy, fonts, gifs, images, videos } from './waits.js';

/** The clock of the page waits for the responses while it loads, for as long as `network.ts` says. `capture-page.ts` names those that did not come. */
export const load = { name: 'load', explanation: 'the page did not finish loading' } satisfies Stabilizer;

/** Replaces `Math.random` by a generator with a fixed seed: mulberry32 by Tommy Ettinger, public domain. */
const random = {
  name: 'random',
  init: () => {
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
  const inits = active.flatMap(({ init }) => (init ? callOf(init) : []));
  const waiting = active.flatMap(({ name, wait, capMs = 0 }) => (wait ? { name, wait, capMs } : []));
  return {
    css,
    /** Runs in every document before its own scripts. */
    initScript: [callOf(adoptAtStart, css), ...inits].join('\n'),
    /** Waits until nothing is pending. Returns a warning for each cause with pending items, and the wait of the slowest frame, in milliseconds. */
    async wait(page: Page): Promise<{ readonly warnings: Warning[]; readonly waitedMs: Record<string, number> }> {
      const ended = (await callInFrames(page, waitForAll, waiting)).flat();
      const waits = active.map(({ name, explanation }) => {
        const found = ended.filter((wait) => wait.name === name);
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
    freezes: active.flatMap(({ freeze }) => freeze ?? []),
    async restore(page: Page): Promise<void> {
      const restores = active.flatMap(({ restore }) => restore ?? []);
      await callInFrames(page, callAll, restores);
    },
  };
}

function adoptAtStart(_: Tools, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function callAll(tools: Tools, all: readonly ((tools: Tools) => void)[]): void {
  for (const one of all) one(tools);
}

/** Waits for all causes at once: they need one round trip per frame. */
function waitForAll(tools: Tools, waiting: readonly Required<Pick<Stabilizer, 'name' | 'wait' | 'capMs'>>[]) {
  const start = performance.now();
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const ended = waiting.map(async ({ name, wait, capMs }) => {
    const names = await wait(tools, capMs, pause);
    return { name, names, ms: performance.now() - start };
  });
  return Promise.all(ended);
}
