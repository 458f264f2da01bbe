import type { Page } from '@playwright/test';
import { type CaptureSettings, isMediaRefusal, parseUrl, type Target } from '../model/index.js';
import { isChromium } from './browser/page-control.js';
import type { CaptureContext } from './capture-context.js';
import { CLOSED_ROOTS_SCRIPT } from './cookies/hide-banners.js';
import { applyNetworkRules } from './network-rules.js';
import { watchCalls } from './seen-load.js';

/** Prepares a page before navigation: installs init scripts, sets the clock, adds request headers, and blocks or answers requests. */
export async function preparePage(
  { page, session, clock: pageClock, settings, stabilizers, network }: CaptureContext,
  { url, credentials }: Target,
): Promise<void> {
  const { clock, settle, media } = settings;
  const script = [
    stabilizers.initScript,
    CLOSED_ROOTS_SCRIPT,
    ...[watchCanvases, controlPage, watchCalls, endBusyWaits].map((run) => `(${String(run)})();`),
  ].join('\n');
  // Playwright's clock counts by rounded time, and the other scripts build on the clock: so they come in this order.
  await page.addInitScript(roundTime);
  await pageClock.prepare();
  if (clock !== null) await page.clock.setFixedTime(clock);
  await Promise.all([
    page.addInitScript(script),
    (settle.motion || media !== null) &&
      emulateMedia(page, { ...(settle.motion && { reducedMotion: 'reduce' }), media }),
    applyNetworkRules(page, network, settings.rules),
    sendHeaders(page, session, new URL(url).origin, credentials.headers),
  ]);
}

/** A notice at launch reports browsers without media emulation. */
async function emulateMedia(page: Page, media: Parameters<Page['emulateMedia']>[0]): Promise<void> {
  try {
    await page.emulateMedia(media);
  } catch (cause) {
    if (!isMediaRefusal(cause)) throw cause;
  }
}

/** Checks whether the list or a story interacts with the page, or waits for it: how long that takes depends on the machine. */
export function hasInteractions({ story, waitFor, actions, javascriptCode }: CaptureSettings): boolean {
  return story !== null || waitFor.length > 0 || actions.length > 0 || javascriptCode !== null;
}

/**
 * Runs in the page, before its own scripts. Notes that the page asks for frames, gets messages, and waits for a part of a stream or for work of
 * the browser that is no request, such as encryption. Idle callbacks, which depend on the machine, become timers of the page.
 */
function controlPage(): void {
  window.__proofsheet ??= {};
  const memory = window.__proofsheet;
  window.requestAnimationFrame = new Proxy(window.requestAnimationFrame, {
    apply(target, receiver, args) {
      memory.asksForFrames = true;
      return Reflect.apply(target, receiver, args);
    },
  });
  let lastMessageAt = Number.NEGATIVE_INFINITY;
  memory.sinceMessage = () => performance.now() - lastMessageAt;
  for (const name of ['Worker', 'WebSocket', 'EventSource']) {
    const value = new Proxy(Reflect.get(window, name), {
      construct(target, args, newTarget) {
        const sender: EventTarget = Reflect.construct(target, args, newTarget);
        sender.addEventListener('message', () => {
          lastMessageAt = performance.now();
        });
        return sender;
      },
    });
    Object.defineProperty(window, name, { value, writable: true, configurable: true });
  }
  let pendingCount = 0;
  memory.isAwaiting = () => pendingCount > 0;
  const countPending = (owner: object, name: string, note = () => {}) => {
    const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof method !== 'function' || name === 'constructor') return;
    const value = new Proxy(method, {
      apply(target, receiver, args) {
        const result = Reflect.apply(target, receiver, args);
        if (!(result instanceof Promise)) return result;
        const end = () => {
          pendingCount -= 1;
        };
        pendingCount += 1;
        result.then(end, end);
        note();
        return result;
      },
    });
    Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  };
  countPending(ReadableStreamDefaultReader.prototype, 'read');
  countPending(Object.getPrototypeOf(new ReadableStream().values()), 'next');
  const noteWork = () => {
    memory.asksForWork = true;
  };
  const countWork = (owner: object, names: readonly string[]) => {
    for (const name of names) countPending(owner, name, noteWork);
  };
  countWork(window, ['createImageBitmap']);
  countWork(WebAssembly, ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']);
  const media = ['SubtleCrypto', 'OffscreenCanvas', 'OfflineAudioContext', 'BaseAudioContext'];
  const data = ['Blob', 'Response', 'WritableStream', 'Cache', 'CacheStorage', 'StorageManager'];
  const files = ['FileSystemDirectoryHandle', 'FileSystemFileHandle', 'FileSystemWritableFileStream'];
  for (const name of [...media, ...data, ...files]) {
    // Some are missing in a page without HTTPS, and in some browsers.
    const prototype: object | undefined = Reflect.get(window, name)?.prototype;
    if (prototype) countWork(prototype, Object.getOwnPropertyNames(prototype));
  }
  const { setTimeout: startTimer, clearTimeout: stopTimer } = window;
  const deadline = { didTimeout: false, timeRemaining: () => 10 };
  window.requestIdleCallback = new Proxy(window.requestIdleCallback, {
    apply: (_target, _receiver, [callback]: [IdleRequestCallback]) => Number(startTimer(() => callback(deadline), 1)),
  });
  window.cancelIdleCallback = new Proxy(window.cancelIdleCallback, {
    apply: (_target, _receiver, [id]: [number]) => stopTimer(id),
  });
}

