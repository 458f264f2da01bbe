import type { Frame, Page } from '@playwright/test';
import type { Warning } from '../model/capture.js';
import type { Stabiliser } from './stabiliser.js';
import { animations } from './stabilisers/animations.js';
import { caret } from './stabilisers/caret.js';
import { fonts } from './stabilisers/fonts.js';
import { images } from './stabilisers/images.js';
import { scrollbars } from './stabilisers/scrollbars.js';
import { videos } from './stabilisers/videos.js';

/** How long one stabiliser may wait before the page is captured as it is, with a warning. */
const WAIT_CAP_MS = 5_000;

const STABILISERS: readonly Stabiliser[] = [fonts, images, videos, animations, caret, scrollbars];

/** The style of all stabilisers, in force while a page is captured. */
export const STABLE_CSS = STABILISERS.flatMap(({ css }) => css ?? []).join('\n');

/**
 * Waits until nothing on the page is on its way any more, each cause no longer than its own cap.
 *
 * @returns a warning for each cause that did not end.
 */
export async function settle(page: Page): Promise<Warning[]> {
  const frames = await Promise.all(page.frames().map(waitInFrame));
  return WAITING.flatMap(({ name, explanation }) => {
    const pending = [...new Set(frames.flatMap((frame) => frame[name] ?? []))];
    if (pending.length === 0) return [];
    return [{ code: name, message: `${explanation}: ${namesOf(pending)}` }];
  });
}

/** Stops what moves, just before an image is taken: a transition may have started since the page settled. */
export async function freeze(page: Page): Promise<void> {
  await Promise.all(page.frames().map((frame) => frame.evaluate(FREEZE_SOURCE).catch(ignoreDetached)));
}

/** Lets a page that was captured go on as it was. */
export async function restore(page: Page): Promise<void> {
  await Promise.all(page.frames().map((frame) => frame.evaluate(RESTORE_SOURCE).catch(ignoreDetached)));
}

const WAITING = STABILISERS.filter((stabiliser) => stabiliser.wait);

// One round trip a frame for all of them: what runs in the page is put together from their sources.
const WAIT_SOURCE = `Promise.all([${WAITING.map(
  (stabiliser) => `${callSource(stabiliser)}.then((pending) => [${JSON.stringify(stabiliser.name)}, pending])`,
).join(',')}]).then(Object.fromEntries)`;
const FREEZE_SOURCE = callSource(animations);
const RESTORE_SOURCE = STABILISERS.flatMap(({ restore: source }) =>
  source ? `({ ${String(source)} }).restore();` : [],
).join('');

/** A method's source is a method's only inside an object. */
function callSource({ wait }: Stabiliser): string {
  return `({ ${String(wait)} }).wait(${WAIT_CAP_MS})`;
}

async function waitInFrame(frame: Frame): Promise<Record<string, string[]>> {
  return frame.evaluate<Record<string, string[]>>(WAIT_SOURCE).catch(ignoreDetached);
}

/** A frame that the page removed while it settled needs no settling; a frame that is still there does. */
function ignoreDetached(cause: unknown): Record<string, string[]> {
  if (/detached|Execution context was destroyed/.test(String(cause))) return {};
  throw cause;
}

function namesOf(pending: readonly string[]): string {
  const shown = pending.slice(0, 3).map((name) => (name.length > 120 ? `${name.slice(0, 117)}...` : name));
  return pending.length > 3 ? `${shown.join(', ')} and ${pending.length - 3} more` : shown.join(', ');
}
