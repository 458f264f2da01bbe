import type { Page } from '@playwright/test';
import { isMediaRefusal, parseUrl, type Target } from '../model/index.js';
import { isChromium } from './browser/page-control.js';
import type { CaptureContext } from './capture-context.js';
import { CLOSED_ROOTS_SCRIPT } from './cookies/hide-banners.js';
import { callOf, initScriptOf } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import { applyNetworkRules } from './network-rules.js';

/** Prepares a page before navigation: installs init scripts, sets the clock, adds request headers, and blocks or answers requests. */
export async function preparePage(
  { page, session, clock: pageClock, settings, stabilizers, network }: CaptureContext,
  { url, credentials }: Target,
): Promise<void> {
  const { clock, settle, media } = settings;
  const scripts = [watchCanvases, controlPage, endBusyWaits].map((run) => callOf(run));
  const script = initScriptOf(stabilizers.initScript, CLOSED_ROOTS_SCRIPT, ...scripts);
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

declare global {
  interface Window {
    /** Calls of the page or its frames that Playwright reports late, or in no event. */
    __proofsheetCalls?: (call?: string) => string[];
  }
}

/**
 * Runs before the scripts of a document. Notes that they ask for frames, get messages, and wait for a part of a stream or for work of the browser
 * that is no request, such as encryption. Idle callbacks, which depend on the machine, become timers of the page.
 *
 * Notes their calls, too: Playwright reports workers a moment after the call, maybe after the capture, and the other classes not at all. Shared
 * workers and service workers have a clock of their own.
 */
function controlPage({ memory, intercept }: Tools): void {
  intercept(window, 'requestAnimationFrame', () => {
    memory.asksForFrames = true;
  });

  const calls: string[] = [];
  const record = (call?: string) => {
    if (call !== undefined) calls.push(call);
    return [...calls];
  };
  // Not writable and not configurable, so that the page cannot replace it.
  Object.defineProperty(window, '__proofsheetCalls', { value: record });
  const noteCall = (call: string) => {
    try {
      // The frame may be removed before its calls are read.
      window.top?.__proofsheetCalls?.(call);
    } catch {
      // A frame of another origin, such as a sandboxed one, cannot call the page.
      record(call);
    }
  };
  const noteSharedWorker = (call: string) => {
    memory.hasSharedWorker = true;
    noteCall(call);
  };
  if ('ServiceWorkerContainer' in window)
    intercept(ServiceWorkerContainer.prototype, 'register', () => noteSharedWorker('a service worker'));
  intercept(window, 'SharedWorker', () => noteSharedWorker('a shared worker'));
  intercept(window, 'Worker', () => noteCall('a worker'));
  intercept(window, 'WebTransport', () => noteCall('WebTransport'));
  intercept(window, 'RTCPeerConnection', () => noteCall('WebRTC'));

  let lastMessageAt = Number.NEGATIVE_INFINITY;
  memory.sinceMessage = () => performance.now() - lastMessageAt;
  const noteMessage = () => {
    lastMessageAt = performance.now();
  };
  for (const name of ['Worker', 'WebSocket', 'EventSource'])
    intercept(window, name, (sender: EventTarget) => sender.addEventListener('message', noteMessage));

  let pendingCount = 0;
  memory.isAwaiting = () => pendingCount > 0;
  const countPending = (owner: object, names: readonly string[], note = () => {}) => {
    const end = () => {
      pendingCount -= 1;
    };
    const count = (result: unknown) => {
      if (!(result instanceof Promise)) return;
      pendingCount += 1;
      result.then(end, end);
      note();
    };
    for (const name of names) if (name !== 'constructor') intercept(owner, name, count);
  };
  countPending(ReadableStreamDefaultReader.prototype, ['read']);
  countPending(Object.getPrototypeOf(new ReadableStream().values()), ['next']);
  const noteWork = () => {
    memory.asksForWork = true;
  };
  countPending(window, ['createImageBitmap'], noteWork);
  countPending(WebAssembly, ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming'], noteWork);
  const media = ['SubtleCrypto', 'OffscreenCanvas', 'OfflineAudioContext', 'BaseAudioContext'];
  const data = ['Blob', 'Response', 'WritableStream', 'Cache', 'CacheStorage', 'StorageManager'];
  const files = ['FileSystemDirectoryHandle', 'FileSystemFileHandle', 'FileSystemWritableFileStream'];
  for (const name of [...media, ...data, ...files]) {
    // Some are missing in a page without HTTPS, and in some browsers.
    const prototype: object = Reflect.get(window, name)?.prototype ?? {};
    countPending(prototype, Object.getOwnPropertyNames(prototype), noteWork);
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

function watchCanvases({ memory }: Tools): void {
  const record = ({ target }: Event) => {
    if (!(target instanceof HTMLCanvasElement)) return;
    const { id, width, height } = target;
    memory.blankCanvases.push(id ? `#${id}` : `canvas (${width}x${height} px)`);
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
