import type { Page } from '@playwright/test';
import { callIn } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import type { PageClock } from '../page-clock.js';
import { LOOKED_MS, renderLook } from './pinned-parts.js';

/** Maximum number of panels that are scrolled. */
const MAX_PANELS = 5;

/**
 * Scrolls the panels whose script learns of it to their middle and to their end. Returns what elements beside them show then, such as a button
 * that appears. What they show before counts as what changes by itself. Call it after `watchPinned`.
 */
export async function listStatesBesidePanels(page: Page, clock: PageClock, hasTime: () => boolean): Promise<string[]> {
  const states: string[] = [];
  for (let panel = 0; panel < MAX_PANELS && hasTime(); panel++) {
    for (const share of [0, 0.5, 1]) {
      const name = await callIn(page, scrollPanel, panel, share);
      if (name === null) return states;
      await clock.pass(LOOKED_MS, LOOKED_MS / 4);
      for (const { name: element, text } of await callIn(page, listBeside, panel, share === 0))
        states.push(`${element} ${renderLook(text)} when the area ${name} is scrolled`);
    }
  }
  return states;
}

/** Scrolls a panel, in the size that it has without a capture. Returns its name; null if there are fewer. */
function scrollPanel({ memory, nameOf }: Tools, index: number, share: number): string | null {
  const { panel, styles } = memory.panels.telling[index] ?? {};
  if (!panel || !styles) return null;
  if (share === 0) for (const { element, style } of styles) element.style.cssText = style;
  panel.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = panel;
  const toLeft = getComputedStyle(panel).direction === 'rtl' ? -1 : 1;
  const [top, left] = [share * (scrollHeight - clientHeight), toLeft * share * (scrollWidth - clientWidth)];
  panel.scrollTo({ top, left, behavior: 'instant' });
  return nameOf(panel);
}

function listBeside({ memory: { panels, pinned } }: Tools, index: number, isStart: boolean) {
  const panel = panels.telling[index]?.panel;
  return panel && pinned ? pinned.listBeside(panel, isStart) : [];
}