/**
 * Runs in the page, before its own scripts. Rounds `performance.now()` to whole milliseconds, which the moments of a page are. Chromium rounds
 * it down to 0.1 ms, so it would be 0.1 ms less at some of these moments: a timer that is due then would be started again and again.
 */
function roundTime(): void {
  const { performance } = window;
  performance.now = new Proxy(performance.now, {
    apply: (target) => Math.round(Reflect.apply(target, performance, [])),
  });
}

/**
 * Runs in the page, before its own scripts. A script that waits in a loop until `performance.now()` or `Date.now()` is greater would wait for ever:
 * the time of the page stands still while its scripts run. Once a script has asked often enough without a pause, the answers grow.
 */
function endBusyWaits(): void {
  const askedOften = 20_000;
  const askedForEachMs = 20;
  const { queueMicrotask } = window;
  for (const owner of [performance, Date]) {
    let last = Number.NEGATIVE_INFINITY;
    let asked = 0;
    owner.now = new Proxy(owner.now, {
      apply(target) {
        if (asked++ === 0)
          queueMicrotask(() => {
            asked = 0;
          });
        last = Math.max(last, Reflect.apply(target, owner, []));
        if (asked > askedOften && asked % askedForEachMs === 0) last += 1;
        return last;
      },
    });
  }
}

/** Runs in the page, before its own scripts. */
function watchCanvases(): void {
  const record = ({ target }: Event) => {
    if (!(target instanceof HTMLCanvasElement)) return;
    window.__proofsheet ??= {};
    window.__proofsheet.blankCanvases ??= [];
    const { id, width, height } = target;
    window.__proofsheet.blankCanvases.push(id ? `#${id}` : `canvas (${width}x${height} px)`);
  };
  // These events do not bubble.
  addEventListener('webglcontextcreationerror', record, true);
  addEventListener('webglcontextlost', record, true);
}

/** Adds headers to the requests to one origin. Chromium would also send those of a Playwright route when a request redirects to another host. */
async function sendHeaders(
  page: Page,
  openSession: CaptureContext['session'],
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  if (!isChromium(page)) return sendByRoute(page, origin, headers);
  const session = await openSession();
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const all = Object.entries({ ...request.headers, ...headers }).map(([name, value]) => ({ name, value }));
    // `urlPattern` supports wildcards, so the origin is compared exactly here.
    const isTargetOrigin = parseUrl(request.url)?.origin === origin;
    // The page may have been closed.
    session.send('Fetch.continueRequest', { requestId, ...(isTargetOrigin && { headers: all }) }).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}

/** Does not follow redirects: the page requests the new URL itself, and that request passes through this route. */
async function sendByRoute(page: Page, origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  await page.route(
    (url) => url.origin === origin,
    async (route) => {
      const request = route.request();
      // The connection may break, and the page may be closed. Nobody awaits this function.
      const fetched = route.fetch({ headers: { ...request.headers(), ...headers }, maxRedirects: 0 });
      const response = await fetched.catch(() => null);
      await (response ? route.fulfill({ response }) : route.abort()).catch(() => {});
    },
  );
}
