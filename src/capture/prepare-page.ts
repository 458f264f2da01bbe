import type { Page } from '@playwright/test';
import { isMediaRefusal } from '../model/capture.js';
import type { CaptureSettings, Target } from '../model/shot.js';
import { COOKIE_INIT_SCRIPT } from './cookies/hide-banners.js';
import { createPageTime, type PageTime, REAL_TIME } from './in-page/page-clock.js';
import type { Network } from './network.js';
import { keepWindowSteady } from './screenshot/fixed-viewport.js';
import type { Settling } from './stabilize/stabilizers.js';

/**
 * Prepares a page that is not opened yet: what runs before its own scripts, what time it is told, what it is sent.
 *
 * @returns the page's time, which can be skipped where the list has a `delay`.
 */
export async function preparePage(
  page: Page,
  { url, credentials }: Target,
  settings: CaptureSettings,
  { initScript }: Settling,
  { network, drawsBeyondWindow }: { readonly network: Network; readonly drawsBeyondWindow: boolean },
): Promise<PageTime> {
  const { hideCookie, clock, settle, delayMs } = settings;
  // Before the other scripts: what they see of timers has to be what the page sets.
  const time = delayMs > 0 ? await createPageTime(page, network) : REAL_TIME;
  const script = [
    // Only the camera of the protocol leaves the window as it is, and only of a screen of this density it knows.
    `if (${!(drawsBeyondWindow && settings.element === null)} || devicePixelRatio !== 1) (${String(keepWindowSteady)})();`,
    initScript,
    isLeftAlone(settings) ? `(${String(holdTimers)})();` : '',
    hideCookie ? COOKIE_INIT_SCRIPT : '',
    `(${String(watchCanvases)})();`,
  ].join('\n');
  // A page that is used again has them already.
  const isFirst = prepared.get(page) !== script;
  prepared.set(page, script);
  await Promise.all([
    isFirst && page.addInitScript(script),
    isFirst && settle.motion && reduceMotion(page),
    clock !== null && page.clock.setFixedTime(clock),
    sendHeaders(page, new URL(url).origin, credentials.headers),
  ]);
  return time;
}

/** Where the browser has no media emulation, a notice at its launch says so. */
async function reduceMotion(page: Page): Promise<void> {
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' });
  } catch (cause) {
    if (!isMediaRefusal(cause)) throw cause;
  }
}

const prepared = new WeakMap<Page, string>();

/**
 * Is a page captured as it comes? What a list waits for, or brings about, may be the work of a slow timer: such a page's
 * timers are held only when it is captured.
 */
export function isLeftAlone({ waitFor, actions, javascriptCode, delayMs }: CaptureSettings): boolean {
  return waitFor.length === 0 && actions.length === 0 && javascriptCode === null && delayMs === 0;
}

/** Runs in the page, before its own scripts, after those of the stabilizers. */
function holdTimers(): void {
  if (window.__proofsheet?.heldTimers) window.__proofsheet.holdsTimers = true;
}

/** Runs in the page, before its own scripts. */
function watchCanvases(): void {
  window.__proofsheet ??= {};
  const memory = window.__proofsheet;
  const note = ({ target }: Event) => {
    if (!(target instanceof HTMLCanvasElement)) return;
    const name = target.id ? `#${target.id}` : `a canvas of ${target.width}x${target.height}`;
    memory.blankCanvases ??= [];
    memory.blankCanvases.push(name);
  };
  // On their way down: these events do not bubble.
  addEventListener('webglcontextcreationerror', note, true);
  addEventListener('webglcontextlost', note, true);
}

/**
 * Sends headers with every request to one origin, and with no other.
 *
 * Chromium is asked by its own protocol: headers that Playwright's routes add go along with a redirect to another host.
 */
export async function sendHeaders(
  page: Page,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  if (page.context().browser()?.browserType().name() === 'chromium') await sendByProtocol(page, origin, headers);
  else await sendByRoute(page, origin, headers);
}

async function sendByProtocol(page: Page, origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    // The pattern is a text with jokers, the origin is not: it is looked at again.
    const own = originOf(request.url) === origin;
    const all = own ? { headers: toEntries({ ...request.headers, ...headers }) } : {};
    // A page that is closed meanwhile needs no answer.
    session.send('Fetch.continueRequest', { requestId, ...all }).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}

/** What a redirect leads to is asked for by the page again, so that it goes through here again. */
async function sendByRoute(page: Page, origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  await page.route(
    (url) => url.origin === origin,
    async (route) => {
      const request = route.request();
      const response = await route.fetch({ headers: { ...request.headers(), ...headers }, maxRedirects: 0 });
      await route.fulfill({ response });
    },
  );
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function toEntries(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
