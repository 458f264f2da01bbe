import type { Page } from '@playwright/test';
import type { Warning } from '../../model/index.js';
import { callIn } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import type { PageClock } from '../page-clock.js';
import { SMALLEST_AREA } from './expand-areas.js';

/** Maximum number of areas over which the mouse wheel is turned. */
const MAX_AREAS = 5;

/** How far the wheel is turned, in CSS pixels, and how long the page lives then, in milliseconds of its time. */
const TURN = { px: 400, ms: 300 };

/**
 * Turns the mouse wheel over areas whose script listens to it. Returns a warning for each that shows another text then: the script draws what is in
 * view, as in a terminal, and the image has only that. Call it after the image.
 */
export async function warnOfWheeled(page: Page, clock: PageClock): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (let area = 0; area < MAX_AREAS; area++) {
    const texts: string[] = [];
    let name = '';
    for (const turn of [0, TURN.px, -2 * TURN.px, 0]) {
      const look = await callIn(page, turnWheel, area, turn, SMALLEST_AREA);
      if (!look) return warnings;
      texts.push(look.text);
      name = look.name;
      await clock.pass(TURN.ms);
    }
    const [first, untouched, ...turned] = texts;
    const changesItself = first !== untouched;
    if (changesItself || turned.every((text) => text === untouched)) continue;
    const message = `the area ${name} shows another text when the mouse wheel is turned over it: that is not in the image`;
    warnings.push({ code: 'content-hidden', message });
  }
  return warnings;
}

/** Returns the text of an area, and turns the wheel over it; null if there are fewer areas. An area that the browser scrolls is not meant. */
function turnWheel(
  { memory, nameOf, isInside }: Tools,
  index: number,
  px: number,
  smallest: typeof SMALLEST_AREA,
): { name: string; text: string } | null {
  const isArea = (target: EventTarget): target is Element =>
    target instanceof Element &&
    target.isConnected &&
    ![document.documentElement, document.body].some((root) => root === target) &&
    target.clientWidth >= smallest.width &&
    target.clientHeight >= smallest.height;
  const all = Array.from(memory.wheelListeners).filter(isArea);
  const area = all.filter((one) => !all.some((other) => other !== one && isInside(one, other)))[index];
  if (!area) return null;
  area.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = area.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const text = area.textContent ?? '';
  const target = document.elementFromPoint(x, y);
  const options = { deltaY: px, clientX: x, clientY: y, bubbles: true, composed: true, cancelable: true };
  if (px !== 0) (target && isInside(target, area) ? target : area).dispatchEvent(new WheelEvent('wheel', options));
  return { name: nameOf(area), text };
}
